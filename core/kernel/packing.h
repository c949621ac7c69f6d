// From CSR into the level formats of a schedule. Uncompressed levels under sparse ones store explicit zeros
// and can explode, so the exact size is known, and may be refused, before anything of that size is allocated.
#pragma once

#include "base/error.h"
#include "kernel/packed_matrix.h"
#include "kernel/storage_format.h"
#include "matrix/pattern.h"

#include <cstdint>
#include <memory>
#include <stop_token>
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

struct PackingOptions {
    PackingLimits limits;
    int threads = 1;
    bool keep_entry_positions = false;
    std::stop_token stop;
};

/// What follows from the extents and the number of entries alone, without looking at a coordinate: never more
/// than what predict_storage() says, often the same.
[[nodiscard]] StorageSize least_storage(const CsrPattern& pattern, const StorageFormat& format);

/// What a kernel over fixed CSR reads: 4 (rows + 1) + 8 nnz bytes.
[[nodiscard]] std::uint64_t csr_bytes(const CsrPattern& pattern);

/// The entries of a pattern in the order of a format's coordinate tree: all that is needed to know the size,
/// and most of the work of packing. The pattern must outlive it, unchanged.
class PackingPlan {
public:
    /// Fails when the format is not one of this pattern, for more than 2^31 − 1 entries, when stopped, or
    /// when memory is short.
    [[nodiscard]] static Result<PackingPlan> make(const CsrPattern& pattern, const StorageFormat& format,
                                                  int threads, const std::stop_token& stop = {});
    ~PackingPlan();
    PackingPlan(PackingPlan&&) noexcept;
    PackingPlan& operator=(PackingPlan&&) noexcept;

    [[nodiscard]] const StorageSize& size() const;
    /// Fault::Limit when size() exceeds the limits or has 2^31 positions or more; the text names both. Runs
    /// on the threads that the plan was made with.
    [[nodiscard]] Result<PackedMatrix> pack(const PackingOptions& options) const;

private:
    struct Entries;
    explicit PackingPlan(std::unique_ptr<Entries> entries);
    std::unique_ptr<Entries> entries_;
};

/// PackingPlan::make() and its size().
[[nodiscard]] Result<StorageSize> predict_storage(const CsrPattern& pattern, const StorageFormat& format,
                                                  int threads);

/// PackingPlan::make() and pack(), but refuses what least_storage() already rules out before it plans.
[[nodiscard]] Result<PackedMatrix> pack(const CsrPattern& pattern, const StorageFormat& format,
                                        const PackingOptions& options);

} // namespace sparsight
