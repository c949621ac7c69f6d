#include "machine/what_if/schedule_set.h"

#include "base/random.h"
#include "machine/machine_family.h"
#include "machine/machine_presets.h"
#include "machine/what_if/ranking.h"
#include "schedule/sampler.h"

#include <algorithm>
#include <set>

namespace sparsight {

namespace {

constexpr int drawn_by_each = 50;
constexpr std::size_t drawn_machines = 48;

/// The list without what means the same as something before it.
class DistinctSchedules {
public:
    bool add(SuperSchedule schedule) {
        schedule = canonical(schedule);
        schedule.threads = all_threads;
        if (!seen_.insert(schedule).second)
            return false;
        list_.push_back(schedule);
        return true;
    }
    [[nodiscard]] std::vector<SuperSchedule>& list() { return list_; }

private:
    std::set<SuperSchedule> seen_;
    std::vector<SuperSchedule> list_;
};

std::vector<MachineParameters> machines_to_win_on() {
    std::vector<MachineParameters> machines;
    for (const MachinePreset& preset : machine_presets())
        machines.push_back(resolve_parameters(preset.machine).values);
    for (const MachineDescription& machine : sample_machines(1, drawn_machines))
        machines.push_back(resolve_parameters(machine).values);
    return machines;
}

/// Places of the first `known` schedules, and of others up to `count`: winners first.
std::vector<std::size_t> those_that_win(std::span<const ScheduleProfile> profiles, std::size_t known,
                                        std::size_t count) {
    std::vector<Ranking> rankings;
    for (const MachineParameters& machine : machines_to_win_on())
        rankings.push_back(rank(simulate(machine, profiles)));
    std::vector<bool> taken(profiles.size());
    std::vector<std::size_t> places;
    const auto take = [&](std::size_t place) {
        if (!taken[place])
            places.push_back(place);
        taken[place] = true;
    };
    for (std::size_t place = 0; place < known; ++place)
        take(place);
    for (std::size_t at = 0; at < profiles.size(); ++at)
        for (const Ranking& ranking : rankings)
            if (places.size() < count)
                take(ranking.order[at]);
    return places;
}

} // namespace

Result<ScheduleSet> schedule_set(const ProfiledPattern& pattern, const ScheduleSetRequest& request,
                                 const ProfilingOptions& options) {
    const Extents sizes = extents(request.op, pattern.pattern().rows, pattern.pattern().cols, request.dense);
    DistinctSchedules distinct;
    distinct.add(fixed_csr(request.op, all_threads));
    for (const SuperSchedule& schedule : request.known)
        distinct.add(schedule);
    const std::size_t known = distinct.list().size();
    if (known < request.count) {
        Random random(request.seed);
        const auto near = sample_near(fixed_csr(request.op, all_threads), sizes, drawn_by_each, random);
        for (const SuperSchedule& schedule : near)
            distinct.add(schedule);
        for (const SuperSchedule& schedule :
             sample_waco(request.op, sizes, drawn_by_each, all_threads, random))
            distinct.add(schedule);
    }
    auto profiles = profile_all(pattern, distinct.list(), request.dense, options);
    if (!profiles)
        return std::unexpected(std::move(profiles.error()));
    ScheduleSet set;
    for (const std::size_t place : those_that_win(*profiles, known, request.count)) {
        set.schedules.push_back(distinct.list()[place]);
        set.profiles.push_back(std::move((*profiles)[place]));
    }
    return set;
}

} // namespace sparsight
