// Estimates over workloads: bootstrap intervals, and the speedups that models' choices gain over the
// baseline. An interval says how far a figure would move had other workloads of the same kind been drawn:
// percentile intervals of the bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993,
// chapter 13).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

struct Interval {
    double low = 0;
    double high = 0;

    [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
    bool operator==(const Interval&) const = default;
};

struct Estimate {
    double value = 0;                 ///< over the original sample
    std::optional<Interval> interval; ///< absent below two values, which have no spread
    bool operator==(const Estimate&) const = default;
};

struct BootstrapOptions {
    int resamples = 10'000;
    double confidence = 0.95;
    std::uint64_t seed = 1;
};

/// A statistic of at least one value.
using SampleStatistic = std::function<double(std::span<const double>)>;

[[nodiscard]] double mean(std::span<const double> values);
/// The geometric mean of values above 0.
[[nodiscard]] double geometric_mean(std::span<const double> values);
[[nodiscard]] double median(std::span<const double> values);

/// Draws the same resamples for the same number of values and options, so two series over the same workloads
/// are resampled as pairs.
[[nodiscard]] Estimate bootstrap(std::span<const double> values, const SampleStatistic& statistic,
                                 const BootstrapOptions& options = {});

/// The statistic of `first` less that of `second`, where the values at one place belong together: a common
/// effect, such as a workload that is hard for every model, does not widen the interval.
[[nodiscard]] Estimate paired_difference(std::span<const double> first, std::span<const double> second,
                                         const SampleStatistic& statistic,
                                         const BootstrapOptions& options = {});

/// One workload under one model. Milliseconds, above 0.
struct WorkloadSpeedup {
    std::string workload;
    double baseline_ms = 0;
    double best_ms = 0;       ///< the fastest of the k that the model chose
    double best_known_ms = 0; ///< the fastest of all that were ever measured in this setting
    /// The time of the faster of the model's best and the baseline, by measurements that did not choose it;
    /// absent: the shorter time.
    std::optional<double> with_fallback_ms{};

    [[nodiscard]] double speedup() const { return baseline_ms / best_ms; }
    /// The speedup for a user who falls back on the baseline where nothing chosen is faster.
    [[nodiscard]] double speedup_with_fallback() const {
        return with_fallback_ms ? baseline_ms / *with_fallback_ms : std::max(speedup(), 1.0);
    }
    /// How much slower the model's best is than the best known: 0.03 for 3 %. Below 0 only by noise, where
    /// both times come from measurements that did not choose them.
    [[nodiscard]] double regret() const { return best_ms / best_known_ms - 1; }
    bool operator==(const WorkloadSpeedup&) const = default;
};

struct SpeedupSummary {
    std::size_t workloads = 0;
    /// Mean of speedup − 1: the figure of the meta-learning report, 0.196 for its 19.6 %.
    Estimate mean_relative;
    /// The same for a user who falls back on the baseline where nothing chosen is faster.
    Estimate mean_relative_with_fallback;
    Estimate geometric_mean; ///< of the speedups
    Estimate median;         ///< of the speedups
    Estimate losing;         ///< share of the workloads on which the choice is slower than the baseline
    Estimate regret;         ///< geometric mean of the distance from the best known, less 1
    double worst = 0;        ///< the lowest speedup
    std::string worst_workload;
};

/// Absent without workloads.
[[nodiscard]] std::optional<SpeedupSummary> summarise_speedups(std::span<const WorkloadSpeedup> speedups,
                                                               const BootstrapOptions& options = {});

struct SpeedupComparison {
    Estimate mean_relative_difference; ///< of the first model over the second
    Estimate geometric_ratio;          ///< geometric mean of the second's best time over the first's
    int first_faster = 0;              ///< workloads
    int second_faster = 0;
};

/// Two models on the same workloads, in the same order. Absent without workloads.
[[nodiscard]] std::optional<SpeedupComparison> compare_speedups(std::span<const WorkloadSpeedup> first,
                                                                std::span<const WorkloadSpeedup> second,
                                                                const BootstrapOptions& options = {});

} // namespace sparsight
