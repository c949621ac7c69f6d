#include "base/atomic_file.h"
#include "base/freed_memory.h"
#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/experiment_job.h"
#include "cli/protocol_option.h"
#include "command/command.h"
#include "command/interruption.h"
#include "command/options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp experiment_help{.description = "Whole experiments, up to their tables and figures.",
                                      .examples = R"(
sparsight-cli experiment report --quick
sparsight-cli experiment tasks --figure tasks.svg)",
                                      .json = ""};

constexpr CommandHelp report_help{.description = R"(
The four tests of the meta-learning report in one command. Schedules of the
workspace's matrices are measured on this computer; a model is trained as WACO
does, or WACO's own weights are taken (--weights), and one is meta-trained by the
report's loop over this computer and its two simulated machines; that one is
fine-tuned to a second machine on 100 matrices for 5 epochs. Then both choose for
test matrices that they have not seen: the first two on this computer, WACO's and
the fine-tuned one on the second machine. Printed is the report's Table 2 with
ours beside it; --report has the speedup of every matrix (its figures 6 and 7).

The second machine is one whose runtimes were imported (--second), or the report's
machine B, simulated by its formula from what is collected here: that multiplies all
times by one factor, changes no order and no speedup, and can't show any transfer.
Models on this computer are compared by times that are measured once more, in turns;
those on B rest on the collected ones, so that figures of one model differ.

SpMM throughout. What is there already is used: the same command goes on where it
was stopped, and models of the names report-base, report-meta and report-tuned
(with --quick: report-base-quick …) are trained once, and anew where the settings or
what was measured to learn from have changed.

--quick takes models of statistics instead of WACONet, 20 schedules a matrix and
10 matrices to fine-tune on.

--progress json prints one JSON object a line on stdout:
  {"event": "start", "job"}
  {"event": "stage", "stage"}                            a sentence
  {"event": "progress", "stage", "done", "total", "seconds_left"}
  {"event": "end", "table_2": […], "complete", "stopped"})",
                                  .examples = R"(
sparsight-cli experiment report --quick --budget 10m
sparsight-cli experiment report --weights waco-spmm --second 'Xeon 8272CL' --report report.html)",
                                  .json = R"(
{"table_2": [{"model", "data", "reported", "our_model", "our_machine", "value",
              "low", "high"}],
 "first": {what `evaluate --json` prints}, "second": {…}, "complete",
 "failures": [{"matrix", "schedule", "error"}]}
reported and value are shares: 0.196 is the report's 19.6 %.)"};

struct ExperimentOptions {
    ExperimentRequest request;
    std::string markdown;
    std::string report;
    ProgressForm progress = ProgressForm::Display;
};

Result<void> write_files(const Session& session, const ExperimentOptions& options,
                         const ReportExperiment& experiment) {
    for (const auto& [file, writer] :
         {std::pair(&options.markdown, &experiment_markdown), std::pair(&options.report, &experiment_html)}) {
        if (file->empty())
            continue;
        if (auto written = write_whole_file(*file, writer(experiment)); !written)
            return written;
        session.remark(fmt::format("wrote {}", *file));
    }
    return {};
}

void tell(const Session& session, JobEvents& events, const ExperimentOutcome& outcome) {
    Json json = experiment_json(outcome.experiment);
    if (events.are_told()) {
        events.end({{"table_2", json["table_2"]}}, outcome.complete, false);
    } else if (session.options.json) {
        json["complete"] = outcome.complete;
        json["failures"] = Json::array();
        for (const CollectionFailure& failure : outcome.failures)
            json["failures"].push_back({{"matrix", failure.matrix},
                                        {"schedule", failure.schedule},
                                        {"error", failure.error.text()}});
        session.print_json(json);
    } else {
        session.print(experiment_text(outcome.experiment));
    }
}

ExitCode repeat_report(Session& session, ExperimentOptions options) {
    keep_freed_memory();
    const Interruption interruption;
    JobEvents events(session, "experiment", options.progress);
    if (options.request.is_quick) {
        options.request.schedules = std::min(options.request.schedules, 20);
        options.request.shots = std::min(options.request.shots, 10);
    }
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    ProgressDisplay display(events.display_style());
    events.start();
    const auto outcome =
        run_experiment(session, *workspace, options.request, events, display, interruption.token());
    display.clear();
    if (!outcome) {
        if (outcome.error().fault == Fault::Cancelled)
            session.remark("stopped: run the same command again to go on");
        return events.refuse(outcome.error());
    }
    for (const CollectionFailure& failure : outcome->failures)
        session.complain(failure.described());
    if (const auto written = write_files(session, options, outcome->experiment); !written)
        return events.refuse(written.error());
    tell(session, events, *outcome);
    if (!outcome->complete && outcome->failures.empty())
        session.remark("out of budget: run the same command again to go on, or give it a longer --budget");
    return outcome->failures.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

void add_report_experiment(CLI::App& experiment, Session& session) {
    CLI::App& command =
        add_command(experiment, "report", "The four tests of the meta-learning report", report_help);
    const auto options = std::make_shared<ExperimentOptions>();
    ExperimentRequest& request = options->request;
    request.measuring.threads = available_threads();
    command
        .add_option("--weights", request.weights,
                    "this model instead of WACO-style training, such as\nWACO's own weights (models import)")
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
                    "to measure and learn from, with commas between them\n(default: all)")
        ->type_name("NAMES")
        ->delimiter(',');
    command.add_option("--config", request.config, "settings of both trainings (see train)")
        ->type_name("FILE");
    command.add_flag("--quick", request.is_quick, "minutes instead of hours");
    command.add_option("--schedules", request.schedules, "measured on each matrix to learn (default 100)")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    command.add_option("--shots", request.shots, "matrices to fine-tune on (default 100)")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    command.add_option("--k", request.k, "schedules that a model chooses for a matrix (default 20)")
        ->type_name("N")
        ->check(whole_numbers(1, 100'000));
    add_dense_option(command, request.measuring.dense);
    add_threads_option(command, request.measuring.threads, "threads that kernels run on (default: all)");
    add_protocol_option(command, request.measuring.protocol);
    add_parsed_option(command, "--budget", request.measuring.budget, &parse_duration,
                      "for all measuring: 90s, 10m, 1h30m (default: none)")
        ->type_name("TIME");
    command.add_option("--markdown", options->markdown, "write the tables as Markdown")->type_name("FILE");
    command.add_option("--report", options->report, "write a page with tables and figures (HTML)")
        ->type_name("FILE");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return repeat_report(session, *options); });
}

} // namespace

void add_experiment_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "experiment", "Repeat whole experiments", experiment_help);
    command.require_subcommand(1);
    add_report_experiment(command, session);
    add_experiment_tasks(command, session);
}

} // namespace sparsight
