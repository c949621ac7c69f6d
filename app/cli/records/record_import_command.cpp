#include "base/text.h"
#include "cli/records/record_commands.h"
#include "command/job.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/records/exchange/record_import.h"
#include "domains/records/records.h"
#include "store/workloads.h"
#include "workflow/chosen_setting.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

constexpr CommandHelp import_records_help{.description = R"(
Adds tuning records to the workspace: how long configurations of workloads took on
machines, as auto-tuners write them down.

A file may be plain, compressed (.gz, .bz2, .xz, .zst) or in an archive. Its format is
recognised by its content:
  table         comma-separated values, see below
  Kernel Tuner  cache file, also one that was not closed
  T4            results of the auto-tuning community's format (TuningSchema)
  AutoTVM       tuning log, one JSON object a line, also a package of TopHub
  Ansor         records of TVM's auto-scheduler, as of TenSet, one JSON object a line
  MIOpen        find-database (.fdb.txt, .ufdb.txt)
A median is taken of several times. Seconds of TVM become milliseconds. A failed run
keeps the file's reason. --machine names the machine of a file that does not say it;
with cache files, logs and find-databases it stands for what they say. --space names
the space of configurations: otherwise it is the table's file, the kernel, "autotvm"
with the task, "ansor" with the computation, or "miopen_conv".

The first line of a table names its columns, in any order:
  workload, wid or task_id  the workload's name, or its number in the table
  time_ms                   needed; inf where the run failed
  machine                   whose time it is (else --machine says it, for all)
  run                       which installation of a machine: times of two of them
                            are kept apart
  space                     the space of configurations (else --space says it)
  template                  parts the table into spaces of configurations
  std_ms, n_rep             standard deviation and number of repeats
  status                    ok, or why there is no time
The decisions that make a configuration are the other columns that stand before
time_ms, or those that --decisions names. --workloads and --machines name sheets
with facts about them.

A record that can't be read is listed with its line, and all others are imported
(exit code 1). A stopped import can simply be started again: stored times stay, and a
changed time replaces the stored one. The fastest of several lines for one measurement
is stored.)",
                                          .examples = R"(
sparsight-cli import-records gemm4096.csv.xz --machines machines.csv
sparsight-cli import-records log.csv --machine 'Titan RTX' --decisions tile_x,tile_y
sparsight-cli import-records convolution_A100.json conv2d.log gfx906_60.HIP.fdb.txt)",
                                          .json = R"(
{"workloads", "machines", "configurations", "settings", "measurements",
 "already_there", "replaced", "failed_runs", "repeated", "without_facts",
 "problems", "failed": [{"file", "line", "error"}]}
already_there, replaced and failed_runs count measurements; without_facts are
workloads and machines that a sheet was given for and does not name; problems
counts all lines that failed, of which "failed" has the first thousand.)",
                                          .events = R"(
{"event": "start", "job", "files"}
{"event": "failed", "file", "line", "error"})"};

Json to_json(const RecordImportReport& report) {
    return {{"workloads", report.workloads},
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
            {"failed", failed_json(report.problems.first)}};
}

std::string to_text(const RecordImportReport& report) {
    const std::string unnamed = fmt::format("{}", fmt::join(report.first_without_facts, ", "));
    return fmt::format("Imported {} of {} on {}: {} in {}.\n"
                       "Already stored: {}. Replaced: {}. Runs without a time: {}. Repeated lines: "
                       "{}. Problems: {}.\n{}",
                       counted(report.added(), "new run", "new runs"),
                       counted(report.workloads, "workload", "workloads"),
                       counted(report.machines, "machine", "machines"),
                       counted(report.configurations, "configuration", "configurations"),
                       counted(report.settings, "space", "spaces"), report.already_there, report.replaced,
                       report.failed_runs, report.repeated, report.problems.count,
                       unnamed.empty() ? ""
                                       : fmt::format("Names that the sheets lack ({} in all): {}.\n",
                                                     report.without_facts, unnamed));
}

ExitCode import_files(const Job& job, const RecordImportRequest& request) {
    // A workspace without anything opens with what it gets first.
    const auto before = workload_names(job.workspace);
    const auto domain = job.session.domains.require(records_domain);
    if (before && before->empty() && domain)
        if (const auto kept = keep_domain(job.workspace, **domain); !kept)
            return job.observer.refuse(kept.error());
    const auto report = import_records(job.workspace, request, job.observer, job.stop());
    if (!report)
        return job.observer.refuse(report.error());
    return end_import(job, to_json(*report), to_text(*report), report->problems.first,
                      static_cast<std::size_t>(report->problems.count), report->is_stopped);
}

class RecordImporter final : public DomainPart<ImportOrder> {
public:
    std::string_view domain() const override { return records_domain; }

    void add_options(CLI::App& command) override {
        command
            .add_option("--decisions", request_.form.decisions,
                        "columns that are decisions of a configuration")
            ->type_name("A,B")
            ->delimiter(',');
        command
            .add_option("--space", request_.form.space,
                        "name of the space of configurations (default: the file's)")
            ->type_name("NAME");
        command.add_option("--workloads", request_.workloads, "sheet with facts about workloads")
            ->type_name("FILE");
        command.add_option("--machines", request_.machines, "sheet with facts about machines")
            ->type_name("FILE");
    }

    ExitCode run(Session& /*session*/, ImportOrder& order) const override {
        RecordImportRequest request = request_;
        request.files.assign(order.files.begin(), order.files.end());
        request.form.machine = order.machine;
        return import_files(*order.job, request);
    }

private:
    RecordImportRequest request_;
};

struct ImportRecordsOptions {
    RecordImporter importer;
    ImportOrder order;
    ProgressForm progress = ProgressForm::Display;
};

void add_import_records_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "import-records", "Add tuning records to the workspace", import_records_help);
    const auto options = std::make_shared<ImportRecordsOptions>();
    command.add_option("files", options->order.files, "files of tuning records")
        ->type_name("FILE")
        ->required();
    command.add_option("--machine", options->order.machine, "machine that the times were measured on")
        ->type_name("NAME");
    options->importer.add_options(command);
    add_progress_option(command, options->progress);
    set_job(command, session, "import-records", options->progress, WorkspaceUse::Make,
            [&session, options](const Job& job) {
                options->order.job = &job;
                return options->importer.run(session, options->order);
            });
}

void add_record_commands(CLI::App& app, Session& session, const MeasuringDomains& /*measuring*/) {
    add_import_records_command(app, session);
    add_export_records(*app.get_subcommand("export"), session);
}

} // namespace

void add_records(CommandLine& program) {
    (void)program.domains.add(make_records_domain()); // each has a name of its own
    program.importers.push_back(std::make_shared<RecordImporter>());
    program.commands.push_back(&add_record_commands);
}

} // namespace sparsight
