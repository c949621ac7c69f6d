// Families that are made from how long each row is.
#pragma once

#include "base/random.h"
#include "matrix/pattern.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// Whole numbers next to `lengths` whose sum is the rounded sum of `lengths`: what one row loses by rounding,
/// a later one gets.
std::vector<std::int64_t> round_keeping_sum(std::span<const double> lengths);

/// Row r gets lengths[r] different random columns.
CsrPattern fill_rows(std::span<const std::int64_t> lengths, std::int64_t cols, Random& random,
                     const std::stop_token& stop);

} // namespace sparsight
