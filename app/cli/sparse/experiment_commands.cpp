#include "base/files.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "cli/sparse/transfer_files.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "domains/sparse/explanation/pages/transfer_report.h"
#include "domains/sparse/workflow/experiment/experiment_job.h"
#include "domains/sparse/workflow/experiment/tasks_experiment.h"
#include "domains/sparse/workflow/learning_settings.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace sparsight {

namespace {

constexpr CommandHelp experiment_help{.description = "Whole experiments, up to their tables and figures.",
                                      .examples = R"(
sparsight-cli experiment report --quick
sparsight-cli experiment tasks --figure tasks.svg
sparsight-cli experiment contributions --model gray --machine 'AMD EPYC'
sparsight-cli experiment methods --machine 'AMD EPYC' --figure methods.svg
sparsight-cli experiment hardware --report hardware.html
sparsight-cli experiment tuners --report tuners.html
sparsight-cli experiment blocks --report blocks.html)",
                                      .json = ""};

constexpr CommandHelp experiment_report_help{.description = R"(
Runs the four tests of the meta-learning report. Schedules of the workspace's matrices
are measured on this computer. A model is trained as in WACO, or has WACO's own
weights (--weights). Another model is meta-trained by the report's loop over this
computer and its two simulated machines, and fine-tuned to a second machine on 100
matrices for 5 epochs. The models then choose schedules for unseen test matrices: the
first two on this computer, WACO's and the fine-tuned one on the second machine. The
output is the report's Table 2 with your numbers beside it; --report has the speedup
of every matrix (figures 6 and 7 of the report).

The second machine has imported runtimes (--second), or is the report's machine B,
simulated by its formula from the times of this computer. The formula multiplies all
times by one factor: it changes no order and no speedup, and can't show any transfer.
Models on this computer are compared by times in turns, and models on B by the
collected times, so figures of one model may differ.

The operator is always SpMM. Stored results are used, and the same command resumes
where it was stopped. The models report-base, report-meta and report-tuned (with
--quick: report-base-quick …) are trained once, and again if their settings or
training data have changed.

--quick uses models of statistics instead of WACONet, 20 schedules a matrix and 10
matrices for fine-tuning.)",
                                             .examples = R"(
sparsight-cli experiment report --quick --budget 10m
sparsight-cli experiment report --weights waco-spmm --second 'Xeon 8272CL' --report report.html)",
                                             .json = R"(
{"table_2": [{"model", "data", "reported", "our_model", "our_machine", "value",
              "low", "high"}],
 "first": {what `evaluate --json` prints}, "second": {…}, "complete",
 "failures": [{"matrix", "schedule", "error"}]}
reported and value are shares: 0.196 is the report's 19.6 %.)",
                                             .events = R"(
{"event": "start", "job"}
{"event": "stage", "stage"}                            a sentence
{"event": "end", "table_2": […], "complete", "stopped"})"};

struct ExperimentOptions {
    ExperimentRequest request;
    std::string markdown;
    std::string report;
    ProgressForm progress = ProgressForm::Display;
};

void tell(const Session& session, JobObserver& observer, const ExperimentOutcome& outcome) {
    Json json = experiment_json(outcome.experiment);
    if (observer.tells_events()) {
        observer.end({{"table_2", json["table_2"]}}, outcome.complete, false);
    } else if (session.options.json) {
        json["complete"] = outcome.complete;
        json["failures"] = Json::array();
        for (const CollectionFailure& failure : outcome.failures)
            json["failures"].push_back({{"matrix", failure.workload},
                                        {"schedule", failure.configuration},
                                        {"error", failure.error.text()}});
        session.print_json(json);
    } else {
        session.print(experiment_text(outcome.experiment));
    }
}

