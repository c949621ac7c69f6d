// What a matrix file was and what reading it did to its entries.
#pragma once

#include <cstdint>
#include <string_view>

namespace sparsight {

enum class MatrixFileFormat { MatrixMarketCoordinate, MatrixMarketArray, WacoCsr, DlmcSmtx };
enum class ValueField { Real, Integer, UnsignedInteger, Complex, Pattern };
enum class MatrixSymmetry { General, Symmetric, SkewSymmetric, Hermitian };

/// As the formats spell them: "Matrix Market coordinate", "unsigned-integer", "skew-symmetric" …
[[nodiscard]] std::string_view to_text(MatrixFileFormat format);
[[nodiscard]] std::string_view to_text(ValueField field);
[[nodiscard]] std::string_view to_text(MatrixSymmetry symmetry);

/// Counts of entries are those of the file, before symmetry is expanded: what one finds when looking into it.
struct ReadReport {
    MatrixFileFormat format = MatrixFileFormat::MatrixMarketCoordinate;
    ValueField field = ValueField::Real;
    MatrixSymmetry symmetry = MatrixSymmetry::General;
    std::int64_t stored_entries = 0; ///< in the file; for an array all its values
    /// Stored entries whose position was there before; their values were added to it.
    std::int64_t duplicates_merged = 0;
    /// Stored entries that are written as zero (a complex one: in both parts) and kept as entries.
    std::int64_t explicit_zeros = 0;
    /// Zeros of an array file: it has no way to leave them out, so they are not entries of the pattern.
    std::int64_t array_zeros_dropped = 0;
    /// Stored values that are nan or infinite as float32, be it because they are too large for it.
    std::int64_t not_finite = 0;
    bool operator==(const ReadReport&) const = default;
};

} // namespace sparsight
