// Whether two times differ or are the same within noise: measured times, simulated times, and times that
// were taken in turns. Reports, the command line and the window share these rules.
#pragma once

#include "study/clock.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Whether the difference of two times exceeds both spreads, which are independent errors.
[[nodiscard]] inline bool differ_beyond_noise(double difference_ms, double one_spread_ms,
                                              double other_spread_ms) {
    return std::abs(difference_ms) > std::hypot(one_spread_ms, other_spread_ms);
}

/// How far noise alone may move the logarithm of the ratio of two times: beyond it, they differ beyond noise.
/// 0 for a time of 0.
[[nodiscard]] inline double noise_of_ratio(double one_ms, double one_spread_ms, double other_ms,
                                           double other_spread_ms) {
    const double shorter = std::min(one_ms, other_ms);
    return shorter > 0 ? std::log1p(std::hypot(one_spread_ms, other_spread_ms) / shorter) : 0;
}

/// On an idle computer the times of one configuration spread by a smaller share of their median.
inline constexpr double noisy_above = 0.25;

/// Whether a part of a time is next to nothing beside the whole, as what rounding leaves of the difference of
/// two equal sums. It is printed as 0.
[[nodiscard]] inline bool is_next_to_nothing(double part_ms, double whole_ms) {
    return std::abs(part_ms) <= 1e-9 * whole_ms;
}

/// A time that is longer by less than this share counts as equal: simulated times have far larger errors.
inline constexpr double equal_within = 0.01;

/// Whether a lead (0.1 is 10 %) is too small to count.
[[nodiscard]] inline bool is_equally_fast(double lead) {
    return lead < equal_within;
}

/// One time compared with another.
enum class Verdict {
    Faster,
    WithinNoise,
    Slower,
    NoiseUnknown, ///< nothing is decided: the difference may be noise
};

/// Whether the one time is faster or slower beyond noise that is known.
[[nodiscard]] inline bool is_beyond_noise(Verdict verdict) {
    return verdict == Verdict::Faster || verdict == Verdict::Slower;
}

/// By the time of the other over the own one. Noise alone may move its logarithm by `noise`; absent: unknown.
/// A gain or a loss within it, or below equal_within, is none. Every word and colour of a speedup of an
/// evaluation goes by this rule.
[[nodiscard]] inline Verdict verdict_of(double speedup, std::optional<double> noise) {
    const double apart = std::abs(std::log(speedup));
    if (apart <= noise.value_or(0) || is_equally_fast(std::exp(apart) - 1))
        return Verdict::WithinNoise;
    if (!noise)
        return Verdict::NoiseUnknown;
    return speedup > 1 ? Verdict::Faster : Verdict::Slower;
}

/// A time that a collection took beside the baseline's at that moment. A collection measures one
/// configuration after the other, not in turns.
struct CollectedTime {
    double milliseconds = 0;
    double spread_ms = 0;
    double baseline_ms = 0; ///< at that moment
    double baseline_spread_ms = 0;
    /// Of all times of the baseline in the same collection; absent where only one is known.
    std::optional<double> shortest_baseline_ms{};
    std::optional<double> longest_baseline_ms{};

    [[nodiscard]] double speedup() const { return baseline_ms / milliseconds; }
    /// How far noise alone may move the logarithm of the speedup: by both spreads, and by how far the
    /// baseline's own times in the collection lie from that at this moment, on the side of the speedup. A
    /// schedule that is not faster than the shortest of them may have met a quiet moment, and the baseline a
    /// busy one; one that is not slower than the longest may have met a busy moment.
    [[nodiscard]] double noise() const;
    [[nodiscard]] Verdict verdict() const { return verdict_of(speedup(), noise()); }
};

/// Whether the first of two simulated times is faster by more than that.
[[nodiscard]] inline bool is_faster_simulated(double one_ms, double other_ms) {
    return one_ms < other_ms && !is_equally_fast(other_ms / one_ms - 1);
}

/// The beginning of `order` that is equally fast. The places are in the order of their simulated times;
/// `milliseconds` are by place. Empty where the first has no time.
[[nodiscard]] inline std::span<const std::size_t> equally_fast(std::span<const std::size_t> order,
                                                               std::span<const double> milliseconds) {
    if (order.empty() || !std::isfinite(milliseconds[order.front()]))
        return {};
    const double best = milliseconds[order.front()];
    const auto slower = std::find_if(order.begin() + 1, order.end(), [&](std::size_t each) {
        return !(std::isfinite(milliseconds[each]) && is_equally_fast(milliseconds[each] / best - 1));
    });
    return order.first(static_cast<std::size_t>(slower - order.begin()));
}

/// The time of each turn, above 0; all compared configurations have the same number of turns, at least one.
using TurnTimes = std::span<const double>;

/// A figure is marked as uncertain where half of its 95 % confidence interval is a larger share of it.
inline constexpr double precise_within = 0.06;

/// Half of the 95 % confidence interval of a ratio over so many turns, in standard errors: Student's factor
/// with the turns that the trimmed mean keeps (Tukey and McLaughlin, Sankhyā 1963). 4.3 for 5 turns, 2.3 for
/// 15. At least two turns.
[[nodiscard]] double confidence_factor(std::size_t turns);

struct TurnRatio {
    /// Over the turns, a mean of logarithms without the fifth that is lowest and the fifth that is highest
    /// (one each at least, of three turns or more): below 1 is faster.
    double ratio = 1;
    double spread = 0;                ///< how far those of the turns lie apart (study/measurement.h)
    std::optional<double> error = {}; ///< standard error of the ratio; absent below two turns
    std::size_t turns = 0;

