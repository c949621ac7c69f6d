// When each thread of a run took and finished its chunks, measured or simulated, and what that says about
// the balance of the load.
#pragma once

#include "base/observer.h"
#include "domains/sparse/kernel/storage/storage_format.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

/// A chunk on a thread, or several chunks that the thread ran one after the other. Times are nanoseconds
/// since the run began.
struct ChunkInterval {
    int thread = 0;
    std::int64_t chunk = 0;      ///< the first one, counted over all regions in the order of the loop
    std::int64_t chunks = 1;     ///< more than one where chunks were merged
    std::int64_t first = 0;      ///< iteration of the parallel loop that the first chunk begins with
    std::int64_t iterations = 0; ///< of all its chunks
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::int64_t busy_ns = 0; ///< shorter than the interval where merged chunks have gaps between them

    /// Makes one interval of this one and the next of its thread.
    void append(const ChunkInterval& next) {
        chunks += next.chunks;
        iterations += next.iterations;
        end_ns = next.end_ns;
        busy_ns += next.busy_ns;
    }
    bool operator==(const ChunkInterval&) const = default;
};

/// The loop whose iterations threads take in chunks.
struct ParallelLoop {
    std::string name{}; ///< "i1"
    bool over_rows = true;
    std::int64_t ids = 0;               ///< rows, or columns, of the matrix
    std::int64_t ids_per_iteration = 0; ///< 0: an iteration is no stretch of rows or columns
    std::int64_t chunk = 1;

    bool operator==(const ParallelLoop&) const = default;
};
/// The sizes are those of the sparse matrix.
[[nodiscard]] ParallelLoop parallel_loop(const SuperSchedule& schedule, std::int64_t rows, std::int64_t cols);

/// What recording adds to the time of a run, as a share of it, with two standard errors.
struct RecordingOverhead {
    double share = 0;
    double error = 0;
    /// Recording is said to disturb where it costs more than this beyond its error.
    static constexpr double most = 0.05;
    [[nodiscard]] bool disturbs() const { return share - error > most; }
    /// It may disturb or not: the computer was too busy to tell.
    [[nodiscard]] bool is_undecided() const { return !disturbs() && share + error > most; }

    bool operator==(const RecordingOverhead&) const = default;
};

struct ThreadTimeline {
    bool measured = false; ///< otherwise simulated
    std::string machine{};
    int threads = 1;
    ParallelLoop loop{};
    std::int64_t regions = 1; ///< times that the parallel loop is entered
    std::int64_t chunks = 0;
    std::int64_t iterations = 0;
    std::int64_t total_ns = 0; ///< of the whole run
    /// What comes before the first chunk and is no waiting: C is cleared (measured), or the threads are
    /// started (simulated).
    std::int64_t opening_ns = 0;
    std::vector<ChunkInterval> intervals{}; ///< by thread, then by time
    /// Of each thread, from the end of its last chunk in a region to the end of the region, over all regions:
    /// merged intervals do not tell it. Empty where it was not recorded.
    std::vector<std::int64_t> waiting_ns{};
    std::optional<RecordingOverhead> overhead{}; ///< measured only
    std::optional<double> plain_ms{};            ///< median of the runs without recording; measured only

    [[nodiscard]] bool is_merged() const { return std::cmp_less(intervals.size(), chunks); }
    bool operator==(const ThreadTimeline&) const = default;
};

/// More are neither drawn nor read.
inline constexpr std::int64_t most_intervals = 4096;

/// The intervals of one thread, in a buffer that is there before the run: adding neither locks nor
/// allocates. So many chunks of the thread that follow each other become one interval: a ChunkInterval, or
/// what is like it in another unit of time.
template <typename Interval>
class IntervalLane {
public:
    /// For `chunks` chunks at most; clears the lane.
    void prepare(std::int64_t chunks, std::int64_t merged) {
        merged_ = std::max<std::int64_t>(1, merged);
        intervals_.assign(static_cast<std::size_t>(chunks / merged_ + 1), {});
        size_ = 0;
    }
    void add(const Interval& chunk) {
        if (size_ > 0 && (last().chunks < merged_ || size_ == intervals_.size()))
            last().append(chunk);
        else
            intervals_[size_++] = chunk;
    }
    [[nodiscard]] const Interval* begin() const { return intervals_.data(); }
    [[nodiscard]] const Interval* end() const { return intervals_.data() + size_; }

private:
    [[nodiscard]] Interval& last() { return intervals_[size_ - 1]; }

    std::vector<Interval> intervals_;
    std::size_t size_ = 0;
    std::int64_t merged_ = 1;
};
/// How many chunks of a thread become one interval, so that there are about `most` of all.
[[nodiscard]] std::int64_t merged_chunks(std::int64_t chunks, std::int64_t most = most_intervals);

/// Who works longest and how long threads wait for each other. Every region ends when its last thread does,
/// so threads may wait although each works as long as the others over all regions.
struct LoadBalance {
    int busiest = 0; ///< a thread
    double busiest_ms = 0;
    double mean_ms = 0; ///< of all threads
    /// On average: in one region of the threads but the busiest, for it; in several regions of all threads.
    /// Absent where several threads work in several regions that are known together only, as simulated ones
    /// are.
    std::optional<double> waiting_ms{};
    /// Work and waiting over work, of all threads; 1 is perfect. In one region this is the busiest thread's
    /// work over the mean. Absent where the waiting is.
    std::optional<double> imbalance{};
    /// So little imbalance that it is not worth a word.
    [[nodiscard]] bool is_even() const { return imbalance && *imbalance < 1.05; }
};
[[nodiscard]] LoadBalance load_balance(const ThreadTimeline& timeline);

/// The rows, or columns, of the first chunk of an interval, counted from 1; its iterations of the loop,
/// counted from 0, where those are no stretch of rows or columns.
struct ChunkPlace {
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool operator==(const ChunkPlace&) const = default;
};
[[nodiscard]] ChunkPlace place_of(const ThreadTimeline& timeline, const ChunkInterval& interval);

/// A line for each interval, with a header.
[[nodiscard]] std::string timeline_csv(const ThreadTimeline& timeline);
/// As programs exchange it.
[[nodiscard]] Json timeline_json(const ThreadTimeline& timeline);
/// Of what timeline_json() made. Error (Input): a member is missing or of another type.
[[nodiscard]] Result<ThreadTimeline> timeline_from_json(const Json& json);

} // namespace sparsight
