#include "domains/sparse/explanation/explanation.h"

#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/search_space.h"
#include "evaluation/failures/failure_case.h"
#include "machine/machine_edit.h"
#include "machine/machine_family.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

/// What one could buy: not what the generated code costs on it.
constexpr std::array what_differs_between_machines{
    MachineParameter::Cores,           MachineParameter::ClockRate,     MachineParameter::Lanes,
    MachineParameter::L2Bytes,         MachineParameter::L3Bytes,       MachineParameter::CoreBandwidth,
    MachineParameter::SocketBandwidth, MachineParameter::MemoryLatency, MachineParameter::RegionCost,
    MachineParameter::ChunkCost};
constexpr int steps_in_range = 64;

} // namespace

double MachineChange::factor() const {
    return std::max(before, after) / std::min(before, after);
}

MachineParameters parameters_with_threads(const MachineDescription& machine, int threads) {
    MachineParameters parameters = resolve_parameters(machine).values;
    double& all = parameters[MachineParameter::Threads];
    if (threads > 0)
        all = std::min(all, static_cast<double>(threads));
    return parameters;
}

std::vector<MachineChange> machine_changes(const MachineDescription& machine, const ScheduleProfile& from,
                                           const ScheduleProfile& to, int threads) {
    const MachineParameters before = parameters_with_threads(machine, threads);
    std::vector<MachineChange> changes;
    for (const MachineParameter parameter : what_differs_between_machines) {
        const double value = before[parameter];
        std::optional<MachineChange> nearest;
        for (const double after : steps_over(parameter, usual_range(parameter, value), steps_in_range)) {
            if (value <= 0 || after <= 0 || after == value)
                continue;
            MachineChange change{parameter, value, after};
            if (nearest && change.factor() >= nearest->factor())
                continue;
            const auto changed = parameters_with_threads(with_parameter(machine, parameter, after), threads);
            change.from_ms = simulate(changed, from).total();
            change.to_ms = simulate(changed, to).total();
            if (is_faster_simulated(change.to_ms, change.from_ms))
                nearest = change;
        }
        if (nearest)
            changes.push_back(*nearest);
    }
    std::ranges::stable_sort(changes, {}, &MachineChange::factor);
    return changes;
}

namespace {

Mechanism mechanism_of(const SuperSchedule& schedule, const MachineParameters& machine,
                       const ScheduleProfile& profile) {
    return {.schedule = schedule,
            .parts = simulate(machine, profile),
            .storage_bytes = static_cast<double>(profile.storage.bytes),
            .positions = static_cast<double>(profile.storage.positions.back()),
            .fill_in = profile.loops.fill_in,
            .regions = instructions_on(machine, profile).regions,
            .chunks = profile.chunks};
}

/// The time that is left of the budget after the hybrids is that of the smaller changes.
ConfigurationChangeOptions change_options(const ExplanationRequest& request, Milliseconds start,
                                          Clock& screen, const Extents& extents) {
    ConfigurationChangeOptions options{
        .steps = request.tried_steps,
        .screen = &screen,
        .designs = [op = request.from.op,
                    extents] { return configurations_of(designed_schedules(op, extents, 1)); },
        .clock = request.blame.clock,
        .progress = request.blame.progress,
        .stop = request.blame.stop};
    if (request.blame.budget)
        options.deadline = start + *request.blame.budget;
    return options;
}

} // namespace

Result<Explanation> explain(const ProfiledPattern& pattern, Clock& clock, const ExplanationRequest& request) {
    const auto space = ScheduleHybrids::make(request.from, request.to);
    if (!space)
        return std::unexpected(space.error());
    const Milliseconds start = request.blame.clock();
    auto blame = find_blame(*space, clock, request.blame);
    if (!blame)
        return std::unexpected(std::move(blame.error()));
    const auto from = pattern.profile((*space)->from_schedule(), request.dense);
    const auto to = pattern.profile((*space)->to_schedule(), request.dense);
    if (!from || !to)
        return std::unexpected((from ? to : from).error());

    const MachineParameters machine = parameters_with_threads(request.machine, request.kernel_threads);
    SimulatedClock screen(pattern, request.dense, machine, request.threads);
    const Extents sizes =
        extents(request.from.op, pattern.pattern().rows, pattern.pattern().cols, request.dense);
    auto change = smallest_configuration_change(*blame, clock, ScheduleSpace(request.from.op, sizes),
                                                change_options(request, start, screen, sizes));
    if (!change)
        return std::unexpected(std::move(change.error()));

    Explanation explanation{.blame = std::move(*blame),
                            .from = mechanism_of((*space)->from_schedule(), machine, *from),
                            .to = mechanism_of((*space)->to_schedule(), machine, *to),
                            .schedule_change = std::move(*change),
                            .is_measured = clock.name() == "measured",
                            .machine_changes = {},
                            .pattern_changes = {},
                            .no_counters = "not counted: nothing was run"};
    explanation.simulation_agrees = explanation.to.parts.total() >= explanation.from.parts.total();
    if (!explanation.simulation_agrees || explanation.blame.difference_ms() <= 0)
        return explanation;
    explanation.machine_changes = machine_changes(request.machine, *from, *to, request.kernel_threads);
    auto patterns = pattern_changes(pattern.pattern(), machine, request.dense, (*space)->from_schedule(),
                                    (*space)->to_schedule(), request.blame.stop);
    if (!patterns)
        return std::unexpected(std::move(patterns.error()));
    explanation.pattern_changes = std::move(*patterns);
    return explanation;
}

std::optional<Disagreement> disagreement_of(const Explanation& explanation) {
    const Blame& blame = explanation.blame;
    return disagreement_beyond_noise(blame.from, blame.to,
                                     explanation.to.parts.total() / explanation.from.parts.total());
}

} // namespace sparsight
