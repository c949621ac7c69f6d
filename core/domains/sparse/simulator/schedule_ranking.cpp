#include "domains/sparse/simulator/schedule_ranking.h"

#include "base/parallel.h"
#include "base/random.h"
#include "domains/sparse/schedule/sampler.h"
#include "machine/machine_edit.h"
#include "machine/machine_family.h"
#include "machine/machine_presets.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace sparsight {

std::optional<std::size_t> Ranking::winner() const {
    if (order.empty() || !std::isfinite(milliseconds[order.front()]))
        return std::nullopt;
    return order.front();
}

std::optional<double> Ranking::lead() const {
    if (order.size() < 2 || !std::isfinite(milliseconds[order[1]]))
        return std::nullopt;
    return milliseconds[order[1]] / milliseconds[order[0]] - 1;
}

Ranking rank(std::vector<double> milliseconds) {
    Ranking ranking;
    ranking.milliseconds = std::move(milliseconds);
    ranking.order.resize(ranking.milliseconds.size());
    std::iota(ranking.order.begin(), ranking.order.end(), std::size_t{0});
    std::ranges::stable_sort(ranking.order, {}, [&](std::size_t each) { return ranking.milliseconds[each]; });
    return ranking;
}

Ranking rank(std::span<const SimulatedTime> times) {
    std::vector<double> totals(times.size());
    std::ranges::transform(times, totals.begin(), &SimulatedTime::total);
    return rank(std::move(totals));
}

std::vector<SimulatedTime> simulate(const MachineParameters& machine,
                                    std::span<const ScheduleProfile> profiles) {
    std::vector<SimulatedTime> times;
    times.reserve(profiles.size());
    for (const ScheduleProfile& profile : profiles)
        times.push_back(simulate(machine, profile));
    return times;
}

double paper_scale(const MachineParameters& machine) {
    using P = MachineParameter;
    const double bandwidth = machine[P::SocketBandwidth] * machine[P::Sockets];
    return machine[P::MemoryLatency] / latency_unit.count() / (machine[P::Cores] * bandwidth);
}

std::vector<double> scale_by_paper(const MachineParameters& machine, std::span<const double> recorded_ms) {
    const double scale = paper_scale(machine);
    std::vector<double> scaled(recorded_ms.size());
    std::ranges::transform(recorded_ms, scaled.begin(), [&](double each) { return each * scale; });
    return scaled;
}

PaperBasis paper_basis(std::span<const std::optional<double>> recorded_ms, const MachineParameters& machine,
                       std::span<const ScheduleProfile> profiles) {
    const auto known = std::ranges::count_if(
        recorded_ms, [](const std::optional<double>& each) { return each.has_value(); });
    PaperBasis basis{known >= 2, {}};
    if (!basis.is_recorded) {
        basis.milliseconds = rank(simulate(machine, profiles)).milliseconds;
        return basis;
    }
    for (const std::optional<double>& each : recorded_ms)
        basis.milliseconds.push_back(each.value_or(std::numeric_limits<double>::infinity()));
    return basis;
}

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

namespace {

WinnerCell cell_of(const Ranking& ranking) {
    return {ranking.order.front(), ranking.milliseconds[ranking.order.front()], ranking.lead().value_or(0)};
}

Result<WinnerMap> fill(const MachineDescription& machine, MapAxis x, MapAxis y, int threads,
                       const std::stop_token& stop,
                       const std::function<Ranking(const MachineParameters&)>& ranking_on) {
    WinnerMap map{std::move(x), std::move(y), {}};
    const std::size_t width = map.x.values.size();
    map.cells.resize(width * map.y.values.size());
    std::vector<MachineDescription> columns;
    columns.reserve(width);
    for (const double value : map.x.values)
        columns.push_back(with_parameter(machine, map.x.parameter, value));
    const auto rows = static_cast<std::int64_t>(map.y.values.size());
    parallel_parts(threads, rows, [&](int, std::int64_t begin, std::int64_t end) {
        for (auto row = static_cast<std::size_t>(begin); row < static_cast<std::size_t>(end); ++row)
            for (std::size_t column = 0; column < width && !stop.stop_requested(); ++column) {
                const auto here = with_parameter(columns[column], map.y.parameter, map.y.values[row]);
                map.cells[row * width + column] = cell_of(ranking_on(resolve_parameters(here).values));
            }
    });
    if (stop.stop_requested())
        return fail(Fault::Cancelled, "stopped");
    return map;
}

} // namespace

MapAxis map_axis(const MachineDescription& machine, MachineParameter parameter, int steps) {
    const double value = resolve_parameters(machine).values[parameter];
    return {parameter, steps_over(parameter, usual_range(parameter, value), steps)};
}

std::vector<WinnerMap::Share> WinnerMap::winners() const {
    std::map<std::size_t, std::size_t> counts;
    for (const WinnerCell& cell : cells)
        ++counts[cell.winner];
    std::vector<Share> shares;
    for (const auto& [schedule, count] : counts)
        shares.push_back({schedule, count});
    std::ranges::stable_sort(shares, std::greater{}, &Share::cells);
    return shares;
}

Result<WinnerMap> winner_map(const MachineDescription& machine, MapAxis x, MapAxis y,
                             std::span<const ScheduleProfile> profiles, int threads,
                             const std::stop_token& stop) {
    return fill(machine, std::move(x), std::move(y), threads, stop,
                [&](const MachineParameters& parameters) { return rank(simulate(parameters, profiles)); });
}

Result<WinnerMap> paper_winner_map(const MachineDescription& machine, MapAxis x, MapAxis y,
                                   std::span<const double> recorded_ms, const std::stop_token& stop) {
    return fill(machine, std::move(x), std::move(y), 1, stop, [&](const MachineParameters& parameters) {
        return rank(scale_by_paper(parameters, recorded_ms));
    });
}

} // namespace sparsight
