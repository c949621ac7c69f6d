#include "base/text.h"
#include "cli/commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/records/record_import.h"

#include "store/workloads.h"
#include "workflow/chosen_setting.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace sparsight {

namespace {

constexpr CommandHelp import_records_help{.description = R"(
Adds tuning records to the workspace: how long configurations of workloads took on
machines, as auto-tuners write them down.

A file is a table of comma-separated values, plain or compressed (.gz, .bz2,
.xz, .zst), whose first line names its columns, in any order:
  workload, wid or task_id  the workload's name, or its number in the table
  time_ms                   needed; inf where the run failed
  machine                   whose time it is (else --machine says it, for all)
  run                       which installation of a machine: times of two of them
                            are kept apart
  template                  parts the table into spaces of configurations
  std_ms, n_rep             standard deviation and number of repeats
  status                    ok, or why there is no time
The decisions that make a configuration are the other columns that stand before
time_ms, or those that --decisions names. --workloads and --machines name sheets
with facts about them.

A line that can't be taken is listed with its reason, and all others are
imported (exit code 1). An import that was stopped is simply started again: what
is there already is kept, and a time that has changed replaces the stored one. Of
several lines for one measurement the fastest is kept.

`--progress json` prints one JSON object a line on stdout as it happens:
  {"event": "start", "job", "files"}
  {"event": "progress", "stage", "done", "total", "seconds_left"}
  {"event": "failed", "file", "line", "error"}
  {"event": "end", and what --json prints, "seconds", "complete", "stopped"}
  {"event": "error", "file", "line", "error", "stopped"})",
                                          .examples = R"(
sparsight-cli import-records gemm4096.csv.xz --machines machines.csv
sparsight-cli import-records log.csv --machine 'Titan RTX' --decisions tile_x,tile_y)",
                                          .json = R"(
{"workloads", "machines", "configurations", "settings", "measurements",
 "already_there", "replaced", "failed_runs", "repeated", "without_facts",
 "problems", "failed": [{"file", "line", "error"}]}
already_there, replaced and failed_runs count measurements; without_facts are
workloads and machines that a sheet was given for and does not name; problems
counts all lines that failed, of which "failed" has the first thousand.)"};

struct ImportRecordsOptions {
    RecordImportRequest request;
    ProgressForm progress = ProgressForm::Display;
};

Json to_json(const RecordImportReport& report) {
    Json json{{"workloads", report.workloads},
              {"machines", report.machines},
              {"configurations", report.configurations},
              {"settings", report.settings},
              {"measurements", report.measurements},
              {"already_there", report.already_there},
              {"replaced", report.replaced},
              {"failed_runs", report.failed_runs},
              {"repeated", report.repeated},
              {"without_facts", report.without_facts},
              {"problems", report.problems.count},
              {"failed", Json::array()}};
    for (const Error& problem : report.problems.first)
        json["failed"].push_back(failure_json(problem));
    return json;
}

std::string to_text(const RecordImportReport& report) {
    return fmt::format(
        "Imported {} of {} on {}: {} in {}.\n"
        "Already stored: {}. Replaced: {}. Failed runs: {}. Repeated lines: {}. Problems: {}.\n",
        counted(report.measurements, "measurement", "measurements"),
        counted(report.workloads, "workload", "workloads"), counted(report.machines, "machine", "machines"),
        counted(report.configurations, "configuration", "configurations"),
        counted(report.settings, "space", "spaces"), report.already_there, report.replaced,
        report.failed_runs, report.repeated, report.problems.count);
}

/// The terminal has the first.
void complain(const Session& session, const RecordProblems& problems) {
    constexpr std::int64_t shown = 20;
    const std::int64_t listed = std::min<std::int64_t>(shown, std::ssize(problems.first));
    for (const Error& problem : std::span(problems.first).first(static_cast<std::size_t>(listed)))
        session.complain(problem);
    if (problems.count > listed)
        session.remark(fmt::format("… and {} more", problems.count - listed));
}

ExitCode import_as_asked(Session& session, const ImportRecordsOptions& options) {
    const Interruption interruption;
    JobObserver observer(session, "import-records", options.progress);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    // A workspace without anything opens with what it gets first.
    const auto before = workload_names(*workspace);
    const auto domain = session.domains.require(records_domain);
    if (before && before->empty() && domain)
        if (const auto kept = keep_domain(*workspace, **domain); !kept)
            return observer.refuse(kept.error());
    const auto report = import_records(*workspace, options.request, observer, interruption.token());
    if (!report)
        return observer.refuse(report.error());
    observer.clear();
    for (const Error& problem : report->problems.first)
        observer.event("failed", failure_json(problem));
    complain(session, report->problems);
    observer.answer(to_json(*report), to_text(*report), report->is_stopped);
    if (report->is_stopped) {
        observer.note("stopped: what was read is imported; the same command goes on");
        return ExitCode::Interrupted;
    }
    return report->problems.count == 0 ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_import_records_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "import-records", "Add tuning records to the workspace", import_records_help);
    const auto options = std::make_shared<ImportRecordsOptions>();
    RecordImportRequest& request = options->request;
    command.add_option("files", request.tables, "tables of tuning records")->type_name("FILE")->required();
    command.add_option("--decisions", request.form.decisions, "columns that make a configuration")
        ->type_name("A,B")
        ->delimiter(',');
    command
        .add_option("--space", request.form.space,
                    "name of the space of configurations (default: the file's)")
        ->type_name("NAME");
    command.add_option("--machine", request.form.machine, "machine that the times were measured on")
        ->type_name("NAME");
    command.add_option("--workloads", request.workloads, "sheet with facts about workloads")
        ->type_name("FILE");
    command.add_option("--machines", request.machines, "sheet with facts about machines")->type_name("FILE");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return import_as_asked(session, *options); });
}

} // namespace sparsight
