#include "domains/sparse/simulator/schedule_profile.h"

#include "base/parallel.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/schedule/super_schedule.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t most_groups = 8192;

/// When the last core is done.
double greedy_makespan(std::span<const double> work, int cores) {
    double last = 0;
    for (const ChunkShare& share : hand_out(work, cores))
        last = std::max(last, share.end);
    return last;
}

} // namespace

ChunkGroups::ChunkGroups(std::span<const double> chunks)
    : size(std::max<std::size_t>(1, (chunks.size() + most_groups - 1) / most_groups)) {
    for (std::size_t first = 0; first < chunks.size(); first += size) {
        const auto group = chunks.subspan(first, std::min(size, chunks.size() - first));
        work.push_back(std::accumulate(group.begin(), group.end(), 0.0));
    }
}

std::vector<ChunkShare> hand_out(std::span<const double> work, int cores) {
    using FreeCore = std::pair<double, std::size_t>; // since when, which
    std::vector<FreeCore> idle;
    for (std::size_t core = 0; std::cmp_less(core, cores); ++core)
        idle.emplace_back(0.0, core);
    std::priority_queue<FreeCore, std::vector<FreeCore>, std::greater<>> free_at(std::greater<>{},
                                                                                 std::move(idle));
    std::vector<ChunkShare> shares;
    shares.reserve(work.size());
    for (const double chunk : work) {
        const auto [begin, core] = free_at.top();
        free_at.pop();
        free_at.emplace(begin + chunk, core);
        shares.push_back({core, begin, begin + chunk});
    }
    return shares;
}

ChunkBalance::ChunkBalance(std::span<const double> work) {
    const double total = std::accumulate(work.begin(), work.end(), 0.0);
    if (total <= 0)
        return;
    const std::vector<double> groups = ChunkGroups(work).work;
    largest_share_ = *std::ranges::max_element(groups) / total;
    for (std::size_t at = 0; at < core_counts.size(); ++at) {
        const int cores = core_counts[at];
        const double makespan = static_cast<std::size_t>(cores) >= groups.size()
                                    ? *std::ranges::max_element(groups)
                                    : greedy_makespan(groups, cores);
        excess_[at] = std::max(0.0, makespan * cores / total - 1);
    }
}

double ChunkBalance::excess(double cores) const {
    const auto above = std::ranges::lower_bound(core_counts, cores);
    if (above == core_counts.begin())
        return 0;
    if (above == core_counts.end())
        return std::max(excess_.back(), largest_share_ * cores - 1);
    const auto at = static_cast<std::size_t>(above - core_counts.begin());
    const double share = (cores - core_counts[at - 1]) / (core_counts[at] - core_counts[at - 1]);
    return excess_[at - 1] + share * (excess_[at] - excess_[at - 1]);
}

std::vector<double> chunk_work(const CsrPattern& pattern, const ChunkShape& shape) {
    const std::int64_t ids = shape.ids.rows ? pattern.rows : pattern.cols;
    const std::int64_t step = shape.ids.size;
    std::vector<double> work(static_cast<std::size_t>((ids + step - 1) / step));
    for (std::size_t at = 0; at < work.size(); ++at) {
        const std::int64_t first = static_cast<std::int64_t>(at) * step;
        const std::int64_t last = std::min(first + step, ids);
        work[at] = shape.iteration_work * static_cast<double>((last - first + shape.block - 1) / shape.block);
    }
    if (shape.work_of_stored <= 0)
        return work;
    const std::vector<std::int64_t> stored = count_distinct_in_groups(pattern, shape.stored, shape.ids);
    for (std::size_t at = 0; at < work.size(); ++at)
        work[at] += shape.work_of_stored * static_cast<double>(stored[at]);
    return work;
}

