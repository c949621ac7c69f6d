// Everything that the mechanistic simulator needs to know of a SuperSchedule on a pattern, whatever the
// machine: computed once from the pattern, then any number of machines are simulated from it in microseconds.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "machine/mechanistic/chunk_balance.h"
#include "machine/mechanistic/loop_counts.h"
#include "machine/mechanistic/memory_scopes.h"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// The number of threads is none of it: as in WACO's protocol a machine runs all of its own.
struct ScheduleProfile {
    StorageSize storage;
    LoopCounts loops;
    std::vector<MemoryScope> scopes;
    double output_bytes = 0; ///< of C
    double regions = 1;      ///< times that the parallel loop is entered
    double chunks = 1;       ///< handed out in one region
    ChunkBalance balance;
};

/// A pattern with what was counted of it. Threads may share it.
class ProfiledPattern {
public:
    /// The pattern must outlive it, unchanged.
    explicit ProfiledPattern(const CsrPattern& pattern)
        : distinct_(pattern) {}

    [[nodiscard]] const CsrPattern& pattern() const { return distinct_.pattern(); }
    /// Linear in nnz for every combination of level order, splits and windows that was not asked for before.
    /// Stops between two of them. Errors: an invalid schedule (Fault::Input); Fault::Cancelled.
    [[nodiscard]] Result<ScheduleProfile> profile(const SuperSchedule& schedule, std::int64_t dense,
                                                  const std::stop_token& stop = {}) const;

private:
    /// Of each level: whether it is of rows, which part, split, and format.
    using FormatKey = std::vector<std::array<std::int64_t, 4>>;

    [[nodiscard]] ChunkBalance balance(const ChunkShape& shape) const;
    [[nodiscard]] std::vector<double> irregularity(const StorageFormat& format) const;

    DistinctCoordinates distinct_;
    mutable std::mutex mutex_;
    mutable std::map<ChunkShape, ChunkBalance> balances_;
    mutable std::map<FormatKey, std::vector<double>> irregularities_;
};

struct ProfilingOptions {
    int threads = 1;
    std::stop_token stop{};
    ProgressSink progress{};
};

/// In the order given, each thread taking a schedule at a time. Errors: as ProfiledPattern::profile().
[[nodiscard]] Result<std::vector<ScheduleProfile>> profile_all(const ProfiledPattern& pattern,
                                                               std::span<const SuperSchedule> schedules,
                                                               std::int64_t dense,
                                                               const ProfilingOptions& options = {});

} // namespace sparsight
