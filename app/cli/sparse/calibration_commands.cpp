#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/sparse/workflow/calibration/calibration_job.h"
#include "store/workspace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace sparsight {
namespace {

std::string_view words_of(MeasurementStatus status) {
    switch (status) {
    case MeasurementStatus::GaveUp:
        return "were abandoned as far too slow";
    case MeasurementStatus::TooLarge:
        return "would have been too large to store";
    case MeasurementStatus::Mismatch:
        return "had a wrong result";
    case MeasurementStatus::Damaged:
        return "are damaged in the workspace file";
    case MeasurementStatus::Measured:
    case MeasurementStatus::Failed:
        break;
    }
    return "failed";
}

/// Columns of a table whose first column says of what.
Table quality_table(std::string first_title) {
    return Table({{std::move(first_title)},
                  {"Kendall τ", Align::Right},
                  {"pairs in the right order", Align::Right},
                  {"τ best ¼", Align::Right},
                  {"regret of 1", Align::Right},
                  {"of 5", Align::Right},
                  {"of 20", Align::Right},
                  {"median error", Align::Right}});
}

void add_quality(Table& table, std::string of, const SimulationQuality& quality) {
    const auto regret = [](double factor) { return fmt::format("{:.1f} %", 100 * (factor - 1)); };
    table.add_row({std::move(of), fmt::format("{:.3f}", quality.kendall_tau),
                   fmt::format("{:.3f}", quality.ordered_pair_accuracy),
                   fmt::format("{:.3f}", quality.best_quarter_tau), regret(quality.top_1_regret),
                   regret(quality.top_5_regret), regret(quality.top_20_regret),
                   fmt::format("×{:.2f}", quality.median_error)});
}

/// Remarks on the matrices and the runs that are no part of it; none where there are none.
void remark_on_left_out(const Session& session, std::span<const UnreadPattern> matrices,
                        const ExcludedRuns& runs) {
    constexpr std::size_t most_named = 5;
    std::vector<std::string> names;
    for (const UnreadPattern& each : matrices.first(std::min(most_named, matrices.size())))
        names.push_back(each.matrix);
    if (matrices.size() > most_named)
        names.push_back(fmt::format("{} more", matrices.size() - most_named));
    if (!names.empty())
        session.remark(fmt::format("left out {} whose pattern can't be read ({}): {}",
                                   counted(matrices.size(), "matrix", "matrices"), fmt::join(names, ", "),
                                   matrices.front().reason.message));
    std::vector<std::string> reasons;
    for (const auto& [status, count] : runs.without_time)
        reasons.push_back(fmt::format("{} {}", count, words_of(status)));
    if (runs.other_engines > 0)
        reasons.push_back(fmt::format("{} are of another code generator", runs.other_engines));
    if (runs.too_short > 0)
        reasons.push_back(fmt::format("{} took less than a microsecond", runs.too_short));
    if (!reasons.empty())
        session.remark(fmt::format("left out {} without a time to compare with: {}",
                                   counted(runs.count(), "run", "runs"), fmt::join(reasons, ", ")));
}

std::string effects_text(const CheckedCalibration& checked) {
    Table quality = quality_table("simulation");
    if (checked.on_fitted) {
        add_quality(quality, "fitted matrices, before", checked.on_fitted->before);
        add_quality(quality, "fitted matrices, after", checked.on_fitted->after);
    }
    if (checked.on_held_out) {
        add_quality(quality, fmt::format("{}, before", name(checked.check)), checked.on_held_out->before);
        add_quality(quality, fmt::format("{}, after", name(checked.check)), checked.on_held_out->after);
    }
    return quality.text() + "\n";
}

std::string parameters_text(const Calibration& calibration) {
    Table parameters({{"parameter"},
                      {"unit"},
                      {"before", Align::Right},
                      {"after", Align::Right},
                      {"doubt left", Align::Right},
                      {""}});
    for (const FittedParameter& fitted : calibration.parameters) {
        const ParameterInfo& info = parameter_info(fitted.parameter);
        parameters.add_row({std::string(info.key), std::string(info.unit == "B" ? "" : info.unit),
                            value_text(info, fitted.before), value_text(info, fitted.after),
                            fmt::format("{:.0f} %", 100 * fitted.uncertainty),
                            fitted.is_at_limit       ? "at its limit"
                            : fitted.is_determined() ? ""
                                                     : "not determined"});
    }
    return parameters.text();
}

std::string calibration_text(const CalibrationOutcome& outcome) {
    const CalibrationData& data = outcome.data;
    const CheckedCalibration& checked = outcome.checked;
    return fmt::format("{}: {} fitted, {} {}, {}\n\n{}{}", data.machine.name,
                       counted(checked.fitted.size(), "matrix", "matrices"),
                       counted(checked.held_out, "matrix", "matrices"),
                       checked.check == HeldOutCheck::CrossValidated ? "cross-validated" : "kept back",
                       name(data.source.op), effects_text(checked), parameters_text(checked.calibration));
}

/// Behind the text.
void remark_on(const Session& session, const CalibrationOutcome& outcome) {
    for (const std::string& remark : calibration_remarks(outcome.checked, outcome.kept))
        session.remark(remark);
    remark_on_left_out(session, outcome.data.without_pattern, outcome.data.left_out);
    if (outcome.kept == Kept::AsItWas)
        session.remark("nothing was stored");
}

/// The machine as a positional argument, --operator, --dense, --protocol, --threads, --schedules.
void add_calibration_options(CLI::App& command, CalibrationRequest& request) {
    command.add_option("machine", request.machine, "name or fingerprint (default: this computer)")
        ->type_name("MACHINE");
    add_operator_option(command, request.op);
    add_dense_option(command, request.dense);
    command.add_option("--protocol", request.protocol, "only this protocol (default: the most frequent one)")
        ->type_name("NAME");
    command
        .add_option("--threads", request.threads,
                    "only this number of threads (default: the most frequent one)")
        ->type_name("N")
        ->check(whole_numbers(1, 4096));
    command
        .add_option("--schedules", request.most_schedules, "at most N schedules of each matrix (default 200)")
        ->type_name("N")
        ->check(whole_numbers(5, 1'000'000));
}

constexpr CommandHelp machine_calibrate_help{.description = R"(
Fits the simulator's parameters of a machine to the times measured on it. The machine
is this computer (`collect`), or one with imported runtimes (`import-runtimes`). The
fitted parameters are stored with the machine, and simulations use them from then on.
Facts such as cores, clock and lanes stay as they are.

A third of the matrices, chosen by name, is kept back as a test: the output says how
accurate the simulation is on them, before and after. Fewer than 12 matrices are
cross-validated instead, and the machine is fitted to all. If the calibration makes
choices on the tested matrices worse (fewer pairs in the right order, or a first
choice that is over 10 % slower), the machine is not changed. --even-if-worse changes
it all the same.

The output also has the remaining doubt about each parameter. A parameter that the
measurements do not determine stays near its old value. One at its limit makes up for
an effect that the simulator lacks. Each calibration starts from the facts, not from
an earlier calibration. --instruction-costs starts from the cycles in the machine code
for a named processor: vector_start, tiled_vector, updated_vector, tiled_scalar,
updated_scalar, compressed_iteration and dense_iteration.)",
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
    MachineCalibrationRequest request;
    ProgressForm progress = ProgressForm::Display;
};