namespace {

/// The work of an iteration of the parallel loop besides its body, in units of one stored position.
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

/// The order in which the loops run where dense ones have sunk (shape_loops): an index whose inner part is
/// short as a whole.
SuperSchedule with_dense_innermost(SuperSchedule schedule) {
    const auto dense = dense_index(schedule.op);
    if (!dense)
        return schedule;
    constexpr std::int64_t short_split = 16;
    const bool is_whole = schedule.split(*dense) < short_split;
    std::ranges::stable_partition(schedule.order, [&](LoopIndex loop) {
        return loop.index != *dense || (loop.part == Part::Outer && !is_whole);
    });
    return schedule;
}

/// Chunks of other loops are taken to be alike.
bool has_uneven_chunks(const SuperSchedule& schedule) {
    return schedule.parallel.part == Part::Outer && is_sparse_index(schedule.op, schedule.parallel.index);
}

} // namespace

ChunkBalance ProfiledPattern::balance(const ChunkShape& shape) const {
    return balances_(shape, [&] { return ChunkBalance(chunk_work(pattern(), shape)); });
}

std::vector<double> ProfiledPattern::irregularity(const StorageFormat& format) const {
    FormatKey key{};
    assert(format.levels.size() <= key.size());
    for (std::size_t l = 0; l < format.levels.size(); ++l) {
        const StorageLevel& level = format.levels[l];
        key[l] = level.split << 4 | static_cast<std::int64_t>(level.mode) << 2 |
                 static_cast<std::int64_t>(level.loop.part) << 1 | static_cast<std::int64_t>(level.format);
    }
    return irregularities_(key, [&] { return loop_irregularity(format, pattern()); });
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
    profile.loops = count_loops(schedule, extents, storage, profile.storage, pattern.nnz(),
                                irregularity(storage), mean_fill(storage, distinct_));
    profile.scopes = memory_scopes(schedule, extents, storage, profile.storage, visited);
    if (const SuperSchedule sunk = with_dense_innermost(schedule); sunk.order != schedule.order)
        profile.sunk_scopes = memory_scopes(sunk, extents, storage, profile.storage, visited);
    profile.output_bytes =
        4.0 * static_cast<double>(operand_sizes(schedule.op, extents, profile.storage.positions.back()).c);
    profile.regions = entries_of_parallel_loop(profile.loops);
    profile.chunks = std::max(1.0, iterations_of_parallel_loop(profile.loops) / schedule.chunk);
    if (profile.regions > 0 && has_uneven_chunks(schedule))
        profile.balance = balance(chunk_shape(schedule, extents, storage, visited));
    if (stop.stop_requested()) // what was counted since then is none
        return fail(Fault::Cancelled, "stopped while schedules were looked at");
    return profile;
}

Result<ParallelWork> ProfiledPattern::parallel_work(const SuperSchedule& asked, std::int64_t dense,
                                                    const std::stop_token& stop) const {
    const auto profile = this->profile(asked, dense, stop);
    if (!profile)
        return std::unexpected(profile.error());
    const SuperSchedule schedule = canonical(asked);
    if (profile->regions > 0 && has_uneven_chunks(schedule)) {
        const StorageFormat storage = storage_format(schedule, pattern().rows, pattern().cols);
        const VisitedCoordinates visited(storage, distinct_, stop);
        const Extents extents = sparsight::extents(schedule.op, pattern().rows, pattern().cols, dense);
        const ChunkShape shape = chunk_shape(schedule, extents, storage, visited);
        const std::int64_t ids = shape.ids.rows ? pattern().rows : pattern().cols;
        return ParallelWork{chunk_work(pattern(), shape), (ids + shape.block - 1) / shape.block};
    }
    ParallelWork work;
    work.iterations = std::max<std::int64_t>(1, std::llround(iterations_of_parallel_loop(profile->loops)));
    for (std::int64_t first = 0; first < work.iterations; first += schedule.chunk)
        work.chunks.push_back(
            static_cast<double>(std::min<std::int64_t>(schedule.chunk, work.iterations - first)));
    return work;
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
