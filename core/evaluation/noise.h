// Whether two measured times differ, or may be the same but for the noise: the one rule of the reports and of
// the window.
#pragma once

#include "store/results.h"

#include <cmath>

namespace sparsight {

/// By more than the two spreads together. Without both times there is nothing that differs.
[[nodiscard]] inline bool differ_beyond_noise(const ResultRow& a, const ResultRow& b) {
    if (!a.median_ms || !b.median_ms)
        return false;
    return std::abs(*a.median_ms - *b.median_ms) > a.spread_ms.value_or(0) + b.spread_ms.value_or(0);
}

} // namespace sparsight