ExitCode calibrate_as_asked(const Job& job, MachineCalibrationRequest request) {
    request.seed = job.session.options.seed;
    const auto outcome = calibrate(job.workspace, request, job.observer, job.stop());
    if (!outcome)
        return job.observer.refuse(outcome.error());
    if (const auto stored = store_calibration(job.workspace, *outcome); !stored)
        return job.observer.refuse(stored.error(), ExitCode::Workspace);
    job.observer.answer(calibration_json(*outcome), calibration_text(*outcome));
    if (job.observer.tells_people())
        remark_on(job.session, *outcome);
    return ExitCode::Done;
}

} // namespace

void add_machine_calibrate(CLI::App& machine, Session& session) {
    CLI::App& command = add_command(
        machine, "calibrate", "Fit the simulation of a machine to its measurements", machine_calibrate_help);
    const auto form = std::make_shared<CalibrateForm>();
    add_calibration_options(command, form->request.measured);
    command
        .add_option("--matrices", form->request.most_matrices,
                    "fit to N matrices (default: all that are not kept back)")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    command
        .add_option("--steps", form->request.steps,
                    fmt::format("steps of gradient descent (default {})", form->request.steps))
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    command
        .add_option("--instruction-costs", form->request.code_of,
                    "start from the loop costs of this processor by LLVM's analyser (`machine code`)")
        ->type_name("CPU");
    auto* const try_only =
        command.add_flag("--try", form->request.is_trial, "report only, do not change the machine");
    command
        .add_flag("--even-if-worse", form->request.even_if_worse,
                  "store the calibration even if it makes choices on other matrices worse")
        ->excludes(try_only);
    add_progress_option(command, form->progress);
    set_job(command, session, "calibrate", form->progress, WorkspaceUse::Write,
            [form](const Job& job) { return calibrate_as_asked(job, form->request); });
}

