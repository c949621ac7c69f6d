#include "evaluation/bootstrap.h"

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

} // namespace sparsight
