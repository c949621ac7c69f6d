#include "evaluation/diagnosis/explanation.h"

#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "evaluation/diagnosis/hybrids/simulated_evaluator.h"
#include "evaluation/time_differences.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

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

namespace {

/// -1: faster, 0: equally fast, 1: slower.
int side(double factor) {
    if (is_equally_fast(std::max(factor, 1 / factor) - 1))
        return 0;
    return factor > 1 ? 1 : -1;
}

} // namespace

double Disagreement::apart() const {
    return std::max(measured_factor, simulated_factor) / std::min(measured_factor, simulated_factor);
}

std::optional<Disagreement> disagreement_of(double measured_factor, double simulated_factor) {
    if (side(measured_factor) == side(simulated_factor))
        return std::nullopt;
    return Disagreement{measured_factor, simulated_factor};
}

std::optional<Disagreement> disagreement_of(const Explanation& explanation) {
    const Blame& blame = explanation.blame;
    return disagreement_of(*blame.to.milliseconds / *blame.from.milliseconds,
                           explanation.to.parts.total() / explanation.from.parts.total());
}

std::string to_text(const Disagreement& disagreement, std::string_view known, std::string_view against,
                    std::string_view machine, bool can_be_measured) {
    return fmt::format(
        "{}, it takes {:.3g} times as long as {}; simulated on {}, {:.3g} times. The two disagree "
        "by a factor of {:.3g}, so simulated parts say little here: fit the machine to "
        "measurements (`sparsight-cli machine calibrate`){}.",
        known, disagreement.measured_factor, against, machine, disagreement.simulated_factor,
        disagreement.apart(), can_be_measured ? ", or have every step measured (`--measured`)" : "");
}

} // namespace sparsight
