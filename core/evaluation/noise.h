// Whether two measured times differ, or may be the same but for the noise: the one rule of the reports and of
// the window.
#pragma once

#include "store/results.h"

#include <cmath>

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

} // namespace sparsight
