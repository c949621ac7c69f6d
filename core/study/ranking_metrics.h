// How well scores put schedules in the order of their runtimes: pair counts, Kendall's τ-b, pair accuracy,
// regret. A lower score means "faster". Runtimes are milliseconds; infinity is a failed run: slower than
// every run that succeeded, and tied with other failures. No number is NaN.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace sparsight {

/// What is known of the times of one workload's configurations, in milliseconds: one of each list for each
/// configuration. A list that is not known is empty.
struct RankedTimes {
    std::span<const double> milliseconds; ///< infinite where the run failed or was given up
    std::span<const double> spreads{};    ///< of each median; what did not run has none
    /// How long a run went that was given up (it is slower than that, nobody knows how much); 0 of all
    /// others.
    std::span<const double> waits{};

    /// Whether `one` is known to be slower than `other`: by more than the noise of both, as independent
    /// errors. A failure is slower than all that ran; what was given up is slower than what needs less than
    /// it waited. Two of these are not compared. This is the one rule of losses and metrics.
    [[nodiscard]] bool is_slower(std::size_t one, std::size_t other) const;
    /// The same times as if they had no noise.
    [[nodiscard]] RankedTimes without_noise() const { return {milliseconds, {}, waits}; }
};

/// All n (n − 1) / 2 pairs, each in one of five classes.
struct PairCounts {
    std::int64_t concordant = 0;    ///< scores and runtimes differ, in the same direction
    std::int64_t discordant = 0;    ///< … in opposite directions
    std::int64_t tied_scores = 0;   ///< only the scores are equal
    std::int64_t tied_runtimes = 0; ///< only the runtimes are equal
    std::int64_t tied_both = 0;

    PairCounts& operator+=(const PairCounts& other);
    bool operator==(const PairCounts&) const = default;
};

/// Counts pairs in O(n log n) (Knight: A computer method for calculating Kendall's tau with ungrouped data,
/// JASA 1966). Both series have the same size and no NaN.
[[nodiscard]] PairCounts count_pairs(std::span<const float> scores, std::span<const double> runtimes);
[[nodiscard]] PairCounts count_pairs(std::span<const double> scores, std::span<const double> runtimes);

/// The same where not every order is known: a pair of which neither is known to be slower counts as equal in
/// runtimes. In O(n²), unless there are neither spreads nor waits.
[[nodiscard]] PairCounts count_pairs(std::span<const float> scores, const RankedTimes& times);
[[nodiscard]] PairCounts count_pairs(std::span<const double> scores, const RankedTimes& times);

/// (C − D) / √((C + D + Tx) (C + D + Ty)) (Kendall: The treatment of ties in ranking problems, Biometrika
/// 1945): 1 where both have the same order, −1 where they have opposite orders. Absent where all scores or
/// all runtimes are equal.
[[nodiscard]] std::optional<double> kendall_tau_b(const PairCounts& pairs);

/// Share of the pairs with different runtimes that the scores order correctly; equal scores count half, as a
/// guess would. ½ is chance. Absent where all runtimes are equal. Counts add up over workloads.
[[nodiscard]] std::optional<double> ordered_pair_accuracy(const PairCounts& pairs);

/// The mean of value(milliseconds of the fastest of the k schedules with the lowest scores) over random
/// choices among equal scores that compete for the last places. k ≥ 1; at least one schedule.
[[nodiscard]] double mean_of_top(std::span<const float> scores, std::span<const double> runtimes,
                                 std::size_t k, const std::function<double(double milliseconds)>& value);

/// How many of the best by a score are measured: the answer is the fastest of them.
inline constexpr std::array<std::size_t, 3> top_counts{1, 5, 20};

template <typename Value>
using PerTopCount = std::array<Value, top_counts.size()>;

/// How well scores rank the configurations of one workload: the one evaluator of networks, trees, simulators
/// and blends. Where several workloads are summed up, it is by means over them, so that each counts the same.
/// Absent is what these times can't tell.
struct RankingQuality {
    PairCounts pairs; ///< of all whose order is known, noise or not (RankedTimes::without_noise())
    std::optional<double> ordered_pairs;              ///< ordered_pair_accuracy() of these
    std::optional<double> ordered_pairs_beyond_noise; ///< of those that differ by more than their noise
    std::optional<double> kendall_tau;
    // Among the quarter that was measured fastest, at least four, without those that did not run:
    std::optional<double> best_quarter_pairs;
    std::optional<double> best_quarter_tau;
};

[[nodiscard]] RankingQuality ranking_quality(std::span<const float> scores, const RankedTimes& times);
[[nodiscard]] RankingQuality ranking_quality(std::span<const double> scores, const RankedTimes& times);

/// How much slower the fastest of the k schedules with the lowest scores is than the fastest of all: 0 when
/// they are the same, 0.5 when it takes 50 % longer. Where equal scores compete, it is the mean, as above. k
/// ≥ 1. Absent without a finite runtime; infinite when only failed runs may be chosen.
[[nodiscard]] std::optional<double> top_k_regret(std::span<const float> scores,
                                                 std::span<const double> runtimes, std::size_t k);

} // namespace sparsight
