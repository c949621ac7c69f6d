#include "base/plural.h"
#include "cli/calibration_choice.h"
#include "cli/commands.h"
#include "cli/simulation_report.h"
#include "collection/machine_validation.h"
#include "command/command.h"
#include "command/interruption.h"
#include "command/job_events.h"
#include "store/workspace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp machine_validate_help{.description = R"(
Simulates the schedules that were measured on a machine and says how true that
is, as means over matrices: Kendall's tau and the share of pairs in the right
order, over all schedules and over the quarter that was fastest; how much slower
the best of the simulator's first 1, 5 and 20 is than the best of all; by which
factor half of the simulated times are off at most. Beside it what measuring
once more would reach, as far as the measurements' own spread tells, and what is
left when one term of the simulator costs nothing.

Only matrices that the last `machine calibrate` did not see are looked at: a
third, chosen by their names. Where it has seen all, as they were too few, all
are, and first comes what it was worth on each when that was left out. --all looks
at all of them.)",
                                            .examples = R"(
sparsight-cli machine validate
sparsight-cli machine validate 'Xeon 8272CL' --operator spmv --all --json)",
                                            .json = R"(
{"machine", "operator", "dense", "protocol", "threads", "calibrated", "held_out",
 "runs", "left_out", "left_out_because": {REASON: N},
 "without_pattern": [{"matrix", "reason"}], "mean": QUALITY,
 "cross_validated": QUALITY or null, "ceiling": QUALITY or null,
 "without": [{"term", "mean": QUALITY}],
 "matrices": [{"matrix", "schedules", "quality": QUALITY}]}
QUALITY is {"kendall_tau", "ordered_pair_accuracy", "best_quarter":
{"kendall_tau", "ordered_pair_accuracy"}, "regret": {"1", "5", "20"},
"median_error"}; a regret of 0.1 is 10 % slower, an error of 1.2 a factor.)"};

struct ValidateForm {
    std::shared_ptr<CalibrationChoice> choice;
    bool all = false;
    ProgressForm progress = ProgressForm::Display;
};

Json validation_json(const MachineValidation& validation, bool held_out) {
    Json without = Json::array();
    for (const auto& [term, mean] : validation.without)
        without.push_back({{"term", name(term)}, {"mean", quality_json(mean)}});
    Json matrices = Json::array();
    for (const ValidatedMatrix& matrix : validation.matrices)
        matrices.push_back({{"matrix", matrix.name},
                            {"schedules", matrix.simulated_ms.size()},
                            {"quality", quality_json(matrix.quality)}});
    return {
        {"machine", validation.machine.name},
        {"operator", name(validation.source.op)},
        {"dense", validation.source.dense},
        {"protocol", validation.source.protocol},
        {"threads", validation.source.threads},
        {"calibrated", validation.is_calibrated},
        {"held_out", held_out && !validation.all_were_fitted},
        {"runs", validation.runs},
        {"left_out", validation.left_out.count()},
        {"left_out_because", left_out_json(validation.left_out)},
        {"without_pattern", without_pattern_json(validation.without_pattern)},
        {"mean", quality_json(validation.mean)},
        {"cross_validated", validation.cross_validated ? quality_json(*validation.cross_validated) : Json()},
        {"ceiling", validation.ceiling ? quality_json(*validation.ceiling) : Json()},
        {"without", std::move(without)},
        {"matrices", std::move(matrices)}};
}

void print_validation(const Session& session, const MachineValidation& validation, bool held_out) {
    const bool is_unseen = held_out && !validation.all_were_fitted;
    session.print(fmt::format("{}: {} on {}{}, {}{}\n\n", validation.machine.name,
                              counted(validation.runs, "schedule", "schedules"),
                              counted(validation.matrices.size(), "matrix", "matrices"),
                              is_unseen                    ? " that no calibration saw"
                              : validation.all_were_fitted ? ", fitted to all of them"
                                                           : "",
                              name(validation.source.op),
                              validation.is_calibrated ? "" : ", not calibrated"));
    Table table = quality_table("simulation");
    if (validation.cross_validated)
        add_quality(table, "cross-validated", *validation.cross_validated);
    add_quality(table, validation.all_were_fitted ? "fitted to these" : "mechanistic", validation.mean);
    if (validation.ceiling)
        add_quality(table, "measured once more", *validation.ceiling);
    for (const auto& [term, mean] : validation.without)
        add_quality(table, fmt::format("without {}", name(term)), mean);
    session.print(table.text());
    if (validation.cross_validated)
        session.remark("cross-validated is what the calibration found on each matrix when it was left out; "
                       "the other lines are of the calibration to all of these, which flatters it");
    else if (validation.all_were_fitted)
        session.remark("the machine was fitted to all of these matrices, which were too few to keep some "
                       "back, which flatters it: on others it is less true; `machine calibrate` "
                       "cross-validates");
    if (!validation.ceiling)
        session.remark(
            "what measuring once more would reach is not known: these times came without their spreads");
    remark_on_left_out(session, validation.without_pattern, validation.left_out);
}

ExitCode validate(Session& session, const ValidateForm& form) {
    const Interruption interruption;
    JobEvents events(session, "validate", form.progress);
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    auto request = calibration_request(*workspace, *form.choice);
    if (!request)
        return events.refuse(request.error());
    request->held_out_only = !form.all;
    ProgressDisplay display(events.display_style());
    events.start();
    const auto validation = validate_machine(*workspace, *request, session.options.seed, interruption.token(),
                                             events.are_told() ? events.sink() : display.sink());
    display.clear();
    if (!validation)
        return events.refuse(validation.error(),
                             interruption.requested() ? ExitCode::Interrupted : ExitCode::SomeFailed);
    if (events.are_told())
        events.end(validation_json(*validation, !form.all), true, false);
    else if (session.options.json)
        session.print_json(validation_json(*validation, !form.all));
    else
        print_validation(session, *validation, !form.all);
    return ExitCode::Done;
}

} // namespace

void add_machine_validate(CLI::App& machine, Session& session) {
    CLI::App& command = add_command(machine, "validate", "Hold a simulated machine against its measurements",
                                    machine_validate_help);
    const auto form = std::make_shared<ValidateForm>();
    form->choice = add_calibration_choice(command);
    command.add_flag("--all", form->all, "look at all matrices, those of the calibration too");
    add_progress_option(command, form->progress);
    set_action(command, session, [&session, form] { return validate(session, *form); });
}

} // namespace sparsight
