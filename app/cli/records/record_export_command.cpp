#include "base/text.h"
#include "cli/records/record_commands.h"
#include "command/job.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/records/exchange/record_export.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp exported_records_help{.description = R"(
Writes tuning records of the workspace into a file, all of them or those of one
workload, machine or space. The suffix of the file says in which format:
  .csv   a table as `import-records` reads it, with a column for each decision
  .json  results in the T4 format of the auto-tuning community (TuningSchema), with
         workload, machine, space and run in an object "metadata" of each result
Times are in milliseconds. Importing the file gives the same records again. The file
is replaced as a whole, or stays as it was if anything fails.)",
                                            .examples = R"(
sparsight-cli export records all.csv
sparsight-cli export records a100.json --machine A100 --workload gemm4096)",
                                            .json = R"(
{"file", "measurements", "workloads", "machines", "failed_runs", "damaged"}
damaged are records whose rows in the workspace do not match their checksums: they
are left out (exit code 1).)"};

ExitCode export_records_of(Session& session, Workspace& workspace, RecordExportRequest request) {
    const auto format = export_format_of(request.file);
    if (!format)
        return session.refuse(
            {Fault::Input,
             fmt::format("'{}' does not say in which format: expected .csv or .json", request.file.string()),
             {},
             0},
            ExitCode::Usage);
    request.format = *format;
    const Interruption interruption;
    JobObserver observer(session, "export", ProgressForm::Display);
    const auto report = export_records(workspace, request, observer.sink(), interruption.token());
    observer.clear();
    if (!report)
        return session.refuse(report.error());
    if (session.options.json)
        session.print_json({{"file", request.file.string()},
                            {"measurements", report->measurements},
                            {"workloads", report->workloads},
                            {"machines", report->machines},
                            {"failed_runs", report->failed_runs},
                            {"damaged", report->damaged}});
    else
        session.remark(fmt::format(
            "wrote {} of {} on {} to {}{}", counted(report->measurements, "record", "records"),
            counted(report->workloads, "workload", "workloads"),
            counted(report->machines, "machine", "machines"), request.file.string(),
            report->damaged == 0 ? "" : fmt::format(". Left out as damaged: {}", report->damaged)));
    return report->damaged == 0 ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_export_records(CLI::App& parent, Session& session) {
    CLI::App& command = add_command(parent, "records", "Write tuning records as CSV or in the T4 format",
                                    exported_records_help);
    const auto request = std::make_shared<RecordExportRequest>();
    command.add_option("file", request->file, "NAME.csv or NAME.json")->type_name("FILE")->required();
    command.add_option("--workload", request->workload, "only records of this workload")->type_name("NAME");
    command.add_option("--machine", request->machine, "only records of this machine: name or fingerprint")
        ->type_name("NAME");
    command.add_option("--space", request->space, "only records of this space of configurations")
        ->type_name("NAME");
    set_action(command, session, WorkspaceUse::Read, [&session, request](Workspace& workspace) {
        return export_records_of(session, workspace, *request);
    });
}

} // namespace sparsight
