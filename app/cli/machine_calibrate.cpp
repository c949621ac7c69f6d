#include "base/parallel.h"
#include "cli/calibration_choice.h"
#include "cli/calibration_output.h"
#include "cli/commands.h"
#include "command/command.h"
#include "command/interruption.h"
#include "command/job_events.h"
#include "command/options.h"
#include "machine/machine_json.h"
#include "machine/parameter_origin.h"
#include "store/imagined_machines.h"
#include "store/workspace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp machine_calibrate_help{.description = R"(
Fits the simulator's parameters of a machine to what was measured on it, this
computer (`collect`) or one whose runtimes were imported (`import-runtimes`), and
keeps them with the machine: simulations and what-if questions use them from then
on. Facts such as cores, clock and lanes stay what they are.

A third of the matrices, chosen by their names, is kept back: the report says how
true the simulation is on those, before and after. With fewer than 12 matrices
none is: each is held against a calibration to the others, and the machine is
fitted to all. Where schedules of those matrices are chosen worse than before,
their pairs ordered less well or the first choice more than a tenth slower, the
machine stays as it was, unless --even-if-worse is given.

The report also says how much of the doubt about each parameter the measurements
leave; one that they do not determine stays near what it was, and one at its
limit makes up for something that the simulator does not know. Each calibration
starts from the facts, not from an earlier calibration; with --instruction-costs
from the cycles of vector_start, tiled_vector, updated_vector, tiled_scalar,
updated_scalar, compressed_iteration and dense_iteration in the machine code for a
named processor, too.)",
                                             .examples = R"(
sparsight-cli machine calibrate
sparsight-cli machine calibrate 'Xeon 8272CL' --operator spmm --matrices 10)",
                                             .json = R"(
{"machine", "operator", "dense", "protocol", "threads", "matrices",
 "check": "kept back", "cross-validated" or "impossible", "held_out",
 "runs", "left_out", "left_out_because": {REASON: N}, "without_pattern": [{"matrix", "reason"}], "stored",
 "fitted_on": {"before": QUALITY, "after": QUALITY} or null,
 "held_out_quality": {"before": QUALITY, "after": QUALITY} or null,
 "remarks": [TEXT], "parameters": [{"key", "unit", "before", "after", "uncertainty", "determined",
                "at_limit"}]}
QUALITY as of `machine validate`. An uncertainty of 1 is that of knowing nothing.)"};

struct CalibrateForm {
    std::shared_ptr<CalibrationChoice> choice;
    std::int64_t most_matrices = 0; ///< 0: all that are not kept back
    int steps = CalibrationOptions{}.steps;
    bool try_only = false;
    bool even_if_worse = false;
    std::string code_of; ///< LLVM's name of a processor, or empty
    ProgressForm progress = ProgressForm::Display;
};

/// A simulated machine keeps its numbers: times that were simulated for it are of those.
Kept what_to_keep(const CalibrateForm& form, const CalibrationData& data, const CheckedCalibration& checked) {
    if (form.try_only || data.description.source == MachineSource::Simulated)
        return Kept::AsItWas;
    const bool is_worse = checked.on_held_out && chooses_worse(*checked.on_held_out);
    return is_worse && !form.even_if_worse ? Kept::TheBetterOne : Kept::Calibrated;
}

Result<void> store(Workspace& workspace, const CalibrationData& data, const CheckedCalibration& checked) {
    const std::string& fingerprint = data.machine.fingerprint;
    return in_one_transaction(workspace, [&]() -> Result<void> {
        // Somebody may have probed or described it while it was fitted: only the coefficients are ours.
        const auto known = find_machine(workspace, fingerprint);
        if (!known)
            return std::unexpected(known.error());
        if (!*known)
            return fail(Fault::Input, fmt::format("the machine '{}' was deleted while it was calibrated",
                                                  data.machine.name));
        MachineDescription machine = without_calibration(description_of(**known).value_or(data.description));
        set_coefficients(machine, checked.calibration);
        machine.calibration.fitted_matrices = checked.stems_of_all;
        machine.calibration.cross_validation = cross_validation(data, checked);
        const auto id = record_machine(workspace, (*known)->name, fingerprint, machine_to_text(machine));
        return id ? Result<void>() : std::unexpected(id.error());
    });
}

ExitCode calibrate_as_asked(Session& session, const CalibrateForm& form) {
    const Interruption interruption;
    JobEvents events(session, "calibrate", form.progress);
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    const auto request = calibration_request(*workspace, *form.choice);
    if (!request)
        return events.refuse(request.error());
    ProgressDisplay display(events.display_style());
    const ProgressSink sink = events.are_told() ? events.sink() : display.sink();
    events.start();
    const auto refused = [&](const Error& error) {
        display.clear();
        return events.refuse(error,
                             error.fault == Fault::Cancelled ? ExitCode::Interrupted : ExitCode::SomeFailed);
    };
    const auto data = calibration_data(*workspace, *request, interruption.token(), sink);
    if (!data)
        return refused(data.error());
    MachineCalibrationOptions options;
    options.fitting.seed = session.options.seed;
    options.fitting.steps = form.steps;
    options.most_matrices = static_cast<std::size_t>(form.most_matrices);
    options.threads = available_threads();
    options.code_of = form.code_of;
    const auto checked = calibrate_machine(*data, options, interruption.token(), sink);
    if (!checked)
        return refused(checked.error());
    display.clear();
    const Kept kept = what_to_keep(form, *data, *checked);
    if (kept == Kept::Calibrated)
        if (const auto stored = store(*workspace, *data, *checked); !stored)
            return events.refuse(stored.error(), ExitCode::Workspace);
    if (events.are_told())
        events.end(calibration_json(*data, *checked, kept), true, false);
    else if (session.options.json)
        session.print_json(calibration_json(*data, *checked, kept));
    else
        print_calibration(session, *data, *checked, kept);
    return ExitCode::Done;
}

} // namespace

void add_machine_calibrate(CLI::App& machine, Session& session) {
    CLI::App& command = add_command(
        machine, "calibrate", "Fit the simulation of a machine to its measurements", machine_calibrate_help);
    const auto form = std::make_shared<CalibrateForm>();
    form->choice = add_calibration_choice(command);
    command
        .add_option("--matrices", form->most_matrices,
                    "fit to so many matrices (default: all that are not kept back)")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    command.add_option("--steps", form->steps, fmt::format("of gradient descent (default {})", form->steps))
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    command
        .add_option("--instruction-costs", form->code_of,
                    "begin with what loops cost as LLVM's analyser says for this processor (`machine code`)")
        ->type_name("CPU");
    auto* const try_only =
        command.add_flag("--try", form->try_only, "report only, keep the machine as it is");
    command
        .add_flag("--even-if-worse", form->even_if_worse,
                  "keep the calibration although schedules of matrices that it did not see are chosen worse")
        ->excludes(try_only);
    add_progress_option(command, form->progress);
    set_action(command, session, [&session, form] { return calibrate_as_asked(session, *form); });
}

} // namespace sparsight