ExitCode repeat_report(const Job& job, const MeasuringDomains& measuring, ExperimentOptions options) {
    keep_freed_memory();
    const Session& session = job.session;
    if (options.request.is_quick) {
        options.request.schedules = std::min(options.request.schedules, 20);
        options.request.shots = std::min(options.request.shots, 10);
    }
    options.request.seed = session.options.seed;
    options.request.created_by = session.program_version();
    job.observer.start(Json::object());
    const auto outcome =
        run_experiment(job.workspace, session.domains, measuring, options.request, job.observer, job.stop());
    job.observer.clear();
    if (!outcome) {
        if (outcome.error().fault == Fault::Cancelled)
            session.remark("stopped: run the same command again to go on");
        return job.observer.refuse(outcome.error());
    }
    for (const CollectionFailure& failure : outcome->failures)
        session.complain(failure.described());
    const auto written = write_named_files(
        session, {{options.markdown, [&] { return experiment_markdown(outcome->experiment); }},
                  {options.report, [&] { return experiment_html(outcome->experiment); }}});
    if (!written)
        return job.observer.refuse(written.error());
    tell(session, job.observer, *outcome);
    if (!outcome->complete && outcome->failures.empty())
        session.remark("out of budget: run the same command again to go on, or give it a longer --budget");
    return outcome->failures.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

void add_report_experiment(CLI::App& experiment, Session& session, const MeasuringDomains& measuring) {
    CLI::App& command = add_command(experiment, "report", "Repeat the four tests of the meta-learning report",
                                    experiment_report_help);
    const auto options = std::make_shared<ExperimentOptions>();
    ExperimentRequest& request = options->request;
    request.measuring.threads = available_threads();
    command
        .add_option("--weights", request.weights,
                    "a model instead of WACO-style training, such as WACO's\nown weights (models import)")
        ->type_name("MODEL");
    command
        .add_option("--second", request.second,
                    "the second machine, whose runtimes were imported\n(default: the report's machine B, "
                    "simulated)")
        ->type_name("NAME");
    command.add_option("--split", request.split, "matrices to train, validate and test with")
        ->type_name("NAME");
    command
        .add_option("--matrices", request.matrices,
                    "matrices to measure and learn from, separated by commas\n(default: all)")
        ->type_name("NAMES")
        ->delimiter(',');
    command.add_option("--config", request.config, "settings of both trainings (see train)")
        ->type_name("FILE");
    command.add_flag("--quick", request.is_quick, "minutes instead of hours");
    command.add_option("--schedules", request.schedules, "schedules to measure on each matrix (default 100)")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    command.add_option("--shots", request.shots, "matrices to fine-tune on (default 100)")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    command.add_option("--k", request.k, "schedules that a model chooses for a matrix (default 20)")
        ->type_name("N")
        ->check(whole_numbers(1, 100'000));
    add_dense_option(command, request.dense);
    add_threads_option(command, request.measuring.threads, "threads that kernels run on (default: all)");
    add_protocol_option(command, request.measuring.protocol);
    add_parsed_option(command, "--budget", request.measuring.budget, &parse_duration,
                      "time for all measuring: 90s, 10m, 1h30m (default: no limit)")
        ->type_name("TIME");
    command.add_option("--markdown", options->markdown, "write the tables as Markdown")->type_name("FILE");
    command.add_option("--report", options->report, "write a page with tables and figures (HTML)")
        ->type_name("FILE");
    add_progress_option(command, options->progress);
    set_job(command, session, "experiment", options->progress, WorkspaceUse::Write,
            [&measuring, options](const Job& job) { return repeat_report(job, measuring, *options); });
}

} // namespace

void add_experiment_command(CLI::App& app, Session& session, const MeasuringDomains& measuring) {
    CLI::App& command = add_command(app, "experiment", "Repeat the published experiments", experiment_help);
    command.require_subcommand(1);
    add_report_experiment(command, session, measuring);
    add_experiment_tasks(command, session);
    add_experiment_contributions(command, session);
    add_experiment_methods(command, session);
    add_experiment_hardware(command, session);
    add_experiment_tuners(command, session);
}

namespace {

constexpr CommandHelp tasks_help{.description = R"(
Which machines should a model learn from before it is adapted to a new machine? A
model is adapted to every machine of the workspace with runtimes, measured or
recorded, with 0, 1, 5 … of its matrices. The sources of its meta-training are
  paper        the report's machines A and B: the recorded times of another machine
               by the report's formula, which changes no order
  family       machines sampled from a family and simulated mechanistically, with
               the matrices and schedules of that other machine
  real         all other machines that have runtimes
  family+real  both
or nothing (scratch). All sources start from the same weights, train on the same
number of schedules, and are adapted by the same steps on the same matrices. No
training ever sees a test matrix, or a resized, transposed or permuted form of one.
Each seed draws other test matrices. Times are looked up; nothing is measured.

The figures for the test matrices are the share of pairs of schedules in the right
order, Kendall's τ, and the regret of the model's first 1, 5 and 20. Intervals are
Student's t, over seeds and families of test matrices.

All results are stored in the workspace: the same command resumes where it was stopped
or killed, even in the middle of a training, and gives the same figures. When it is
finished, it only writes its report. --config names a TOML file of the settings:
  targets = ["Xeon 8272CL"]
  seeds = 5
  family = 8)",
                                 .examples = R"(
sparsight-cli experiment tasks --figure tasks.svg --report tasks.html
sparsight-cli experiment tasks --targets 'Xeon 8272CL' --seeds 10 --csv points.csv
sparsight-cli experiment tasks --config tasks.toml --json)",
                                 .json = R"(
{"operator", "dense", "targets": [{"machine", "matrices", "imagined_from"}],
 "sources", "estimates": [{"target", "source", "shots", METRIC: {"value", "low",
 "high"}}], "comparisons": [{"target", "better", "than", "seeds", "value", "low",
 "high"}], "trainings": [{"target", "source", "seed", "machines", "steps",
 "examples"}], "points": [{"target", "source", "seed", "shots", "metrics"}],
 "notes"}
A comparison's value is the share of pairs in the right order, mean over the curve, of
`better` less that of `than`.)",
                                 .events = R"(
{"event": "start", "job", "targets", "sources", "shots", "seeds", "notes", "resumed",
 "parameters"}
{"event": "point", "target", "source", "seed", "shots", "metrics": {METRIC: NUMBER}}
{"event": "end", "comparisons": […], "complete", "stopped"})"};

