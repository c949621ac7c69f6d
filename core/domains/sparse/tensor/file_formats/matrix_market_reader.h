// Reading Matrix Market files, coordinate and array, of every field and symmetry.
#pragma once

#include "base/error.h"
#include "base/reading/byte_source.h"
#include "domains/sparse/tensor/matrix_files.h"

#include <cstdint>
#include <utility>

namespace sparsight {

/// The positions of the values of a Matrix Market array: column by column, in a symmetric matrix from the
/// diagonal down, in a skew-symmetric one from below it.
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

/// Reads a Matrix Market text. A stored triangle is expanded to the whole matrix. Only the real part of
/// complex entries is kept, and an entry is an explicit zero only when both parts are 0; under
/// hermitian and skew-symmetric the mirrored value is the conjugate's and the negated one's real part. Values
/// become float32, correctly rounded. Zeros of an array are not entries; zeros of a coordinate file are.
///
/// Memory: the text is not kept; coordinates (12 bytes an entry, 8 without values) and the result are held at
/// once. Threads parse blocks of lines; results, reports and errors do not depend on their number. The error
/// is the first one in the file, with its line.
[[nodiscard]] Result<LoadedMatrix> read_matrix_market(ByteSource& source, const ReadOptions& options);

} // namespace sparsight
