// How well scores put schedules in the order of their runtimes. A lower score means "faster". Runtimes are
// milliseconds; infinity is a run that failed: slower than everything that ran, and no faster or slower than
// another failure. No number is NaN.
#pragma once

#include "base/pair_counts.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

namespace sparsight {

/// Share of the pairs with different runtimes that the scores order rightly; equal scores count half, as a
/// guess would. ½ is chance. Absent where no two runtimes differ. Counts add up over matrices.
[[nodiscard]] std::optional<double> ordered_pair_accuracy(const PairCounts& pairs);

/// The mean of value(milliseconds of the fastest of the k schedules with the lowest scores) over random
/// choices among equal scores that compete for the last places. k ≥ 1; at least one schedule.
[[nodiscard]] double mean_of_top(std::span<const float> scores, std::span<const double> runtimes,
                                 std::size_t k, const std::function<double(double milliseconds)>& value);

/// How much slower than the fastest of all the fastest of the k with the lowest scores is: 0 when it is among
/// them, 0.5 when 50 % are lost. The mean where equal scores compete, as above. k ≥ 1. Absent without a
/// finite runtime; infinite when only failures may be chosen.
[[nodiscard]] std::optional<double> top_k_regret(std::span<const float> scores,
                                                 std::span<const double> runtimes, std::size_t k);

} // namespace sparsight
