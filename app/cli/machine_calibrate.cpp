#include "base/plural.h"
#include "cli/calibration_choice.h"
#include "cli/commands.h"
#include "cli/simulation_report.h"
#include "command/command.h"
#include "command/interruption.h"
#include "command/job_events.h"
#include "command/options.h"
#include "machine/calibration/simulator_validation.h"
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
true the simulation is on those, before and after. It also says which parameters
the measurements do not determine; those stay near what they were. A parameter
at its limit makes up for something that the simulator does not know. Each
calibration starts from the facts, not from an earlier calibration.)",
                                             .examples = R"(
sparsight-cli machine calibrate
sparsight-cli machine calibrate 'Xeon 8272CL' --operator spmm --matrices 10)",
                                             .json = R"(
{"machine", "operator", "dense", "protocol", "threads", "matrices", "held_out",
 "runs", "left_out", "without_pattern", "stored",
 "fitted_on": {"before": QUALITY, "after": QUALITY},
 "held_out_quality": {"before": QUALITY, "after": QUALITY} or null,
 "parameters": [{"key", "unit", "before", "after", "uncertainty", "determined",
                "at_limit"}]}
QUALITY as of `machine validate`. An uncertainty of 1 is that of knowing nothing.)"};

struct CalibrateForm {
    std::shared_ptr<CalibrationChoice> choice;
    std::int64_t most_matrices = 0; ///< 0: all that are not kept back
    int steps = CalibrationOptions{}.steps;
    bool try_only = false;
    ProgressForm progress = ProgressForm::Display;
};

/// Before and after, where there is an order to compare.
struct Comparison {
    SimulationQuality before;
    SimulationQuality after;
};

struct CalibrationReport {
    CalibrationData data;
    std::size_t fitted = 0;
    std::size_t held_out = 0;
    Calibration calibration;
    std::optional<Comparison> on_fitted;
    std::optional<Comparison> on_held_out;
    bool stored = false;
};

std::optional<Comparison> compare(const Calibration& calibration,
                                  std::span<const CalibrationMatrix> matrices) {
    const auto before = mean_quality(calibration.before, matrices);
    const auto after = mean_quality(calibration.after, matrices);
    if (!before || !after)
        return std::nullopt;
    return Comparison{*before, *after};
}

/// Prior values, running what the measurements ran.
MachineParameters prior_of(const CalibrationData& data) {
    MachineParameters prior = resolve_parameters(without_calibration(data.description)).values;
    prior[MachineParameter::Threads] = data.parameters[MachineParameter::Threads];
    prior[MachineParameter::Cores] = data.parameters[MachineParameter::Cores];
    return prior;
}

Result<CalibrationReport> fit(CalibrationData data, const CalibrateForm& form,
                              const CalibrationOptions& options, const std::stop_token& stop,
                              const ProgressSink& progress) {
    const auto split = std::ranges::stable_partition(
        data.matrices, [](const CalibrationMatrix& matrix) { return !is_held_out(matrix.name); });
    auto fitted = static_cast<std::size_t>(split.begin() - data.matrices.begin());
    const std::size_t held_out = data.matrices.size() - fitted;
    std::span<const CalibrationMatrix> all = data.matrices;
    const std::span<const CalibrationMatrix> kept_back = all.subspan(fitted);
    if (form.most_matrices > 0)
        fitted = std::min(fitted, static_cast<std::size_t>(form.most_matrices));
    auto calibration = calibrate(prior_of(data), all.first(fitted), options, stop, progress);
    if (!calibration)
        return std::unexpected(std::move(calibration).error());
    CalibrationReport report{{}, fitted, held_out, std::move(*calibration), {}, {}};
    report.on_fitted = compare(report.calibration, all.first(fitted));
    report.on_held_out = compare(report.calibration, kept_back);
    report.data = std::move(data);
    return report;
}

/// A simulated machine keeps its numbers: times that were simulated for it are of those.
Result<bool> store(Workspace& workspace, const CalibrationReport& report) {
    if (report.data.description.source == MachineSource::Simulated)
        return false;
    const std::string& fingerprint = report.data.machine.fingerprint;
    const auto stored = in_one_transaction(workspace, [&]() -> Result<void> {
        // Somebody may have probed or described it while it was fitted: only the coefficients are ours.
        const auto known = find_machine(workspace, fingerprint);
        if (!known)
            return std::unexpected(known.error());
        if (!*known)
            return fail(Fault::Input, fmt::format("the machine '{}' was deleted while it was calibrated",
                                                  report.data.machine.name));
        MachineDescription machine =
            without_calibration(description_of(**known).value_or(report.data.description));
        set_coefficients(machine, report.calibration);
        const auto id = record_machine(workspace, (*known)->name, fingerprint, machine_to_text(machine));
        return id ? Result<void>() : std::unexpected(id.error());
    });
    if (!stored)
        return std::unexpected(stored.error());
    return true;
}

