#include "domains/sparse/simulator/simulated_timeline.h"

#include "domains/sparse/simulator/simulator.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

std::int64_t nanoseconds(double milliseconds) {
    return std::llround(milliseconds * 1e6);
}

} // namespace

Result<ThreadTimeline> simulated_timeline(const ProfiledPattern& pattern, const SuperSchedule& asked,
                                          std::int64_t dense, const MachineParameters& machine,
                                          const std::stop_token& stop) {
    const SuperSchedule schedule = canonical(asked);
    const auto profile = pattern.profile(schedule, dense, stop);
    if (!profile)
        return std::unexpected(profile.error());
    const auto parallel = pattern.parallel_work(schedule, dense, stop);
    if (!parallel)
        return std::unexpected(parallel.error());
    const SimulatedTime time = simulate(machine, *profile);
    const double regions = instructions_on(machine, *profile).regions;

    ThreadTimeline timeline{.threads = std::max(1, static_cast<int>(machine[MachineParameter::Threads])),
                            .loop = parallel_loop(schedule, pattern.pattern().rows, pattern.pattern().cols),
                            .regions = std::llround(regions),
                            .total_ns = nanoseconds(time.total()),
                            .opening_ns = nanoseconds(time[TimeTerm::Regions])};
    const std::int64_t entries = std::max<std::int64_t>(1, timeline.regions);
    timeline.chunks = entries * std::ssize(parallel->chunks);
    timeline.iterations = entries * parallel->iterations;
    // One chunk, or one thread: the loop is run where it is met.
    const bool is_shared = regions > 0 && profile->chunks > 1;
    const ChunkGroups groups(parallel->chunks);
    const std::vector<ChunkShare> shares = hand_out(groups.work, is_shared ? timeline.threads : 1);
    double end = 0;
    for (const ChunkShare& share : shares)
        end = std::max(end, share.end);
    if (end <= 0)
        return timeline;
    const double scale = (time.total() - time[TimeTerm::Regions]) / end;
    std::vector<IntervalLane<ChunkInterval>> lanes(static_cast<std::size_t>(timeline.threads));
    const std::int64_t merged =
        merged_chunks(std::ssize(shares)) * entries * static_cast<std::int64_t>(groups.size);
    for (auto& lane : lanes)
        lane.prepare(timeline.chunks, merged);
    const auto moment = [&](double work) { // rounded, the last one may lie a nanosecond behind the end
        return std::min(timeline.opening_ns + nanoseconds(work * scale), timeline.total_ns);
    };
    for (std::size_t at = 0; at < shares.size(); ++at) {
        const auto chunk = static_cast<std::int64_t>(at * groups.size);
        const std::int64_t last = std::min<std::int64_t>(chunk + static_cast<std::int64_t>(groups.size),
                                                         std::ssize(parallel->chunks));
        const std::int64_t first = chunk * schedule.chunk;
        ChunkInterval interval{.thread = static_cast<int>(shares[at].core),
                               .chunk = chunk,
                               .chunks = entries * (last - chunk),
                               .first = first,
                               .iterations =
                                   entries * (std::min(last * schedule.chunk, parallel->iterations) - first),
                               .begin_ns = moment(shares[at].begin),
                               .end_ns = moment(shares[at].end)};
        interval.busy_ns = interval.end_ns - interval.begin_ns;
        lanes[shares[at].core].add(interval);
    }
    for (const auto& lane : lanes)
        timeline.intervals.insert(timeline.intervals.end(), lane.begin(), lane.end());
    return timeline;
}

} // namespace sparsight
