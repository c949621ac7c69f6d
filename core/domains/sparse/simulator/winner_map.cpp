#include "domains/sparse/simulator/winner_map.h"

#include "base/parallel.h"
#include "machine/machine_edit.h"
#include "machine/machine_family.h"

#include <algorithm>
#include <functional>
#include <map>

namespace sparsight {

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