Json comparison_json(const std::optional<Comparison>& comparison) {
    if (!comparison)
        return nullptr;
    return {{"before", quality_json(comparison->before)}, {"after", quality_json(comparison->after)}};
}

Json report_json(const CalibrationReport& report) {
    Json parameters = Json::array();
    for (const FittedParameter& fitted : report.calibration.parameters) {
        const ParameterInfo& info = parameter_info(fitted.parameter);
        parameters.push_back({{"key", info.key},
                              {"unit", info.unit},
                              {"before", fitted.before},
                              {"after", fitted.after},
                              {"uncertainty", fitted.uncertainty},
                              {"determined", fitted.is_determined()},
                              {"at_limit", fitted.is_at_limit}});
    }
    const CalibrationData& data = report.data;
    return {{"machine", data.machine.name},
            {"operator", name(data.source.op)},
            {"dense", data.source.dense},
            {"protocol", data.source.protocol},
            {"threads", data.source.threads},
            {"matrices", report.fitted},
            {"held_out", report.held_out},
            {"runs", data.runs},
            {"left_out", data.left_out},
            {"without_pattern", data.without_pattern},
            {"stored", report.stored},
            {"fitted_on", comparison_json(report.on_fitted)},
            {"held_out_quality", comparison_json(report.on_held_out)},
            {"parameters", std::move(parameters)}};
}

void print_report(const Session& session, const CalibrationReport& report) {
    const auto matrices = [](std::size_t count) {
        return counted(static_cast<std::int64_t>(count), "matrix", "matrices");
    };
    session.print(fmt::format("{}: {} fitted, {} kept back, {}\n\n", report.data.machine.name,
                              matrices(report.fitted), matrices(report.held_out),
                              name(report.data.source.op)));
    Table quality = quality_table("simulation");
    if (report.on_fitted) {
        add_quality(quality, "fitted matrices, before", report.on_fitted->before);
        add_quality(quality, "fitted matrices, after", report.on_fitted->after);
    }
    if (report.on_held_out) {
        add_quality(quality, "kept back, before", report.on_held_out->before);
        add_quality(quality, "kept back, after", report.on_held_out->after);
    }
    session.print(quality.text() + "\n");
    Table parameters({{"parameter"}, {"unit"}, {"before", Align::Right}, {"after", Align::Right}, {""}});
    for (const FittedParameter& fitted : report.calibration.parameters) {
        const ParameterInfo& info = parameter_info(fitted.parameter);
        parameters.add_row({std::string(info.key), std::string(info.unit),
                            fmt::format("{:.4g}", fitted.before), fmt::format("{:.4g}", fitted.after),
                            fitted.is_at_limit       ? "at its limit"
                            : fitted.is_determined() ? ""
                                                     : "not determined"});
    }
    session.print(parameters.text());
    if (!report.on_held_out)
        session.remark("no matrix was kept back that it could be held against; more matrices would tell");
    if (!report.stored)
        session.remark("nothing was stored");
}

ExitCode calibrate_machine(Session& session, const CalibrateForm& form) {
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
    auto data = calibration_data(*workspace, *request, interruption.token(), sink);
    if (!data)
        return refused(data.error());
    CalibrationOptions options;
    options.seed = session.options.seed;
    options.steps = form.steps;
    auto report = fit(std::move(*data), form, options, interruption.token(), sink);
    if (!report)
        return refused(report.error());
    display.clear();
    if (!form.try_only) {
        const auto stored = store(*workspace, *report);
        if (!stored)
            return events.refuse(stored.error(), ExitCode::Workspace);
        report->stored = *stored;
    }
    if (events.are_told())
        events.end(report_json(*report), true, false);
    else if (session.options.json)
        session.print_json(report_json(*report));
    else
        print_report(session, *report);
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
    command.add_flag("--try", form->try_only, "report only, keep the machine as it is");
    add_progress_option(command, form->progress);
    set_action(command, session, [&session, form] { return calibrate_machine(session, *form); });
}

} // namespace sparsight
