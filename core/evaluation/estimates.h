// Estimates over workloads: intervals, and the speedups that models' choices gain over the baseline. An
// interval says how far a figure would move had other workloads of the same kind been drawn, and had their
// turns been measured again.
//
// The standard error is that of a bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993,
// chapter 6). It draws whole families, since forms of one workload tell little more than one of them, and
// each value about its told one by the error of its turns. The told values scatter by that error already, so
// they are drawn together before by as much: otherwise it would count twice (Silverman and Young, "The
// bootstrap: to smooth or not to smooth?", Biometrika 74, 1987). Few families tell their own scatter badly,
// which Student's t allows for, and figures of ratios are skewed, so their intervals are symmetric in the
// logarithm. Of 5 to 30 families of lognormal speedups (σ 0.3 to 0.8) 90 to 97 % of the intervals of their
// mean have the truth in it. Of percentile intervals, bias-corrected and accelerated or not, it was 75 to
// 93 %.
#pragma once

#include "evaluation/time_differences.h"

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

/// Two families have a spread, but with a single degree of freedom Student's t makes it thirteen times as
/// wide as its error: such an interval says nothing of the figure.
inline constexpr std::size_t fewest_families = 3;

struct Estimate {
    double value = 0;                 ///< over the original sample
    std::optional<Interval> interval; ///< 95 %; absent below fewest_families
    bool operator==(const Estimate&) const = default;
};

struct BootstrapOptions {
    int resamples = 10'000;
    std::uint64_t seed = 1;
};
inline constexpr double interval_confidence = 0.95;

/// A statistic of at least one value.
using SampleStatistic = std::function<double(std::span<const double>)>;

[[nodiscard]] double mean(std::span<const double> values);
/// The geometric mean of values above 0.
[[nodiscard]] double geometric_mean(std::span<const double> values);
[[nodiscard]] double median(std::span<const double> values);

/// The value of one workload.
struct SampledValue {
    double value = 0;
    double error = 0;       ///< standard error from turn to turn; of a ratio its share; 0: none or unknown
    std::size_t family = 0; ///< equal for forms of one workload
};

/// Where an interval is symmetric: ratios, which are above 0, in their logarithm.
enum class Scale { Plain, Ratio };

/// At least one value. The same families and options draw the same resamples.
[[nodiscard]] Estimate estimate_by_family(std::span<const SampledValue> values,
                                          const SampleStatistic& statistic, Scale scale,
                                          const BootstrapOptions& options = {});

/// Likewise on the plain scale, where each value is a family of its own, without an error.
[[nodiscard]] Estimate bootstrap(std::span<const double> values, const SampleStatistic& statistic,
                                 const BootstrapOptions& options = {});

/// A value of one family under one seed, such as a model that was trained from it and tested there.
struct CrossedValue {
    double value = 0;
    std::optional<std::size_t> family{}; ///< absent in all values where families are not told apart
    std::size_t seed = 0;
};

/// The mean, with an interval over other seeds and other families: values that share one of both depend on
/// each other, so the variance is that of means of clusters, by families plus by seeds less that of single
/// values (Cameron, Gelbach and Miller, "Robust inference with multiway clustering", JBES 29, 2011), and no
/// less than either of both. Student's t is that of the fewer, and there is no interval where these are below
/// fewest_families: seeds on one or two families say nothing of others. Values without families are seen over
/// seeds alone. At least one value.
[[nodiscard]] Estimate estimate_crossed(std::span<const CrossedValue> values);

/// One workload under one model. Milliseconds, above 0.
struct WorkloadSpeedup {
    std::string workload;
    double baseline_ms = 0;
    double best_ms = 0;       ///< the fastest of the k that the model chose
    double best_known_ms = 0; ///< the fastest of all that were ever measured in this setting
    /// The time of the faster of the model's best and the baseline, by measurements that did not choose it;
    /// absent: the shorter time.
    std::optional<double> with_fallback_ms{};
    std::string family{};     ///< equal for forms of one workload; empty: a family of its own
    double speedup_error = 0; ///< standard error from turn to turn, as a share of it; 0: unknown
    double regret_error = 0;  ///< likewise of best_ms / best_known_ms
    /// How far noise alone may move the logarithm of the speedup; absent: unknown.
    std::optional<double> noise{};

