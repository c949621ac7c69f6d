// Records which thread runs which chunk when, in buffers of each thread's own: no locks and no allocation
// while a kernel runs.
#pragma once

#include "domains/sparse/kernel/lowering/kernel_context.h"
#include "domains/sparse/kernel/measurement/thread_timeline.h"

#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sparsight {

/// Whether all cores share one counter of the processor that never changes its rate: on x86 where Linux
/// itself takes its time from it (`clocksource` is its current one, `flags` those of /proc/cpuinfo). In a
/// guest, kvm-clock is based on that counter, which may still be one that stops.
[[nodiscard]] bool is_counter_steady(std::string_view clocksource, std::string_view flags);

/// Stands between the team and the body of the parallel loop. A chunk's time begins when its thread ended
/// the chunk before in the same region, so that taking it counts to it, and one look at the clock is enough.
/// Another one is for each region.
class ChunkRecorder {
public:
    /// For a team of so many threads.
    explicit ChunkRecorder(int threads);

    /// Room for a run of so many chunks, `merged` of which become one interval.
    void prepare(std::int64_t chunks, std::int64_t merged);

    // KernelRunner::run_recorded() calls these.
    void begin_run();
    void end_opening();
    void run_region(KernelContext* context, ParallelBody body, const std::int64_t* captured,
                    std::int64_t begin, std::int64_t end);
    void end_run();

    /// Of the last run: everything that it tells of itself.
    void tell(ThreadTimeline& timeline) const;
    [[nodiscard]] std::int64_t chunks() const { return chunks_; }
    [[nodiscard]] std::int64_t total_ns() const { return total_ns_; }

private:
    /// As ChunkInterval, with times in ticks since the run began.
    struct TickInterval {
        int thread = 0;
        std::int64_t chunk = 0;
        std::int64_t chunks = 1;
        std::int64_t first = 0;
        std::int64_t iterations = 0;
        std::int64_t begin_ticks = 0;
        std::int64_t end_ticks = 0;
        std::int64_t busy_ticks = 0;

        void append(const TickInterval& next) {
            chunks += next.chunks;
            iterations += next.iterations;
            end_ticks = next.end_ticks;
            busy_ticks += next.busy_ticks;
        }
    };
    /// A cache line apart from the next thread's.
    struct alignas(64) Lane {
        IntervalLane<TickInterval> intervals;
        std::int64_t region = -1; ///< of its last chunk
        std::int64_t last_end_ticks = 0;
        std::int64_t waiting_ticks = 0; ///< at the ends of all regions
    };

    static void run_chunk(KernelContext* context, const std::int64_t* captured, std::int64_t begin,
                          std::int64_t end);
    [[nodiscard]] Lane& own_lane();
    /// Called when all threads have left a region.
    void add_waiting(std::int64_t region_began);
    /// Ticks of the processor's counter.
    [[nodiscard]] std::int64_t ticks() const;
    /// Ticks since the run began.
    [[nodiscard]] std::int64_t now() const;

    bool has_counter_; ///< else a tick is a nanosecond of the steady clock
    std::uint64_t id_; ///< no other recorder of this process has it
    std::vector<Lane> lanes_;
    std::atomic<std::size_t> claimed_{0};
    std::int64_t start_ticks_ = 0;
    std::int64_t opening_ticks_ = 0;
    std::int64_t total_ticks_ = 0;
    std::int64_t start_ns_ = 0;
    std::int64_t total_ns_ = 0;
    std::int64_t regions_ = 0;
    std::int64_t chunks_ = 0; ///< of the regions before this one
    std::int64_t iterations_ = 0;
    // Of this region; the team publishes them with it.
    ParallelBody body_ = nullptr;
    std::int64_t region_begin_ = 0;
    std::int64_t chunk_ = 1;
};

} // namespace sparsight
