// Where the values of a Matrix Market array stand.
#pragma once

#include "matrix/read_report.h"

#include <cstdint>
#include <utility>

namespace sparsight {

/// Column by column; of a symmetric matrix from the diagonal down, of a skew-symmetric one from below it.
class ArrayWalk {
public:
    ArrayWalk(std::int64_t rows, MatrixSymmetry symmetry)
        : rows_(rows)
        , is_triangle_(symmetry != MatrixSymmetry::General)
        , diagonal_gap_(symmetry == MatrixSymmetry::SkewSymmetric ? 1 : 0) {}

    /// Row and column of the value number `place`; places must be asked for in ascending order.
    std::pair<std::int32_t, std::int32_t> at(std::int64_t place) {
        while (place - column_start_ >= column_length()) {
            column_start_ += column_length();
            ++column_;
        }
        return {static_cast<std::int32_t>(first_row() + place - column_start_),
                static_cast<std::int32_t>(column_)};
    }

private:
    std::int64_t first_row() const { return is_triangle_ ? column_ + diagonal_gap_ : 0; }
    std::int64_t column_length() const { return rows_ - first_row(); }

    std::int64_t rows_;
    bool is_triangle_;
    std::int64_t diagonal_gap_;
    std::int64_t column_ = 0;
    std::int64_t column_start_ = 0;
};

} // namespace sparsight
