#include "machine/mechanistic/schedule_profile.h"

#include "base/parallel.h"
#include "kernel/kernel_operands.h"
#include "schedule/validity.h"

#include <algorithm>
#include <atomic>
#include <optional>

namespace sparsight {

namespace {

/// What an iteration of the parallel loop takes besides its entries, in the time of one entry.
constexpr double work_of_iteration = 2;

/// Times that the loop is entered: the iterations of those outside it.
double entries_of_parallel_loop(const LoopCounts& loops) {
    for (std::size_t depth = 0; depth < loops.order.loops.size(); ++depth)
        if (loops.order.loops[depth].parallel)
            return depth == 0 ? 1 : loops.iterations[depth - 1];
    return 0;
}

/// Iterations of the parallel loop in one region.
double iterations_of_parallel_loop(const LoopCounts& loops) {
    for (std::size_t depth = 0; depth < loops.order.loops.size(); ++depth)
        if (loops.order.loops[depth].parallel)
            return loops.iterations[depth] / std::max(1.0, depth == 0 ? 1 : loops.iterations[depth - 1]);
    return 1;
}

/// Whether no level inside this one is compressed: each of its coordinates then has as many positions.
bool is_walked_whole(const StorageFormat& storage, LoopIndex loop) {
    const auto level = std::ranges::find(storage.levels, loop, &StorageLevel::loop);
    return std::none_of(level, storage.levels.end(),
                        [](const StorageLevel& inside) { return inside.format == LevelFormat::Compressed; });
}

} // namespace

ChunkBalance ProfiledPattern::balance(const ChunkShape& shape) const {
    {
        const std::scoped_lock lock(mutex_);
        if (const auto known = balances_.find(shape); known != balances_.end())
            return known->second;
    }
    const ChunkBalance balance(chunk_work(pattern(), shape.rows, shape.block, shape.chunk, work_of_iteration,
                                          shape.uniform ? 0 : 1));
    const std::scoped_lock lock(mutex_);
    return balances_.emplace(shape, balance).first->second;
}

Result<ScheduleProfile> ProfiledPattern::profile(const SuperSchedule& asked, std::int64_t dense,
                                                 const std::stop_token& stop) const {
    const SuperSchedule schedule = canonical(asked);
    const CsrPattern& pattern = this->pattern();
    const Extents extents = sparsight::extents(schedule.op, pattern.rows, pattern.cols, dense);
    if (auto valid = check(schedule); !valid)
        return std::unexpected(std::move(valid.error()));
    const StorageFormat storage = storage_format(schedule, pattern.rows, pattern.cols);
    const VisitedCoordinates visited(storage, distinct_, stop);

    ScheduleProfile profile;
    profile.storage = storage_size(storage, distinct_);
    profile.loops = count_loops(schedule, extents, storage, profile.storage, pattern.nnz());
    profile.scopes = memory_scopes(schedule, extents, storage, profile.storage, visited);
    profile.output_bytes =
        4.0 * static_cast<double>(operand_sizes(schedule.op, extents, profile.storage.positions.back()).c);
    profile.regions = entries_of_parallel_loop(profile.loops);
    profile.chunks = std::max(1.0, iterations_of_parallel_loop(profile.loops) / schedule.chunk);
    const bool parallel_outer = schedule.parallel.part == Part::Outer;
    if (profile.regions > 0 && parallel_outer && is_sparse_index(schedule.op, schedule.parallel.index))
        profile.balance = balance({schedule.parallel.index == row_index(schedule.op),
                                   schedule.split(schedule.parallel.index), schedule.chunk,
                                   is_walked_whole(storage, schedule.parallel)});
    if (stop.stop_requested()) // what was counted since then is none
        return fail(Fault::Cancelled, "stopped while schedules were looked at");
    return profile;
}

Result<std::vector<ScheduleProfile>> profile_all(const ProfiledPattern& pattern,
                                                 std::span<const SuperSchedule> schedules, std::int64_t dense,
                                                 const ProfilingOptions& options) {
    std::vector<ScheduleProfile> profiles(schedules.size());
    std::vector<std::optional<Error>> errors(schedules.size());
    std::atomic<std::size_t> next = 0;
    const int threads = std::clamp(options.threads, 1, std::max(1, static_cast<int>(schedules.size())));
    parallel_parts(threads, threads, [&](int part, std::int64_t, std::int64_t) {
        for (std::size_t at = next++; at < schedules.size() && !options.stop.stop_requested(); at = next++) {
            if (auto profile = pattern.profile(schedules[at], dense, options.stop))
                profiles[at] = std::move(*profile);
            else
                errors[at] = std::move(profile.error());
            if (part == 0 && options.progress)
                options.progress({"counting", at + 1, schedules.size()});
        }
    });
    if (options.stop.stop_requested())
        return fail(Fault::Cancelled, "stopped while schedules were looked at");
    for (std::optional<Error>& error : errors)
        if (error)
            return std::unexpected(std::move(*error));
    return profiles;
}

} // namespace sparsight
