#include "machine/mechanistic/schedule_profile.h"

#include "base/parallel.h"
#include "kernel/kernel_operands.h"
#include "machine/mechanistic/loop_irregularity.h"
#include "schedule/validity.h"

#include <algorithm>
#include <atomic>
#include <optional>

namespace sparsight {

namespace {

/// What an iteration of the parallel loop takes besides what is inside it, in the time of one stored
/// position.
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

/// The same of a coordinate that is gone through although nothing need be stored there. The more of the dense
/// index each position is multiplied with, the less it is of that.
double work_of_walking(double dense) {
    constexpr double floats_meanwhile = 16;
    return work_of_iteration / (1 + dense / floats_meanwhile);
}

ChunkShape chunk_shape(const SuperSchedule& schedule, const Extents& extents, const StorageFormat& storage,
                       const VisitedCoordinates& visited) {
    const auto& levels = storage.levels;
    const auto parallel = static_cast<std::size_t>(
        std::ranges::find(levels, schedule.parallel, &StorageLevel::loop) - levels.begin());
    ChunkShape shape;
    shape.block = schedule.split(schedule.parallel.index);
    shape.ids = {schedule.parallel.index == row_index(schedule.op), shape.block * schedule.chunk};
    double walked = 0; // by uncompressed levels directly inside, which do not know what is stored
    double inside = 1;
    for (std::size_t l = parallel + 1;
         l < levels.size() && !visited.is_walked_whole(l) && levels[l].format == LevelFormat::Uncompressed;
         ++l)
        walked += inside *= static_cast<double>(levels[l].extent);
    const auto dense = dense_index(schedule.op);
    const double dense_extent = dense ? static_cast<double>(extents[*dense]) : 1;
    shape.iteration_work = work_of_iteration + work_of_walking(dense_extent) * walked;
    shape.stored = canonical(visited.stored_parts());
    shape.work_of_stored = visited.is_walked_whole(parallel) ? 0 : visited.positions_of_stored();
    return shape;
}

} // namespace

ChunkBalance ProfiledPattern::balance(const ChunkShape& shape) const {
    {
        const std::scoped_lock lock(mutex_);
        if (const auto known = balances_.find(shape); known != balances_.end())
            return known->second;
    }
    const ChunkBalance balance(chunk_work(pattern(), shape));
    const std::scoped_lock lock(mutex_);
    return balances_.emplace(shape, balance).first->second;
}

std::vector<double> ProfiledPattern::irregularity(const StorageFormat& format) const {
    FormatKey key;
    for (const StorageLevel& level : format.levels)
        key.push_back({level.is_row, static_cast<std::int64_t>(level.loop.part), level.split,
                       static_cast<std::int64_t>(level.format)});
    {
        const std::scoped_lock lock(mutex_);
        if (const auto known = irregularities_.find(key); known != irregularities_.end())
            return known->second;
    }
    std::vector<double> shares = loop_irregularity(format, pattern());
    const std::scoped_lock lock(mutex_);
    return irregularities_.emplace(std::move(key), std::move(shares)).first->second;
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
    profile.loops =
        count_loops(schedule, extents, storage, profile.storage, pattern.nnz(), irregularity(storage));
    profile.scopes = memory_scopes(schedule, extents, storage, profile.storage, visited);
    profile.output_bytes =
        4.0 * static_cast<double>(operand_sizes(schedule.op, extents, profile.storage.positions.back()).c);
    profile.regions = entries_of_parallel_loop(profile.loops);
    profile.chunks = std::max(1.0, iterations_of_parallel_loop(profile.loops) / schedule.chunk);
    const bool parallel_outer = schedule.parallel.part == Part::Outer;
    if (profile.regions > 0 && parallel_outer && is_sparse_index(schedule.op, schedule.parallel.index))
        profile.balance = balance(chunk_shape(schedule, extents, storage, visited));
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
