#include "domains/sparse/explanation/explanation.h"

#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/schedule/designed_schedules.h"
#include "domains/sparse/schedule/schedule_hybrids.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/mechanistic_simulator.h"

#include <utility>

namespace sparsight {

namespace {

Mechanism mechanism_of(const SuperSchedule& schedule, const MachineParameters& machine,
                       const ScheduleProfile& profile) {
    return {.schedule = schedule,
            .parts = simulate(machine, profile),
            .storage_bytes = static_cast<double>(profile.storage.bytes),
            .positions = static_cast<double>(profile.storage.positions.back()),
            .fill_in = profile.loops.fill_in,
            .regions = profile.regions,
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
    return disagreement_of(*blame.to.milliseconds / *blame.from.milliseconds,
                           explanation.to.parts.total() / explanation.from.parts.total());
}

} // namespace sparsight