    /// Half of the 95 % confidence interval; absent below two turns.
    [[nodiscard]] std::optional<double> margin() const {
        return error ? std::optional(confidence_factor(turns) * *error) : std::nullopt;
    }
    /// Whether the margin is known and within precise_within. More turns are measured until it is. An error
    /// that is estimated from few turns may be too small by chance: the margin allows for that, so that few
    /// end early by luck.
    [[nodiscard]] bool is_precise() const { return margin() && *margin() <= precise_within * ratio; }
    /// Whether the confidence interval excludes 1: faster or slower beyond noise. False without a margin.
    [[nodiscard]] bool differs() const { return margin() && std::abs(std::log(ratio)) > *margin() / ratio; }
};

/// The ratio of a time to the reference's in the same turn.
[[nodiscard]] TurnRatio ratio_by_turn(TurnTimes times, TurnTimes reference);

/// The fastest of several configurations that were measured in turns (collection/collector.h), compared turn
/// by turn.
///
/// A disturbance of this computer during a turn slows all configurations of the turn down, so the ratio
/// within a turn is compared: what changes a whole turn is in neither the ratio nor its error.
///
/// The shortest of several noisy times is too short, by the luck of the fastest, while the time it is
/// compared with is not: equal configurations would gain (Smith and Winkler, "The Optimizer's Curse",
/// Management Science 52, 2006). So a turn that chose a configuration does not give its time (the double
/// estimator of van Hasselt, "Double Q-learning", NIPS 2010). To waste no turn, each turn gives once the time
/// of what all others chose, as in cross-validation. The remaining error is conservative: where the others
/// chose wrong, the time is that of the wrong configuration, as it would be for a user.
///
/// Where the turns do not agree on the fastest, their times depend on each other: each chose for all others.
/// Their variance is then that of the corrected resampled t-test, 1 / n + 1 / (n - 1) in the place of 1 / n
/// (Nadeau and Bengio, "Inference for the Generalization Error", Machine Learning 52, 2003).
struct FastestByTurn {
    std::size_t place = 0;        ///< the configuration that is fastest over all turns
    TurnRatio told;               ///< its time compared with the reference, by turns that did not choose it
    std::vector<double> ratios{}; ///< the ratio of each turn; `told` is their mean
    bool turns_agree =
        true; ///< all turns chose the same fastest configuration: then the ratios are independent
};

/// At least one contender. A single turn both chooses the configuration and gives its time.
[[nodiscard]] FastestByTurn fastest_by_turn(std::span<const TurnTimes> contenders, TurnTimes reference);

/// The ratios of one configuration to the reference. The turns agree where there was nothing to choose.
struct ToldTurns {
    TurnTimes ratios;
    bool turns_agree = true; ///< FastestByTurn
};

/// The ratio of two such times over the same turns. Unless the turns agree on both, they depend on each other
/// as in FastestByTurn, and the error allows for it.
[[nodiscard]] TurnRatio ratio_of_told(ToldTurns told, ToldTurns against);

/// A simulated time that differs from the known one by a smaller factor is as near as a simulation gets.
inline constexpr double far_off_factor = 1.5;

/// Whether a simulated time is far off a known one: by more than that factor, and by more than two standard
/// deviations of both. Half of the simulator's times lie within `simulation_error`, a share
/// (machine/machine_description.h); the spread counts as two standard deviations of the known time.
[[nodiscard]] bool is_far_off(double simulated_ms, double known_ms, double spread_ms,
                              double simulation_error);

/// "The simulation of fixed CSR takes 4.68 ms; the recorded time is 2.41 ms. …" Empty where it is not far
/// off, or where no time is known. `clock` says how the time is known: "measured", "recorded". A time in
/// turns, where the reader sees one too, is named beside the collected one.
[[nodiscard]] std::string far_off_text(double simulated_ms, double simulation_error, const ClockTime& known,
                                       std::string_view clock, std::string_view configuration,
                                       std::optional<double> in_turns_ms = std::nullopt);

/// A simulated time and the known one of the same configuration.
struct SimulatedAndKnown {
    double simulated_ms = 0;
    double known_ms = 0;
    double spread_ms = 0; ///< of the known one
};

/// The factor between both in the median of many, whatever its direction. Absent where it is not far off by
/// the rule of is_far_off(), and where there are none.
[[nodiscard]] std::optional<double> far_off_in_median(std::span<const SimulatedAndKnown> times,
                                                      double simulation_error);

/// A disagreement between a measurement and the simulator: times of the explained configuration over those of
/// the other one. disagreement_beyond_noise() (evaluation/failures/failure_case.h) finds it.
struct Disagreement {
    double measured_factor = 1;
    double simulated_factor = 1;

    /// The factor between them: the larger of both over the smaller.
    [[nodiscard]] double apart() const;
    bool operator==(const Disagreement&) const = default;
};

/// "Measured, it takes 1.26 times as long as the baseline; simulated on AMD EPYC, 0.93 times: the two
/// disagree by a factor of 1.35, so do not trust the simulated parts here. …", and what to do about it.
/// `known` is how the time is known, "Measured" or "Recorded"; `can_be_measured` where --measured would ask
/// this computer.
[[nodiscard]] std::string to_text(const Disagreement& disagreement, std::string_view known,
                                  std::string_view against, std::string_view machine, bool can_be_measured);

} // namespace sparsight
