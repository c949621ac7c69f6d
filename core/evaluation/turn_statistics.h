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
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace sparsight {

/// The time of each turn; of all that are compared the same number, at least one, above 0.
using TurnTimes = std::span<const double>;

struct TurnRatio {
    double ratio = 1;                 ///< median over the turns: below 1 is faster
    double spread = 0;                ///< how far those of the turns lie apart (kernel/timing.h)
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