    [[nodiscard]] double speedup() const { return baseline_ms / best_ms; }
    /// The speedup for a user who falls back on the baseline where nothing chosen is faster.
    [[nodiscard]] double speedup_with_fallback() const {
        return with_fallback_ms ? baseline_ms / *with_fallback_ms : std::max(speedup(), 1.0);
    }
    /// Compared with the baseline. Gains and losses within noise are neither (time_differences.h).
    [[nodiscard]] Verdict verdict() const { return verdict_of(speedup(), noise); }
    [[nodiscard]] bool is_slower() const { return verdict() == Verdict::Slower; }
    [[nodiscard]] bool is_loss_within_noise() const {
        return speedup() < 1 && verdict() == Verdict::WithinNoise;
    }
    [[nodiscard]] bool is_loss_of_unknown_noise() const {
        return speedup() < 1 && verdict() == Verdict::NoiseUnknown;
    }
    /// How much slower the model's best is than the best known: 0.03 for 3 %. Below 0 only by noise, where
    /// both times come from measurements that did not choose them.
    [[nodiscard]] double regret() const { return best_ms / best_known_ms - 1; }
    bool operator==(const WorkloadSpeedup&) const = default;
};

struct SpeedupSummary {
    std::size_t workloads = 0;
    std::size_t families = 0; ///< of them: intervals are over these
    /// Mean of speedup − 1: the figure of the meta-learning report, 0.196 for its 19.6 %.
    Estimate mean_relative;
    /// The same for a user who falls back on the baseline where nothing chosen is faster.
    Estimate mean_relative_with_fallback;
    Estimate geometric_mean; ///< of the speedups
    Estimate median;         ///< of the speedups
    /// Share of the workloads on which the choice is slower than the baseline beyond noise
    /// (WorkloadSpeedup::is_slower()); its interval is Wilson's
    /// (study/student.h) of as many draws as there are families. Absent where the noise of a loss is unknown.
    std::optional<Estimate> losing;
    std::size_t slower = 0;        ///< number of these
    std::size_t within_noise = 0;  ///< further workloads with a loss that may be noise
    std::size_t noise_unknown = 0; ///< further workloads with a loss whose noise is unknown
    Estimate regret;               ///< geometric mean of the distance from the best known, less 1
    double worst = 0;              ///< the lowest speedup
    std::string worst_workload;
};

/// Absent without workloads.
[[nodiscard]] std::optional<SpeedupSummary> summarise_speedups(std::span<const WorkloadSpeedup> speedups,
                                                               const BootstrapOptions& options = {});

struct SpeedupComparison {
    Estimate mean_relative_difference; ///< of the first model over the second
    Estimate geometric_ratio;          ///< geometric mean of the second's best time over the first's
    int first_faster = 0;              ///< workloads where its best time is shorter beyond noise
    int second_faster = 0;
    int within_noise = 0;  ///< further workloads whose times differ by no more than noise
    int noise_unknown = 0; ///< further workloads whose times differ, by unknown noise
};

/// What is known of the noise in the second's best time over the first's.
struct RatioNoise {
    double error = 0;              ///< standard error, as a share of the ratio; 0: unknown
    std::optional<double> noise{}; ///< how far noise alone may move its logarithm; absent: unknown
};

/// Two models on the same workloads, in the same order. `ratio_noise` is likewise in this order; empty:
/// unknown. A difference within noise or below equal_within (time_differences.h) is no lead. Absent without
/// workloads.
[[nodiscard]] std::optional<SpeedupComparison> compare_speedups(std::span<const WorkloadSpeedup> first,
                                                                std::span<const WorkloadSpeedup> second,
                                                                const BootstrapOptions& options = {},
                                                                std::span<const RatioNoise> ratio_noise = {});

} // namespace sparsight
