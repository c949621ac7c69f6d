#include "evaluation/estimates.h"

#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace sparsight {

namespace {

/// Of sorted values, linear between them (Hyndman and Fan, "Sample quantiles in statistical packages", 1996,
/// definition 7).
double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

/// `statistic_of` is given the places that were drawn.
template <typename StatisticOf>
std::optional<Interval> interval_of(std::size_t size, const StatisticOf& statistic_of,
                                    const BootstrapOptions& options) {
    if (size < 2 || options.resamples < 1)
        return std::nullopt;
    Random random(options.seed);
    std::vector<std::size_t> places(size);
    std::vector<double> statistics;
    statistics.reserve(static_cast<std::size_t>(options.resamples));
    for (int resample = 0; resample < options.resamples; ++resample) {
        for (std::size_t& place : places)
            place = static_cast<std::size_t>(random.below(size));
        statistics.push_back(statistic_of(places));
    }
    std::ranges::sort(statistics);
    const double outside = (1 - options.confidence) / 2;
    return Interval{quantile(statistics, outside), quantile(statistics, 1 - outside)};
}

void gather(std::span<const double> values, const std::vector<std::size_t>& places,
            std::vector<double>& drawn) {
    drawn.clear();
    for (const std::size_t place : places)
        drawn.push_back(values[place]);
}

} // namespace

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double geometric_mean(std::span<const double> values) {
    double logarithms = 0;
    for (const double value : values)
        logarithms += std::log(value);
    return std::exp(logarithms / static_cast<double>(values.size()));
}

double median(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    return quantile(sorted, 0.5);
}

Estimate bootstrap(std::span<const double> values, const SampleStatistic& statistic,
                   const BootstrapOptions& options) {
    std::vector<double> drawn;
    return {statistic(values), interval_of(
                                   values.size(),
                                   [&](const std::vector<std::size_t>& places) {
                                       gather(values, places, drawn);
                                       return statistic(drawn);
                                   },
                                   options)};
}

Estimate paired_difference(std::span<const double> first, std::span<const double> second,
                           const SampleStatistic& statistic, const BootstrapOptions& options) {
    std::vector<double> drawn;
    return {statistic(first) - statistic(second), interval_of(
                                                      first.size(),
                                                      [&](const std::vector<std::size_t>& places) {
                                                          gather(first, places, drawn);
                                                          const double of_first = statistic(drawn);
                                                          gather(second, places, drawn);
                                                          return of_first - statistic(drawn);
                                                      },
                                                      options)};
}

namespace {

template <typename Of>
std::vector<double> each(std::span<const WorkloadSpeedup> speedups, const Of& of) {
    std::vector<double> values;
    values.reserve(speedups.size());
    for (const WorkloadSpeedup& speedup : speedups)
        values.push_back(of(speedup));
    return values;
}

std::vector<double> gains(std::span<const WorkloadSpeedup> speedups) {
    return each(speedups, [](const WorkloadSpeedup& workload) { return workload.speedup() - 1; });
}

/// A statistic of values around 1 as one around 0.
SampleStatistic less_one(double (*statistic)(std::span<const double>)) {
    return [statistic](std::span<const double> values) { return statistic(values) - 1; };
}

} // namespace

std::optional<SpeedupSummary> summarise_speedups(std::span<const WorkloadSpeedup> speedups,
                                                 const BootstrapOptions& options) {
    if (speedups.empty())
        return std::nullopt;
    const std::vector<double> ratios =
        each(speedups, [](const WorkloadSpeedup& workload) { return workload.speedup(); });
    const std::vector<double> with_fallback =
        each(speedups, [](const WorkloadSpeedup& workload) { return workload.speedup_with_fallback() - 1; });
    const std::vector<double> losses =
        each(speedups, [](const WorkloadSpeedup& workload) { return workload.speedup() < 1 ? 1.0 : 0.0; });
    const std::vector<double> distances =
        each(speedups, [](const WorkloadSpeedup& workload) { return 1 + workload.regret(); });
    const auto worst = std::ranges::min_element(speedups, {}, &WorkloadSpeedup::speedup);
    return SpeedupSummary{.workloads = speedups.size(),
                          .mean_relative = bootstrap(gains(speedups), &mean, options),
                          .mean_relative_with_fallback = bootstrap(with_fallback, &mean, options),
                          .geometric_mean = bootstrap(ratios, &geometric_mean, options),
                          .median = bootstrap(ratios, &median, options),
                          .losing = bootstrap(losses, &mean, options),
                          .regret = bootstrap(distances, less_one(&geometric_mean), options),
                          .worst = worst->speedup(),
                          .worst_workload = worst->workload};
}

std::optional<SpeedupComparison> compare_speedups(std::span<const WorkloadSpeedup> first,
                                                  std::span<const WorkloadSpeedup> second,
                                                  const BootstrapOptions& options) {
    if (first.empty() || first.size() != second.size())
        return std::nullopt;
    SpeedupComparison comparison;
    std::vector<double> ratios;
    for (std::size_t at = 0; at < first.size(); ++at) {
        ratios.push_back(second[at].best_ms / first[at].best_ms);
        comparison.first_faster += first[at].best_ms < second[at].best_ms ? 1 : 0;
        comparison.second_faster += second[at].best_ms < first[at].best_ms ? 1 : 0;
    }
    comparison.mean_relative_difference = paired_difference(gains(first), gains(second), &mean, options);
    comparison.geometric_ratio = bootstrap(ratios, &geometric_mean, options);
    return comparison;
}

} // namespace sparsight