namespace {

constexpr CommandHelp machine_validate_help{.description = R"(
Simulates the schedules that were measured on a machine, and says how accurate the
simulation is, as means over matrices. The figures are Kendall's tau and the share of
pairs in the right order, over all schedules and over the fastest quarter; the regret
of the simulator's first 1, 5 and 20; and the factor by which half of the simulated
times are off at most. The table also says what a second measurement would reach, by
the spread of the measurements, and what remains without each term of the simulator.

Only matrices that the last `machine calibrate` did not see are used: a third, chosen
by name. If it has seen all of them, all are used, and the cross-validated figures
come first. --all uses all matrices.)",
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
    CalibrationRequest request;
    bool all = false;
    ProgressForm progress = ProgressForm::Display;
};

std::string validation_text(const MachineValidation& validation, bool held_out) {
    const bool is_unseen = held_out && !validation.all_were_fitted;
    const std::string head =
        fmt::format("{}: {} on {}{}, {}{}\n\n", validation.machine.name,
                    counted(validation.runs, "schedule", "schedules"),
                    counted(validation.matrices.size(), "matrix", "matrices"),
                    is_unseen                    ? " that no calibration saw"
                    : validation.all_were_fitted ? ", fitted to all of them"
                                                 : "",
                    name(validation.source.op), validation.is_calibrated ? "" : ", not calibrated");
    Table table = quality_table("simulation");
    if (validation.cross_validated)
        add_quality(table, "cross-validated", *validation.cross_validated);
    add_quality(table, validation.all_were_fitted ? "fitted to these" : "mechanistic", validation.mean);
    if (validation.ceiling)
        add_quality(table, "measured once more", *validation.ceiling);
    for (const auto& [term, mean] : validation.without)
        add_quality(table, fmt::format("without {}", name(term)), mean);
    return head + table.text();
}

/// Behind the text.
void remark_on(const Session& session, const MachineValidation& validation) {
    if (validation.cross_validated)
        session.remark("cross-validated: each matrix with a calibration to the others. The other lines "
                       "flatter the calibration, because it was fitted to all");
    else if (validation.all_were_fitted)
        session.remark("the machine was fitted to all of these matrices, so it is less accurate on others; "
                       "`machine calibrate` cross-validates");
    if (!validation.ceiling)
        session.remark(
            "what measuring once more would reach is not known: these times came without their spreads");
    remark_on_left_out(session, validation.without_pattern, validation.left_out);
}

ExitCode validate_as_asked(const Job& job, ValidateForm form) {
    form.request.held_out_only = !form.all;
    const auto validation =
        validate(job.workspace, form.request, job.session.options.seed, job.observer, job.stop());
    if (!validation)
        return job.observer.refuse(validation.error());
    job.observer.answer(validation_json(*validation, !form.all), validation_text(*validation, !form.all));
    if (job.observer.tells_people())
        remark_on(job.session, *validation);
    return ExitCode::Done;
}

} // namespace

void add_machine_validate(CLI::App& machine, Session& session) {
    CLI::App& command = add_command(machine, "validate", "Compare a simulated machine with its measurements",
                                    machine_validate_help);
    const auto form = std::make_shared<ValidateForm>();
    add_calibration_options(command, form->request);
    command.add_flag("--all", form->all, "use all matrices, those of the calibration, too");
    add_progress_option(command, form->progress);
    set_job(command, session, "validate", form->progress, WorkspaceUse::Write,
            [form](const Job& job) { return validate_as_asked(job, *form); });
}

} // namespace sparsight
