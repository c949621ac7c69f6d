// What those lose that measure only the best schedules by a score.
#pragma once

#include "learning/blend_direction.h"

#include <array>
#include <span>

namespace sparsight {

/// By judged_picks: how much slower than the fastest of all the fastest of so many of the best is. Where none
/// of them ran, the slowest that ran counts in their place.
struct PicksLoss {
    std::array<double, judged_picks.size()> regret{};

    [[nodiscard]] double mean() const;
    bool operator==(const PicksLoss&) const = default;
};

/// `scores` are lower for what is taken for faster, `milliseconds` infinite where a schedule failed; nothing
/// is lost where none ran.
[[nodiscard]] PicksLoss picks_loss(std::span<const double> scores, std::span<const double> milliseconds);

} // namespace sparsight
