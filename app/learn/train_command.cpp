#include "base/memory.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "command/job.h"
#include "command/learn_program.h"
#include "command/options.h"
#include "command/program.h"
#include "learn/commands.h"
#include "learn/model_facts.h"
#include "learn/settings_options.h"
#include "workflow/learning/training/training_run.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp train_help{.description = R"(
Trains a model that ranks configurations by predicted speed, on the measurements of
the workspace (`collect`, `import`, `import-runtimes`). Each machine is a task. The
workloads are split into training, validation and test. The model with the best
validation loss is stored under --name, and its test is compared with boosted trees
trained on the same data.

The configurations of sparse matrices are schedules. Resized and transposed forms of a
matrix are always on one side of the split.

Settings come from a preset, from a file (--config) and from the options. A file
overrides the preset, and options override the file. All settings are stored with the
run.

Ctrl-C saves the state of the run and stops (exit code 130). The same command resumes
it, even after a crash of the computer, and gives the same model, bit for bit with
--threads 1. If the run is finished, the same command says so. --keep makes a model of
the best weights when the run is stopped; --finish does so for a run that was stopped
before.

Several processes (mpirun, srun, torchrun) train one model together. They divide the
tasks of each meta-learning step (a supervised step has one), and only the first
process writes and reports. All read the same workspace; MASTER_ADDR and MASTER_PORT
say where they meet.

The metrics are the loss and means over the workloads: ordered_pair_accuracy (share of
the pairs in the right order), ordered_pairs_beyond_noise (of the pairs that differ by
more than their noise), best_quarter_accuracy (of the pairs of the fastest quarter),
kendall_tau over all tested configurations, regret_at_1, _5 and _20 (how much slower
the best of the model's first k is than the best of all), log_regret_at_1, _5 and _20
(ln(1 + regret)), and speedup_at_1, _5 and _20 (of that best over the baseline, which
is fixed CSR for matrices; below 1 if the baseline is faster).)",
                                 .examples = R"(
sparsight-cli train --name first --preset demo
sparsight-cli train --name meta --method fomaml --inner-steps 3 --inner-rate 0.05
sparsight-cli train --name there --machines 'Xeon 8272CL' --config train.toml
sparsight-cli train --name tuned --domain records --machines A100,V100
mpirun -n 4 sparsight-learn train --name meta --method fomaml)",
                                 .json = R"(
{"run", "model", "ending": "finished", "stopped early" or "stopped", "epochs",
 "best_epoch", "metrics": {METRIC: NUMBER}, "baseline": {METRIC: NUMBER},
 "baseline_verdict": {"ahead": "trees", "model" or null, "points", "test_matrices",
 "sentence"}, "seconds"}
metrics are of the test workloads, baseline those of boosted trees on them, and the
verdict says who has more pairs in the right order, by how many points, and what to do
where it is the trees (both are null with --no-baseline); model is null where the run
was stopped; seconds are those of working at it, pauses left out.)",
                                 .events = R"(
{"event": "start", "job", "run", "name", "method", "architecture", "epochs",
 "steps_per_epoch", "machines": [NAME], "matrices": {"train", "validation",
 "test"}, "split", "notes": [SENTENCE], "replaces": SENTENCE or null,
 "resumed_at": {"epoch", "step"} or null, "parameters": {every setting}}
{"event": "steps", "first", "losses": [NUMBER], "gradient_norms": [NUMBER],
 "epoch", "seconds"}          every step once, counted from 1 over all epochs
{"event": "epoch", "epoch", "step", "training_loss", "rate", "seconds",
 "examples_per_second", "memory_bytes", "validation": {"overall": {METRIC:
 NUMBER}, MACHINE: {METRIC: NUMBER}}, "validation_of_simulator": of a gray box,
 the same of its simulator alone, "is_best"}   of trees, which have no steps,
                              after each tenth of their rounds, by the number of these)"};

struct TrainCommand {
    std::shared_ptr<SettingsInput> input = std::make_shared<SettingsInput>();
    std::string name;
    std::string domain; ///< empty: that of the workspace
    bool again = false;
    bool renew = false;
    bool keep = false;
    bool finish = false;
    ProgressForm progress = ProgressForm::Display;
};

Redo redo_of(const TrainCommand& options) {
    return options.again ? Redo::Always : options.renew ? Redo::WhenChanged : Redo::Never;
}

Json outcome_json(const TrainOutcome& outcome) {
    Json json{{"run", outcome.run},
              {"model", outcome.model ? Json(*outcome.model) : Json()},
              {"ending", outcome.ending},
              {"epochs", outcome.epochs},
              {"best_epoch", outcome.best_epoch},
              {"metrics", outcome.metrics},
              {"baseline", outcome.baseline ? Json(*outcome.baseline) : Json()},
              {"baseline_verdict", baseline_json(outcome.beside_baseline())}};
    if (outcome.seconds)
        json["seconds"] = *outcome.seconds;
    return json;
}

