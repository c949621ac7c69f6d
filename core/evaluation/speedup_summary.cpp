#include "evaluation/speedup_summary.h"

#include <algorithm>

namespace sparsight {

namespace {

template <typename Of>
std::vector<double> each(std::span<const MatrixSpeedup> speedups, const Of& of) {
    std::vector<double> values;
    values.reserve(speedups.size());
    for (const MatrixSpeedup& speedup : speedups)
        values.push_back(of(speedup));
    return values;
}

std::vector<double> gains(std::span<const MatrixSpeedup> speedups) {
    return each(speedups, [](const MatrixSpeedup& matrix) { return matrix.speedup() - 1; });
}

/// A statistic of values around 1 as one around 0.
SampleStatistic less_one(double (*statistic)(std::span<const double>)) {
    return [statistic](std::span<const double> values) { return statistic(values) - 1; };
}

} // namespace

std::optional<SpeedupSummary> summarise_speedups(std::span<const MatrixSpeedup> speedups,
                                                 const BootstrapOptions& options) {
    if (speedups.empty())
        return std::nullopt;
    const std::vector<double> ratios =
        each(speedups, [](const MatrixSpeedup& matrix) { return matrix.speedup(); });
    const std::vector<double> with_fallback =
        each(speedups, [](const MatrixSpeedup& matrix) { return matrix.speedup_with_fallback() - 1; });
    const std::vector<double> losses =
        each(speedups, [](const MatrixSpeedup& matrix) { return matrix.speedup() < 1 ? 1.0 : 0.0; });
    const std::vector<double> distances =
        each(speedups, [](const MatrixSpeedup& matrix) { return 1 + matrix.regret(); });
    const auto worst = std::ranges::min_element(speedups, {}, &MatrixSpeedup::speedup);
    return SpeedupSummary{.matrices = speedups.size(),
                          .mean_relative = bootstrap(gains(speedups), &mean, options),
                          .mean_relative_with_fallback = bootstrap(with_fallback, &mean, options),
                          .geometric_mean = bootstrap(ratios, &geometric_mean, options),
                          .median = bootstrap(ratios, &median, options),
                          .losing = bootstrap(losses, &mean, options),
                          .regret = bootstrap(distances, less_one(&geometric_mean), options),
                          .worst = worst->speedup(),
                          .worst_matrix = worst->matrix};
}

std::optional<SpeedupComparison> compare_speedups(std::span<const MatrixSpeedup> first,
                                                  std::span<const MatrixSpeedup> second,
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
