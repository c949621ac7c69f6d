#include "base/plural.h"
#include "cli/calibration_choice.h"
#include "cli/commands.h"
#include "cli/simulation_report.h"
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

Only matrices that `machine calibrate` keeps back are looked at: a third, chosen
by their names. --all looks at all of them.)",
                                            .examples = R"(
sparsight-cli machine validate
sparsight-cli machine validate 'Xeon 8272CL' --operator spmv --all --json)",
                                            .json = R"(
{"machine", "operator", "dense", "protocol", "threads", "calibrated", "held_out",
 "runs", "left_out", "without_pattern",
 "mean": QUALITY, "ceiling": QUALITY or null,
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

/// The coefficients of a simulated machine were chosen or drawn.
bool is_calibrated(const MachineDescription& machine) {
    return machine.source != MachineSource::Simulated &&
           std::ranges::any_of(fitted_parameters(), [&](MachineParameter parameter) {
               return machine.coefficients.contains(parameter);
           });
}

Json validation_json(const CalibrationData& data, const SimulatorValidation& validation, bool held_out) {
    Json without = Json::array();
    for (const auto& [term, mean] : validation.without)
        without.push_back({{"term", name(term)}, {"mean", quality_json(mean)}});
    Json matrices = Json::array();
    for (const MatrixSimulation& matrix : validation.matrices)
        matrices.push_back({{"matrix", matrix.matrix},
                            {"schedules", matrix.simulated_ms.size()},
                            {"quality", quality_json(matrix.quality)}});
    return {{"machine", data.machine.name},
            {"operator", name(data.source.op)},
            {"dense", data.source.dense},
            {"protocol", data.source.protocol},
            {"threads", data.source.threads},
            {"calibrated", is_calibrated(data.description)},
            {"held_out", held_out},
            {"runs", data.runs},
            {"left_out", data.left_out},
            {"without_pattern", data.without_pattern},
            {"mean", quality_json(validation.mean)},
            {"ceiling", validation.ceiling ? quality_json(*validation.ceiling) : Json()},
            {"without", std::move(without)},
            {"matrices", std::move(matrices)}};
}

void print_validation(const Session& session, const CalibrationData& data,
                      const SimulatorValidation& validation, bool held_out) {
    session.print(fmt::format(
        "{}: {} on {}{}, {}{}\n\n", data.machine.name, counted(data.runs, "schedule", "schedules"),
        counted(static_cast<std::int64_t>(validation.matrices.size()), "matrix", "matrices"),
        held_out ? " that no calibration saw" : "", name(data.source.op),
        is_calibrated(data.description) ? "" : ", not calibrated"));
    Table table = quality_table("simulation");
    add_quality(table, "mechanistic", validation.mean);
    if (validation.ceiling)
        add_quality(table, "measured once more", *validation.ceiling);
    for (const auto& [term, mean] : validation.without)
        add_quality(table, fmt::format("without {}", name(term)), mean);
    session.print(table.text());
    if (!validation.ceiling)
        session.remark(
            "what measuring once more would reach is not known: these times came without their spreads");
}

ExitCode validate(Session& session, const ValidateForm& form) {
    const Interruption interruption;
    JobEvents events(session, "validate", form.progress);
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    const auto request = calibration_request(*workspace, *form.choice);
    if (!request)
        return events.refuse(request.error());
    ProgressDisplay display(events.display_style());
    events.start();
    auto data = calibration_data(*workspace, *request, interruption.token(),
                                 events.are_told() ? events.sink() : display.sink());
    display.clear();
    if (!data)
        return events.refuse(data.error(),
                             interruption.requested() ? ExitCode::Interrupted : ExitCode::SomeFailed);
    if (!form.all) {
        std::erase_if(data->matrices,
                      [](const CalibrationMatrix& matrix) { return !is_held_out(matrix.name); });
        data->runs = 0;
        for (const CalibrationMatrix& matrix : data->matrices)
            data->runs += static_cast<std::int64_t>(matrix.profiles.size());
        if (data->matrices.empty())
            return events.refuse({Fault::Input,
                                  "none of the matrices is kept back from the calibration; --all looks at "
                                  "all of them",
                                  {},
                                  0});
    }
    const auto validation = validate_simulator(data->parameters, data->matrices, session.options.seed);
    if (!validation)
        return events.refuse(validation.error());
    if (events.are_told())
        events.end(validation_json(*data, *validation, !form.all), true, false);
    else if (session.options.json)
        session.print_json(validation_json(*data, *validation, !form.all));
    else
        print_validation(session, *data, *validation, !form.all);
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
