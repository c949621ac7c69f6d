// A slow and obvious statement of what a kernel map and a sparse convolution are, to check the fast ones
// against.
#pragma once

#include "base/random.h"
#include "domains/sparse/tensor/pattern.h"
#include "model/convolution/convolution_pyramid.h"

#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace sparsight::testing {

using Coordinate = std::pair<std::int64_t, std::int64_t>;

/// A pattern whose non-zeros are the coordinates.
inline CsrPattern pattern_of(std::int64_t rows, std::int64_t cols, const std::set<Coordinate>& coordinates) {
    CsrPattern pattern{rows, cols, {0}, {}, {}};
    auto at = coordinates.begin();
    for (std::int64_t row = 0; row < rows; ++row) {
        for (; at != coordinates.end() && at->first == row; ++at)
            pattern.column_ids.push_back(static_cast<std::int32_t>(at->second));
        pattern.row_pointers.push_back(pattern.nnz());
    }
    return pattern;
}

/// Each place of the matrix is a non-zero with the given chance.
inline CsrPattern scattered(std::int64_t rows, std::int64_t cols, double density, std::uint64_t seed) {
    Random random(seed);
    std::set<Coordinate> coordinates;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t col = 0; col < cols; ++col)
            if (random.uniform() < density)
                coordinates.emplace(row, col);
    return pattern_of(rows, cols, coordinates);
}

struct NamedPattern {
    const char* name;
    CsrPattern pattern;
};

/// What tends to break such code: nothing, one row or column, corners and borders, extents far from square.
inline std::vector<NamedPattern> awkward_patterns() {
    return {
        {"empty", pattern_of(5, 5, {})},
        {"no rows", pattern_of(0, 0, {})},
        {"one by one", pattern_of(1, 1, {{0, 0}})},
        {"one row", scattered(1, 40, 0.5, 1)},
        {"one column", scattered(40, 1, 0.5, 2)},
        {"corners", pattern_of(9, 8, {{0, 0}, {0, 7}, {8, 0}, {8, 7}})},
        {"full", scattered(12, 13, 1.1, 3)},
        {"wide", scattered(5, 60, 0.4, 4)},
        {"tall", scattered(70, 6, 0.3, 5)},
        {"sparse", scattered(60, 60, 0.02, 6)},
        {"dense", scattered(30, 31, 0.7, 7)},
    };
}

/// The kernel map of one layer over a pattern.
inline std::shared_ptr<const KernelMap> map_of(const CsrPattern& pattern, int kernel_size, int stride,
                                               int threads = 1) {
    auto inputs = std::make_shared<const CoordinateSet>(coordinates_of(pattern, threads));
    auto outputs = std::make_shared<const CoordinateSet>(stride_cells(*inputs, stride, threads));
    return std::make_shared<const KernelMap>(inputs, outputs, kernel_size, stride, threads);
}

} // namespace sparsight::testing
