#include "domains/sparse/kernel/measurement/thread_timeline.h"

#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

ParallelLoop parallel_loop(const SuperSchedule& asked, std::int64_t rows, std::int64_t cols) {
    const SuperSchedule schedule = canonical(asked);
    const LoopIndex loop = schedule.parallel;
    ParallelLoop made{.name = name(loop), .chunk = schedule.chunk};
    if (!is_sparse_index(schedule.op, loop.index))
        return made;
    made.over_rows = loop.index == row_index(schedule.op);
    made.ids = made.over_rows ? rows : cols;
    // A compressed loop runs over what is stored, with gaps.
    if (loop.part == Part::Outer && schedule.format(loop) == LevelFormat::Uncompressed)
        made.ids_per_iteration = schedule.split(loop.index);
    return made;
}

void IntervalLane::prepare(int thread, std::int64_t chunks, std::int64_t merged) {
    merged_ = std::max<std::int64_t>(1, merged);
    intervals_.assign(static_cast<std::size_t>(chunks / merged_ + 1), {.thread = thread});
    size_ = 0;
}

std::int64_t merged_chunks(std::int64_t chunks, std::int64_t most) {
    return std::max<std::int64_t>(1, (chunks + most - 1) / most);
}

LoadBalance load_balance(const ThreadTimeline& timeline) {
    std::vector<double> busy(static_cast<std::size_t>(std::max(1, timeline.threads)));
    double all = 0;
    for (const ChunkInterval& interval : timeline.intervals) {
        const double ms = static_cast<double>(interval.busy_ns) * 1e-6;
        busy[static_cast<std::size_t>(interval.thread)] += ms;
        all += ms;
    }
    const auto longest = std::ranges::max_element(busy);
    const auto threads = static_cast<double>(busy.size());
    LoadBalance balance{static_cast<int>(longest - busy.begin()), *longest, all / threads, 0};
    if (busy.size() > 1)
        balance.waiting_ms = *longest - (all - *longest) / (threads - 1);
    return balance;
}

ChunkPlace place_of(const ThreadTimeline& timeline, const ChunkInterval& interval) {
    const ParallelLoop& loop = timeline.loop;
    const std::int64_t length =
        interval.chunks > 1 ? std::min(loop.chunk, interval.iterations) : interval.iterations;
    const std::int64_t last = interval.first + std::max<std::int64_t>(1, length) - 1;
    if (loop.ids_per_iteration == 0)
        return {interval.first, last};
    return {interval.first * loop.ids_per_iteration + 1,
            std::min((last + 1) * loop.ids_per_iteration, loop.ids)};
}

std::string timeline_csv(const ThreadTimeline& timeline) {
    std::string csv = "source,thread,chunk,chunks,first iteration,iterations,begin [ns],end [ns],busy [ns]\n";
    for (const ChunkInterval& each : timeline.intervals)
        csv += fmt::format("{},{},{},{},{},{},{},{},{}\n", timeline.measured ? "measured" : "simulated",
                           each.thread + 1, each.chunk + 1, each.chunks, each.first, each.iterations,
                           each.begin_ns, each.end_ns, each.busy_ns);
    return csv;
}

} // namespace sparsight