struct TasksOptions {
    std::vector<std::pair<std::string, std::string>>
        given; ///< options of sparsight-learn, as they stand there
    TransferFiles files;
    ProgressForm progress = ProgressForm::Display;
};

ExitCode run_tasks(const Session& session, const TasksOptions& options) {
    const Interruption interruption;
    JobObserver observer(session, "experiment", options.progress);
    if (const auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite); !workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const auto outcome = compare_tasks({.workspace = session.workspace_path(), .seed = session.options.seed},
                                       options.given, observer, interruption.token());
    observer.clear();
    const bool is_stopped = outcome ? outcome->is_stopped : outcome.error().fault == Fault::Cancelled;
    if (is_stopped)
        session.remark("stopped: run the same command again to go on");
    if (!outcome)
        return observer.refuse(outcome.error());
    auto experiment = parse_transfer_experiment(outcome->answer);
    if (!experiment)
        return observer.refuse(experiment.error());
    experiment->created_by = session.program_version();
    if (!is_stopped)
        if (const auto written = write_transfer_files(session, options.files, *experiment); !written)
            return observer.refuse(written.error());
    Json json = transfer_json(*experiment);
    json["complete"] = !is_stopped;
    if (observer.tells_events())
        observer.end({{"comparisons", json["comparisons"]}}, !is_stopped, is_stopped);
    else if (session.options.json)
        session.print_json(json);
    else if (!is_stopped)
        session.print(transfer_text(*experiment));
    return is_stopped ? ExitCode::Interrupted : ExitCode::Done;
}

void add_forwarded_option(CLI::App& command, const std::shared_ptr<TasksOptions>& options, std::string name,
                          std::string_view placeholder, std::string_view help_text) {
    std::ranges::replace(name, '_', '-');
    const std::string option = "--" + name;
    command
        .add_option(
            option,
            [options, option](const CLI::results_t& words) {
                options->given.emplace_back(option, words.front());
                return true;
            },
            std::string(help_text))
        ->type_name(std::string(placeholder))
        ->run_callback_for_default(false);
}

} // namespace

void add_experiment_tasks(CLI::App& experiment, Session& session) {
    CLI::App& command =
        add_command(experiment, "tasks", "Compare sources of training for a new machine", tasks_help);
    const auto options = std::make_shared<TasksOptions>();
    add_forwarded_option(command, options, "config", "FILE",
                         "a TOML file of the settings below, named with\nunderscores; options come first");
    for (const TransferSetting& setting : transfer_settings)
        add_forwarded_option(command, options, std::string(setting.name), setting.placeholder, setting.help);
    add_forwarded_option(command, options, "threads", "N", "threads of LibTorch (default: all)");
    add_transfer_files(command, options->files);
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return run_tasks(session, *options); });
}

} // namespace sparsight
