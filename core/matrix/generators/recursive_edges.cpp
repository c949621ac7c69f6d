#include "matrix/generators/recursive_edges.h"

#include "matrix/generators/stopping.h"

#include <cmath>

namespace sparsight {

namespace {

constexpr std::size_t edges_at_once = 1 << 16; ///< between two looks whether it was stopped

} // namespace

CooPattern place_edges(const QuadrantWeights& weights, int levels, std::int64_t edges, Random& random,
                       const std::stop_token& stop) {
    // Each level uses 32 random bits: a draw below `first` is upper left, below `second` upper right, …
    const double total = weights.upper_left + weights.upper_right + weights.lower_left + weights.lower_right;
    const auto threshold = [&](double weight) {
        return static_cast<std::uint64_t>(std::llround(weight / total * 0x1p32));
    };
    const std::uint64_t first = threshold(weights.upper_left);
    const std::uint64_t second = threshold(weights.upper_left + weights.upper_right);
    const std::uint64_t third = threshold(total - weights.lower_right);

    CooPattern result;
    result.rows = result.cols = std::int64_t{1} << levels;
    result.row_ids.resize(static_cast<std::size_t>(edges));
    result.column_ids.resize(static_cast<std::size_t>(edges));
    for (std::size_t edge = 0; edge < static_cast<std::size_t>(edges); ++edge) {
        if (edge % edges_at_once == 0)
            end_if_stopped(stop);
        std::uint32_t row = 0;
        std::uint32_t col = 0;
        std::uint64_t bits = 0;
        for (int level = 0; level < levels; ++level) {
            bits = level % 2 == 0 ? random() : bits >> 32;
            const std::uint64_t draw = bits & 0xffffffffU;
            // Branch-free: the processor cannot predict these.
            const std::uint32_t quadrant = static_cast<std::uint32_t>(draw >= first) +
                                           static_cast<std::uint32_t>(draw >= second) +
                                           static_cast<std::uint32_t>(draw >= third);
            row = row << 1 | quadrant >> 1;
            col = col << 1 | (quadrant & 1);
        }
        result.row_ids[edge] = static_cast<std::int32_t>(row);
        result.column_ids[edge] = static_cast<std::int32_t>(col);
    }
    return result;
}

} // namespace sparsight
