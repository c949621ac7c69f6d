// Which schedules of a ranking are equally fast as far as a simulation can tell: the one rule of the command
// line and of the window.
#pragma once

#include "machine/what_if/ranking.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sparsight {

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

} // namespace sparsight
