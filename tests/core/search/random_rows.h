// Points for tests of the graph.
#pragma once

#include "base/random.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sparsight::testing {

/// Standard normal numbers.
inline std::vector<float> random_rows(std::size_t count, std::size_t width, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> rows(count * width);
    for (float& number : rows)
        number = static_cast<float>(random.normal());
    return rows;
}

} // namespace sparsight::testing
