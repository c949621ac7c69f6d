// Everything that the mechanistic simulator needs to know of a SuperSchedule on a pattern, whatever the
// machine: computed once from the pattern; then any number of machines are simulated from it in
// microseconds. One part is how evenly the chunks of the parallel loop load the cores.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "base/shared_memo.h"
#include "domains/sparse/simulator/loop_counts.h"
#include "domains/sparse/simulator/memory_scopes.h"
#include "domains/sparse/tensor/distinct_coordinates.h"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// Chunks as they are handed out: more than 8192 go in groups that follow each other, so that on 256 cores a
/// group is a small part of a core's share.
struct ChunkGroups {
    explicit ChunkGroups(std::span<const double> chunks);
    std::size_t size = 1;     ///< chunks of a group; the last one may have fewer
    std::vector<double> work; ///< of each group
};

/// A chunk on a core, in the unit of its work.
struct ChunkShare {
    std::size_t core = 0;
    double begin = 0;
    double end = 0;
};
/// Each chunk in turn goes to the core that is free first: greedy list scheduling (Graham, 1966).
[[nodiscard]] std::vector<ChunkShare> hand_out(std::span<const double> work, int cores);

/// How evenly the chunks of a parallel loop load the cores: greedy list scheduling of the real chunks, as a
/// dynamic schedule hands them out (Graham, 1966), for some numbers of cores, interpolated between them.
class ChunkBalance {
public:
    /// Perfect: every number of cores shares the work evenly.
    ChunkBalance() { excess_.fill(0); }
    /// Chunks in the order in which they are handed out, with their work in any unit.
    explicit ChunkBalance(std::span<const double> work);

    /// The longest core's work over the average's, minus 1, on this number of cores.
    [[nodiscard]] double excess(double cores) const;

    static constexpr std::array<int, 15> core_counts{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256};

private:
    std::array<double, core_counts.size()> excess_{};
    double largest_share_ = 0; ///< of the largest chunk in all work
};

/// The chunks of a parallel loop over blocks of A's rows, or of its columns, and the work in them: all
/// stored positions that are walked, not only the entries.
struct ChunkShape {
    IdGroups ids;              ///< the rows, or columns, of one chunk
    std::int64_t block = 1;    ///< of one iteration
    double iteration_work = 1; ///< of an iteration, whatever is stored in it
    CoordinateParts stored;    ///< levels down to the last compressed one: what they store is walked
    double work_of_stored = 1; ///< positions of uncompressed levels below each; 0: the loop is among those
    auto operator<=>(const ChunkShape&) const = default;
};

/// The work of each chunk, in positions. Linear in rows + nnz.
[[nodiscard]] std::vector<double> chunk_work(const CsrPattern& pattern, const ChunkShape& shape);

/// What threads share out in one region of the parallel loop.
struct ParallelWork {
    std::vector<double> chunks; ///< the work of each
    std::int64_t iterations = 0;
};

/// What the mechanistic simulator needs to know. The number of threads is not a part of it: as in WACO's
/// protocol a machine runs all of its own threads.
struct ScheduleProfile {
    StorageSize storage;
    LoopCounts loops;
    std::vector<MemoryScope> scopes;
    std::vector<MemoryScope> sunk_scopes; ///< where dense loops have sunk (shape_loops); empty: as they are
    double output_bytes = 0;              ///< of C
    double regions = 1; ///< times that the parallel loop is entered, if loops run in the schedule's order
    double chunks = 1;  ///< handed out in one region
    ChunkBalance balance;
};

/// A pattern with cached counts. Threads may share it.
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
    /// The chunks behind the profile's balance; alike where that is perfect. Errors: as profile().
    [[nodiscard]] Result<ParallelWork> parallel_work(const SuperSchedule& schedule, std::int64_t dense,
                                                     const std::stop_token& stop = {}) const;

private:
    /// Of each level: its split, whose last bits are its mode, part and format; 0 where there is none.
    using FormatKey = std::array<std::int64_t, 4>;

    [[nodiscard]] ChunkBalance balance(const ChunkShape& shape) const;
    [[nodiscard]] std::vector<double> irregularity(const StorageFormat& format) const;

    DistinctCoordinates distinct_;
    SharedMemo<std::map<ChunkShape, ChunkBalance>> balances_;
    SharedMemo<std::map<FormatKey, std::vector<double>>> irregularities_;
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
