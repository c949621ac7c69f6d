// How large a storage format becomes: exactly, once the coordinates that occur are counted, or at least.
#pragma once

#include "base/error.h"
#include "kernel/storage_format.h"
#include "matrix/distinct_coordinates.h"
#include "matrix/pattern.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// A number that would not fit is given as the largest that does.
struct StorageSize {
    std::vector<std::int64_t> positions; ///< of each level
    std::uint64_t bytes = 0;             ///< pos + crd + values, as PackedMatrix::bytes()
    bool operator==(const StorageSize&) const = default;
};

/// The limit is max_ratio_to_csr times what fixed CSR takes, but at least ratio_floor (a small matrix may
/// grow freely) and at most max_bytes.
struct PackingLimits {
    std::uint64_t max_bytes = std::uint64_t{2} << 30;
    double max_ratio_to_csr = 64;
    std::uint64_t ratio_floor = std::uint64_t{16} << 20;

    [[nodiscard]] std::uint64_t bytes_for(const CsrPattern& pattern) const;
};

/// What a kernel over fixed CSR reads: 4 (rows + 1) + 8 nnz bytes.
[[nodiscard]] std::uint64_t csr_bytes(const CsrPattern& pattern);

/// `prefixes[l]`: how many different coordinates (c0 … cl) the entries have on levels 0 … l.
[[nodiscard]] StorageSize storage_size(const StorageFormat& format, std::span<const std::int64_t> prefixes);

/// Which parts of its row and column tell the coordinates (c0 … cl) of an entry, for each level l.
[[nodiscard]] std::vector<CoordinateParts> prefix_parts(const StorageFormat& format);

/// The same size from counts, without bringing the entries into the order of the format. The format must be
/// one of the pattern that is counted.
[[nodiscard]] StorageSize storage_size(const StorageFormat& format, const DistinctCoordinates& distinct);

/// What follows from the extents and the number of entries alone, without looking at a coordinate: never more
/// than the exact size, often the same.
[[nodiscard]] StorageSize least_storage(const StorageFormat& format, std::int64_t nnz);

enum class Certainty { Exact, AtLeast };

/// Why `size` is refused: a Fault::Limit whose text names the size and the limit; nothing when it is not.
/// Positions are numbered in 31 bits, so more of them on any level are refused whatever the limits.
[[nodiscard]] std::optional<Error> refusal(const StorageFormat& format, const StorageSize& size,
                                           Certainty certainty, const CsrPattern& pattern,
                                           const PackingLimits& limits);

} // namespace sparsight
