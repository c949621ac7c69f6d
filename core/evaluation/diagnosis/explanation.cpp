#include "evaluation/diagnosis/explanation.h"

#include "evaluation/diagnosis/simulated_evaluator.h"
#include "machine/mechanistic/mechanistic_simulator.h"

namespace sparsight {

namespace {

Mechanism mechanism_of(const MachineParameters& machine, const ScheduleProfile& profile) {
    return {.parts = simulate(machine, profile),
            .storage_bytes = static_cast<double>(profile.storage.bytes),
            .positions = static_cast<double>(profile.storage.positions.back()),
            .fill_in = profile.loops.fill_in,
            .regions = profile.regions,
            .chunks = profile.chunks};
}

/// The time that is left of the budget after the hybrids is that of the smaller changes.
ScheduleChangeOptions change_options(const ExplanationRequest& request, Milliseconds start,
                                     HybridEvaluator& screen) {
    ScheduleChangeOptions options{.steps = request.tried_steps,
                                  .screen = &screen,
                                  .clock = request.blame.clock,
                                  .progress = request.blame.progress,
                                  .stop = request.blame.stop};
    if (request.blame.budget)
        options.deadline = start + *request.blame.budget;
    return options;
}

} // namespace

Result<Explanation> explain(const ProfiledPattern& pattern, HybridEvaluator& evaluator,
                            const ExplanationRequest& request) {
    const auto space = HybridSpace::make(request.from, request.to);
    if (!space)
        return std::unexpected(space.error());
    const Milliseconds start = request.blame.clock();
    auto blame = find_blame(*space, evaluator, request.blame);
    if (!blame)
        return std::unexpected(std::move(blame.error()));
    const auto from = pattern.profile(space->from(), request.dense);
    const auto to = pattern.profile(space->to(), request.dense);
    if (!from || !to)
        return std::unexpected((from ? to : from).error());

    const MachineParameters machine = parameters_with_threads(request.machine, request.kernel_threads);
    SimulatedEvaluator screen(pattern, request.dense, machine, request.threads);
    const Extents sizes =
        extents(request.from.op, pattern.pattern().rows, pattern.pattern().cols, request.dense);
    auto change = smallest_schedule_change(*blame, evaluator, sizes, change_options(request, start, screen));
    if (!change)
        return std::unexpected(std::move(change.error()));

    Explanation explanation{.blame = std::move(*blame),
                            .from = mechanism_of(machine, *from),
                            .to = mechanism_of(machine, *to),
                            .schedule_change = std::move(*change),
                            .is_measured = evaluator.name() == "measured",
                            .machine_changes = {},
                            .pattern_changes = {},
                            .no_counters = "not counted: nothing was run"};
    explanation.simulation_agrees = explanation.to.parts.total() >= explanation.from.parts.total();
    if (!explanation.simulation_agrees || explanation.blame.difference_ms() <= 0)
        return explanation;
    explanation.machine_changes = machine_changes(request.machine, *from, *to, request.kernel_threads);
    auto patterns = pattern_changes(pattern.pattern(), machine, request.dense, space->from(), space->to(),
                                    request.blame.stop);
    if (!patterns)
        return std::unexpected(std::move(patterns.error()));
    explanation.pattern_changes = std::move(*patterns);
    return explanation;
}

} // namespace sparsight
