// Whether two measured times differ, or may be the same but for the noise: the one rule of the reports and of
// the window.
#pragma once

#include "domains/sparse/simulator/schedule_ranking.h"
#include "store/runtimes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

namespace sparsight {

/// By more than the spreads of both together.
[[nodiscard]] inline bool differ_beyond_noise(double difference_ms, double both_spreads_ms) {
    return std::abs(difference_ms) > both_spreads_ms;
}

/// By more than the two spreads together. Without both times there is nothing that differs.
[[nodiscard]] inline bool differ_beyond_noise(const ResultRow& a, const ResultRow& b) {
    if (!a.median_ms || !b.median_ms)
        return false;
    return differ_beyond_noise(*a.median_ms - *b.median_ms,
                               a.spread_ms.value_or(0) + b.spread_ms.value_or(0));
}

// Which schedules of a ranking are equally fast as far as a simulation can tell: the one rule of the command
// line and of the window.

/// What takes less than this much longer is not slower: simulated times are off by far more.
inline constexpr double equal_within = 0.01;

/// Of a lead as Ranking::lead() and WinnerCell have it: 0.1 is 10 %.
[[nodiscard]] inline bool is_equally_fast(double lead) {
    return lead < equal_within;
}

/// Of two simulated times: whether the one is faster by more than that.
[[nodiscard]] inline bool is_faster_simulated(double one_ms, double other_ms) {
    return one_ms < other_ms && !is_equally_fast(other_ms / one_ms - 1);
}

/// The first places of Ranking::order: the winner and all that are equally fast. Empty where none has a time.
[[nodiscard]] inline std::span<const std::size_t> equally_fast(const Ranking& ranking) {
    const auto winner = ranking.winner();
    if (!winner)
        return {};
    const double best = ranking.milliseconds[*winner];
    const auto slower = std::ranges::find_if(ranking.order, [&](std::size_t each) {
        const double milliseconds = ranking.milliseconds[each];
        return each != *winner && !(std::isfinite(milliseconds) && is_equally_fast(milliseconds / best - 1));
    });
    return std::span(ranking.order).first(static_cast<std::size_t>(slower - ranking.order.begin()));
}

// Times that were taken in turns (collection/rematch.h), compared turn by turn.
//
// What slows this computer down during a turn slows all schedules of it down, so that it is the ratio within
// a turn that tells them apart: what moves all of a turn is in neither the ratio nor its error.
//
// The shortest of several noisy times is too short, by the luck of the fastest, while the one that it is held
// against is not: equal schedules would gain (Smith and Winkler, "The Optimizer's Curse", Management Science
// 52, 2006). So no turn that chose a schedule tells its time (the double estimator of van Hasselt, "Double
// Q-learning", NIPS 2010), and to lose no turn by that, each tells once what all others chose, as in
// cross-validation. What is left is on the other side: where the others chose wrong, the time is that of the
// wrong one, as it would be for a user.

/// The time of each turn; of all that are compared the same number, at least one, above 0.
using TurnTimes = std::span<const double>;

struct TurnRatio {
    double ratio = 1; ///< median over the turns: below 1 is faster
    double spread =
        0; ///< how far those of the turns lie apart (domains/sparse/kernel/measurement/measurement.h)
    std::optional<double> error = {}; ///< standard error of the ratio; absent below two turns
};

/// Of a time to the reference's in the same turn.
[[nodiscard]] TurnRatio ratio_by_turn(TurnTimes times, TurnTimes reference);

struct FastestByTurn {
    std::size_t place = 0; ///< of the one that all turns together call the fastest
    TurnRatio told;        ///< to the reference, by turns that did not choose
};

/// At least one contender. With a single turn, that one chooses and tells: nothing else can.
[[nodiscard]] FastestByTurn fastest_by_turn(std::span<const TurnTimes> contenders, TurnTimes reference);

} // namespace sparsight