std::string outcome_text(const TrainOutcome& outcome) {
    std::string text = outcome.ending;
    if (outcome.epochs > 0)
        text += fmt::format(" after {}", counted(outcome.epochs, "epoch", "epochs"));
    if (outcome.best_epoch > 0)
        text += fmt::format(", the best of which was number {}", outcome.best_epoch);
    text += outcome.model ? fmt::format("; kept as {}\n", *outcome.model) : "\n";
    if (outcome.metrics.empty())
        return text;
    const BaselineComparison beside = outcome.beside_baseline();
    std::vector<Table::Column> columns{{"on the test " + beside.workload.many},
                                       {outcome.model.value_or("model"), Align::Right}};
    if (outcome.baseline)
        columns.push_back({"trees", Align::Right});
    Table table(columns);
    for (const auto& [metric, value] : outcome.metrics) {
        std::vector<std::string> row{metric, fmt::format("{:.4f}", value)};
        if (outcome.baseline) {
            const auto rival = outcome.baseline->find(metric);
            row.push_back(rival == outcome.baseline->end() ? "-" : fmt::format("{:.4f}", rival->second));
        }
        table.add_row(std::move(row));
    }
    text += table.text();
    if (const std::string sentence = baseline_sentence(beside); !sentence.empty())
        text += sentence + "\n";
    return text;
}

ExitCode print_outcome(Session& session, JobObserver& observer, const TrainOutcome& outcome) {
    const bool is_stopped = outcome.end == RunEnd::Stopped;
    observer.clear();
    observer.answer(outcome_json(outcome), outcome_text(outcome), is_stopped);
    if (is_stopped && !observer.tells_events() && !session.options.json)
        session.remark("stopped: run the same command again to go on");
    return is_stopped ? ExitCode::Interrupted : ExitCode::Done;
}

/// Errors are told in words alone: the first process answers for all.
ExitCode follow_first_process(Session& session, const LearningDomains& domains, const TrainRequest& request,
                              TrainingProcess& process, const std::stop_token& stop) {
    if (process.is_idle())
        return ExitCode::Done;
    const auto end = join_training(session.workspace_location(), domains, request, process, stop);
    if (end)
        return *end == TrainingEnd::Stopped ? ExitCode::Interrupted : ExitCode::Done;
    if (end.error().fault == Fault::Cancelled) {
        session.remark(end.error().text());
        return ExitCode::Interrupted;
    }
    session.complain(end.error());
    return ExitCode::SomeFailed;
}

struct AskedTraining {
    RunSettings settings;
    TrainRequest request;
};

/// What is computed depends on the workspace, which may know the domain and the setting.
Result<AskedTraining> read_request(Session& session, const LearningDomains& domains,
                                   const TrainCommand& options, RunSettings settings) {
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(workspace.error());
    const auto domain = choose_domain(*workspace, session.domains, options.domain);
    if (!domain)
        return std::unexpected(domain.error());
    const auto learning = domains.require((*domain)->name());
    if (!learning)
        return std::unexpected(learning.error());
    if (auto kept = settings.keep_domain(**domain); !kept)
        return std::unexpected(std::move(kept).error());
    if (const TrainingOptions usual = (*learning)->usual_training(); usual != TrainingOptions())
        settings.take_defaults(Json::parse(to_json(usual)));
    // What is wrong is told before what is missing, as of all options.
    auto request = read_train_request(settings, options.name, {}, **learning);
    if (!request)
        return std::unexpected(std::move(request).error());
    const auto chosen = read_setting(*workspace, session.domains, options.domain, settings);
    if (!chosen)
        return std::unexpected(chosen.error());
    request->setting = chosen->setting;
    return AskedTraining{std::move(settings), *std::move(request)};
}

ExitCode train_model(Session& session, const LearningDomains& domains, const CLI::App& command,
                     const TrainCommand& options) {
    keep_freed_memory();
    const Interruption interruption;
    JobObserver observer(session, "train", options.progress);
    auto settings = collect_settings(command, session, *options.input);
    if (!settings)
        return observer.refuse(settings.error(), ExitCode::Usage);
    auto asked = read_request(session, domains, options, *std::move(settings));
    if (!asked)
        return observer.refuse(asked.error(),
                               asked.error().fault == Fault::Input ? ExitCode::Usage : ExitCode::Workspace);
    auto process = TrainingProcess::join(asked->request, interruption.token());
    if (!process)
        return refuse_request(observer, process.error());
    if (!process->is_first())
        return follow_first_process(session, domains, asked->request, *process, interruption.token());
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const TrainOrder order{std::move(asked->settings), std::move(asked->request), redo_of(options),
                           options.keep, options.finish};
    const auto outcome = run_training(*workspace, domains, order, *process, observer, interruption.token());
    if (!outcome)
        return observer.refuse(outcome.error());
    if (outcome->end == RunEnd::Refused)
        return refuse_request(observer, outcome->reason);
    return print_outcome(session, observer, *outcome);
}

} // namespace

void add_train_command(CLI::App& app, Session& session, const LearningDomains& domains,
                       std::span<const Preset> presets) {
    CLI::App& command =
        add_command(app, std::string(train_summary.name), std::string(train_summary.summary), train_help);
    const auto options = std::make_shared<TrainCommand>();
    options->input->definitions = train_settings(session.domains, domains);
    options->input->presets.assign(general_presets.begin(), general_presets.end());
    options->input->presets.insert(options->input->presets.end(), presets.begin(), presets.end());
    command.add_option("--name", options->name, "name of the model")->type_name("NAME")->required();
    add_domain_option(command, session.domains, options->domain);
    add_settings_options(command, options->input);
    auto* const again = command.add_flag("--again", options->again,
                                         "train again; the new model replaces the one of this name");
    command
        .add_flag("--renew", options->renew,
                  "train again if the model of this name has other settings\nor training data")
        ->excludes(again);
    auto* const keep =
        command.add_flag("--keep", options->keep, "when stopped, make a model of the best weights so far");
    command
        .add_flag("--finish", options->finish,
                  "do not continue: make a model of the stopped run's best weights")
        ->excludes(keep);
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, &domains, &command, options] {
        return train_model(session, domains, command, *options);
    });
}

} // namespace sparsight
