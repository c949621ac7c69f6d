// How a SuperSchedule stores A: the levels of the format, outermost first, and the matrix packed into them.
// The level order is the loop order restricted to A's indices, so that every traversal is concordant.
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/distinct_coordinates.h"
#include "domains/sparse/tensor/higher_order/sparse_tensor.h"
#include "domains/sparse/tensor/pattern.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// One level of the coordinate tree. With x the row (or column, or what else A has along this mode) of an
/// entry and s its split, the coordinate of an outer level is x / s and that of an inner level is x mod s.
struct StorageLevel {
    LoopIndex loop;
    std::size_t mode = 0;   ///< of A: its rows, its columns …
    std::int64_t split = 1; ///< s; 1 when the index is not split, and then only the outer level exists
    std::int64_t extent =
        0; ///< coordinates are in [0, extent): ⌈n / s⌉ for an outer level, s for an inner one
    LevelFormat format = LevelFormat::Uncompressed;
    [[nodiscard]] bool is_row() const { return mode == 0; }
    bool operator==(const StorageLevel&) const = default;
};

struct StorageFormat {
    SmallArray<std::int64_t, most_order> sizes; ///< of A's modes
    std::vector<StorageLevel> levels;
    [[nodiscard]] std::int64_t rows() const { return sizes[0]; }
    [[nodiscard]] std::int64_t cols() const { return sizes[1]; }
    bool operator==(const StorageFormat&) const = default;
};

[[nodiscard]] StorageFormat storage_format(const SuperSchedule& schedule, const Extents& extents);
/// Of an operator on a matrix.
[[nodiscard]] StorageFormat storage_format(const SuperSchedule& schedule, std::int64_t rows,
                                           std::int64_t cols);

/// "i1:U(4096) k1:C(8192)", for messages and the window.
[[nodiscard]] std::string describe(const StorageFormat& format);

/// Every position of a level stands for one subtree; the root is the only position above the first level.
/// Uncompressed: position = parent · extent + coordinate, and pos and crd are empty.
/// Compressed: the children of parent p are the positions pos[p] … pos[p + 1] − 1, crd[position] is the
/// coordinate, ascending under each parent; pos has one entry more than there are parents.
struct PackedLevel {
    IndexBuffer pos;
    IndexBuffer crd;
    std::int64_t positions = 0;
    bool operator==(const PackedLevel&) const = default;
};

/// A sparse matrix stored in the level formats of a schedule: a coordinate tree, level by level (Chou,
/// Kjolstad, Amarasinghe, "Format abstraction for sparse tensor algebra compilers", OOPSLA 2018).
struct PackedMatrix {
    StorageFormat format;
    std::vector<PackedLevel> levels; ///< as many as the format has
    FloatBuffer values;              ///< one for each position of the last level; 0 where no entry is stored
    std::int64_t nnz = 0;            ///< entries of the pattern, padding left out
    IndexBuffer entry_positions;     ///< where in values each entry is, in CSR order; only when asked for

    /// The size of pos, crd and values: what a kernel may have to read.
    [[nodiscard]] std::uint64_t bytes() const;
};

[[nodiscard]] inline std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}

/// The size of an array of 4-byte elements. Positions that did not fit an int64_t arrive as its largest
/// value; as bytes they do not fit either.
[[nodiscard]] inline std::uint64_t array_bytes(std::uint64_t elements) {
    std::uint64_t bytes = 0;
    return __builtin_mul_overflow(elements, std::uint64_t{4}, &bytes)
               ? std::numeric_limits<std::uint64_t>::max()
               : bytes;
}

/// A number that would not fit is given as the largest that does.
struct StorageSize {
    std::vector<std::int64_t> positions; ///< of each level
    std::uint64_t bytes = 0;             ///< pos + crd + values, as PackedMatrix::bytes()
    bool operator==(const StorageSize&) const = default;
};

/// The limit is max_ratio_to_fixed times what fixed CSR (of a tensor of higher order: fixed CSF) takes, but
/// at least ratio_floor (a small matrix may grow freely) and at most max_bytes.
struct PackingLimits {
    std::uint64_t max_bytes = std::uint64_t{2} << 30;
    double max_ratio_to_fixed = 64;
    std::uint64_t ratio_floor = std::uint64_t{16} << 20;

