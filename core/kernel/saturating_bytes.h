// Sizes of formats that explode: a number that would not fit is the largest that does.
#pragma once

#include <cstdint>
#include <limits>

namespace sparsight {

[[nodiscard]] inline std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}

/// Of an array of 4-byte elements. Positions that did not fit an int64_t arrive as its largest value; as
/// bytes they do not fit either.
[[nodiscard]] inline std::uint64_t array_bytes(std::uint64_t elements) {
    std::uint64_t bytes = 0;
    return __builtin_mul_overflow(elements, std::uint64_t{4}, &bytes)
               ? std::numeric_limits<std::uint64_t>::max()
               : bytes;
}

} // namespace sparsight
