#include "machine/what_if/ranking.h"

#include "machine/mechanistic/mechanistic_simulator.h"
#include "machine/paper_formula.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

} // namespace sparsight
