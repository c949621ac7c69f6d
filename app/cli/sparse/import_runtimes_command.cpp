#include "base/text.h"
#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/sparse/workflow/import/runtimes_import.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp import_runtimes_help{.description = R"(
Adds runtimes that were measured elsewhere, so that models can learn from them.

A file is a table of comma-separated values, plain or compressed (.gz, .bz2,
.xz, .zst), whose first line names its columns, in any order:
  matrix, schedule, ms   needed; a schedule is written as WACO writes it, and ms
                         is inf where the run failed
  kernel                 SpMM, SpMV or SDDMM (else --operator says it)
  machine                whose runtime it is (else --machine says it, for all)
  rows, cols             of the matrix, to tell matrices of one name apart
Tables that compare a choice with fixed CSR have waco_schedule, waco_ms and
fixedcsr_ms instead. Other columns are not read.

A folder holds collected data in WACO's form, as `import --waco` takes it.

A matrix that is not in the workspace is known by its name alone. Models learn from
matrices whose entries are known. --matrices names a folder of matrix files
(NAME.mtx.gz, or any kind that `import` reads) with the entries of matrices that have
runtimes.

A line that can't be imported is listed with its reason, and all others are imported
(exit code 1). Stored runtimes stay, so a stopped import can simply be started again.
Outliers (under a microsecond, 1000 ms and more) are counted and kept: training leaves
them out.)",
                                           .examples = R"(
sparsight-cli import-runtimes runtimes.csv.gz --machine '32 threads' --matrices matrices
sparsight-cli import-runtimes all-machines.csv
sparsight-cli import-runtimes collected --machine 'Xeon E5-2680 v3' --operator spmm)",
                                           .json = R"(
{"matrices", "patterns", "measurements", "already_there", "replaced",
 "failed_runs", "outliers", "failed": [{"file", "line", "error"}]}
already_there, replaced, failed_runs and outliers are of the measurements,
patterns are those added to matrices that had none.)",
                                           .events = R"(
{"event": "start", "job", "files"}
{"event": "failed", "file", "line", "error"})"};

struct ImportRuntimesOptions {
    RuntimesImportRequest request;
    ProgressForm progress = ProgressForm::Display;
};

Json to_json(const ImportedRuntimes& imported) {
    return {{"matrices", imported.matrices()},       {"patterns", imported.patterns},
            {"measurements", imported.measurements}, {"already_there", imported.already_there},
            {"replaced", imported.replaced},         {"failed_runs", imported.failed_runs},
            {"outliers", imported.outliers},         {"failed", failed_json(imported.problems)}};
}

std::string to_text(const ImportedRuntimes& imported) {
    return fmt::format("{} of {}: {} there before, {} replaced, {} of failed runs, {}\n"
                       "entries added to {}; {}\n",
                       counted(imported.measurements, "measurement", "measurements"),
                       counted(imported.matrices(), "matrix", "matrices"), imported.already_there,
                       imported.replaced, imported.failed_runs,
                       counted(imported.outliers, "outlier", "outliers"),
                       counted(imported.patterns, "matrix", "matrices"),
                       counted(imported.problems.size(), "problem", "problems"));
}

ExitCode import_as_asked(const Job& job, const RuntimesImportRequest& request) {
    const auto imported = import_runtimes(job.workspace, request, job.observer, job.stop());
    if (!imported)
        return job.observer.refuse(imported.error());
    return end_import(job, to_json(*imported), to_text(*imported), imported->problems,
                      imported->problems.size(), imported->is_stopped);
}

} // namespace

void add_import_runtimes_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "import-runtimes", "Add runtimes that were measured elsewhere to the workspace",
                    import_runtimes_help);
    const auto options = std::make_shared<ImportRuntimesOptions>();
    command.add_option("files", options->request.files, "tables of runtimes, or folders in WACO's form")
        ->type_name("FILE")
        ->required();
    command.add_option("--machine", options->request.machine, "machine of the runtimes")->type_name("NAME");
    add_operator_option(command, options->request.op);
    add_dense_option(command, options->request.dense);
    command.add_option("--matrices", options->request.matrices, "folder with the entries of the matrices")
        ->type_name("FOLDER");
    add_progress_option(command, options->progress);
    set_job(command, session, "import-runtimes", options->progress, WorkspaceUse::Make,
            [options](const Job& job) { return import_as_asked(job, options->request); });
}

} // namespace sparsight
