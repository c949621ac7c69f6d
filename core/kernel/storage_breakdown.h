// Where the bytes of a storage format go, level by level.
#pragma once

#include "kernel/storage_size.h"

#include <stop_token>

namespace sparsight {

/// The arrays of one level; an uncompressed level stores none.
struct LevelBytes {
    StorageLevel level;
    std::int64_t positions = 0;
    std::uint64_t pos = 0;
    std::uint64_t crd = 0;
    bool operator==(const LevelBytes&) const = default;
};

/// A number that would not fit is given as the largest that does.
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

/// Sorts the entries (PackingPlan) to count what each level stores, so it takes about as long as packing. The
/// errors of PackingPlan::make(); a size over the packing limits is none.
[[nodiscard]] Result<StorageBreakdown> storage_breakdown(const CsrPattern& pattern,
                                                         const StorageFormat& format, int threads,
                                                         const std::stop_token& stop = {});

/// Of fixed CSR, whatever the operator: its column level is named after `op`'s.
[[nodiscard]] StorageBreakdown csr_breakdown(const CsrPattern& pattern, Operator op);

} // namespace sparsight
