// From a matrix in CSR, or a sorted tensor, into the level formats of a schedule. Uncompressed levels under
// sparse ones store explicit zeros and can explode, so the exact size is known, and may be refused, before
// anything of that size is allocated.
#pragma once

#include "base/error.h"
#include "domains/sparse/kernel/storage/storage_format.h"
#include "domains/sparse/tensor/pattern.h"

#include <memory>
#include <stop_token>

namespace sparsight {

struct PackingOptions {
    PackingLimits limits{};
    int threads = 1;
    bool keep_entry_positions = false;
    std::stop_token stop{};
};

/// The entries of a matrix or tensor in the order of a format's coordinate tree: all that is needed to know
/// the size, and most of the work of packing. The matrix or tensor must outlive it, unchanged.
class PackingPlan {
public:
    /// Fails when the format is not one of this matrix or tensor, for more than 2^31 − 1 entries, when its
    /// coordinates take more than 64 bits together (never of a matrix), when stopped, or when memory is
    /// short.
    [[nodiscard]] static Result<PackingPlan> make(const CsrPattern& pattern, const StorageFormat& format,
                                                  int threads, const std::stop_token& stop = {});
    [[nodiscard]] static Result<PackingPlan> make(const SparseTensor& tensor, const StorageFormat& format,
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
    template <typename Source>
    [[nodiscard]] static Result<PackingPlan> of(const Source& source, const StorageFormat& format,
                                                int threads, const std::stop_token& stop);
    std::unique_ptr<Entries> entries_;
};

/// PackingPlan::make() and its size().
[[nodiscard]] Result<StorageSize> predict_storage(const CsrPattern& pattern, const StorageFormat& format,
                                                  int threads);

/// PackingPlan::make() and pack(), but refuses what storage_lower_bound() already rules out before it plans.
[[nodiscard]] Result<PackedMatrix> pack(const CsrPattern& pattern, const StorageFormat& format,
                                        const PackingOptions& options);
[[nodiscard]] Result<PackedMatrix> pack(const SparseTensor& tensor, const StorageFormat& format,
                                        const PackingOptions& options);

} // namespace sparsight