    [[nodiscard]] std::uint64_t bytes_for(std::uint64_t fixed_bytes) const;
};

/// What a kernel over fixed CSR reads: 4 (rows + 1) + 8 nnz bytes.
[[nodiscard]] std::uint64_t csr_bytes(const CsrPattern& pattern);
/// The same over fixed CSF (Smith, Karypis: SPLATT, IPDPS 2015), which has the modes in their order, the
/// first one uncompressed and the others compressed.
[[nodiscard]] std::uint64_t csf_bytes(const SparseTensor& tensor);

/// `prefixes[l]`: how many different coordinates (c0 … cl) the entries have on levels 0 … l.
[[nodiscard]] StorageSize storage_size(const StorageFormat& format, std::span<const std::int64_t> prefixes);

/// The parts of an entry's row and column that determine its coordinates (c0 … cl), for each level l.
[[nodiscard]] std::vector<CoordinateParts> prefix_parts(const StorageFormat& format);

/// The same size from counts, without bringing the entries into the order of the format. The format must be
/// one of the pattern that is counted.
[[nodiscard]] StorageSize storage_size(const StorageFormat& format, const DistinctCoordinates& distinct);

/// For each level the mean number of positions below a parent that has any; of an uncompressed level its
/// extent. Empty: not known, as where code is shown for no particular matrix.
using MeanFill = std::vector<double>;

/// The two are the same numbers.
[[nodiscard]] MeanFill mean_fill(const StorageFormat& format, const DistinctCoordinates& distinct);
[[nodiscard]] MeanFill mean_fill(const PackedMatrix& packed);

/// The size that follows from the extents and the number of entries alone, without reading a coordinate:
/// never more than the exact size, often the same.
[[nodiscard]] StorageSize storage_lower_bound(const StorageFormat& format, std::int64_t nnz);

enum class Certainty { Exact, AtLeast };

/// Why `size` is refused: a Fault::Limit whose text names the size and the limit; nothing when it is not.
/// `fixed_bytes` are csr_bytes() of the matrix, or csf_bytes() of the tensor.
/// Positions are numbered in 31 bits, so more of them on any level are refused whatever the limits.
[[nodiscard]] std::optional<Error> refusal(const StorageFormat& format, const StorageSize& size,
                                           Certainty certainty, std::uint64_t fixed_bytes,
                                           const PackingLimits& limits);

/// The arrays of one level; an uncompressed level stores none.
struct LevelBytes {
    StorageLevel level;
    std::int64_t positions = 0;
    std::uint64_t pos = 0;
    std::uint64_t crd = 0;
    bool operator==(const LevelBytes&) const = default;
};

/// Where the bytes of a storage format go, level by level. A number that would not fit is given as the
/// largest that does.
struct StorageBreakdown {
    std::vector<LevelBytes> levels; ///< outermost first
    std::uint64_t values = 0;       ///< padding included
    std::uint64_t padding = 0;      ///< the part of `values` that is explicit zeros

    [[nodiscard]] std::uint64_t bytes() const; ///< as PackedMatrix::bytes()
    bool operator==(const StorageBreakdown&) const = default;
};

/// `size` is the size of this format for a matrix with nnz entries.
[[nodiscard]] StorageBreakdown storage_breakdown(const StorageFormat& format, const StorageSize& size,
                                                 std::int64_t nnz);

/// Sorts the entries (PackingPlan) to count what each level stores, so it takes about as long as packing.
/// Errors: those of PackingPlan::make(), except that a size over the packing limits is allowed.
[[nodiscard]] Result<StorageBreakdown> storage_breakdown(const CsrPattern& pattern,
                                                         const StorageFormat& format, int threads,
                                                         const std::stop_token& stop = {});

/// The breakdown of fixed CSR, whatever the operator: its column level is named after `op`'s.
[[nodiscard]] StorageBreakdown csr_breakdown(const CsrPattern& pattern, Operator op);

} // namespace sparsight
