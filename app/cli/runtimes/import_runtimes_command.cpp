#include "base/text.h"
#include "cli/commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "store/sparse/pattern_storage.h"
#include "store/sparse/runtime_tables.h"
#include "store/sparse/waco_folder.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <map>

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

A matrix that is not in the workspace is known by its name alone. Models learn
from matrices whose entries are known: --matrices names a folder of matrix files
(NAME.mtx.gz, and every other kind that `import` reads); the entries of matrices
that have runtimes are taken from there.

A line that can't be taken is listed with its reason, and all others are
imported (exit code 1). What is there already is left as it is, so that an
import that was stopped is simply started again. Outliers (under a microsecond,
1000 ms and more) are counted and kept: training leaves them out.

`--progress json` prints one JSON object a line on stdout as it happens:
  {"event": "start", "job", "files"}
  {"event": "progress", "stage", "done", "total", "seconds_left"}
  {"event": "failed", "file", "line", "error"}
  {"event": "end", and what --json prints, "seconds", "complete", "stopped"}
  {"event": "error", "file", "line", "error", "stopped"})",
                                           .examples = R"(
sparsight-cli import-runtimes runtimes.csv.gz --machine '32 threads' --matrices matrices
sparsight-cli import-runtimes all-machines.csv
sparsight-cli import-runtimes collected --machine 'Xeon E5-2680 v3' --operator spmm)",
                                           .json = R"(
{"matrices", "patterns", "measurements", "already_there", "replaced",
 "failed_runs", "outliers", "failed": [{"file", "line", "error"}]}
already_there, replaced, failed_runs and outliers are of the measurements,
patterns are those added to matrices that had none.)"};

struct ImportRuntimesOptions {
    std::vector<std::string> files;
    std::string machine;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::string matrices;
    ProgressForm progress = ProgressForm::Display;
};

struct ImportedRuntimes {
    std::map<std::string, TableMatrix, std::less<>> named; ///< by tables
    std::int64_t matrices_of_folders = 0;
    std::int64_t patterns = 0;
    std::int64_t measurements = 0;
    std::int64_t already_there = 0;
    std::int64_t replaced = 0;
    std::int64_t failed_runs = 0;
    std::int64_t outliers = 0;
    std::vector<Error> problems;

    [[nodiscard]] std::int64_t matrices() const { return std::ssize(named) + matrices_of_folders; }
    void add(const std::vector<Error>& more) { problems.insert(problems.end(), more.begin(), more.end()); }
};

Json to_json(const ImportedRuntimes& imported) {
    Json json{{"matrices", imported.matrices()},       {"patterns", imported.patterns},
              {"measurements", imported.measurements}, {"already_there", imported.already_there},
              {"replaced", imported.replaced},         {"failed_runs", imported.failed_runs},
              {"outliers", imported.outliers},         {"failed", Json::array()}};
    for (const Error& problem : imported.problems)
        json["failed"].push_back(failure_json(problem));
    return json;
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

class RuntimesImport {
public:
    RuntimesImport(Workspace& workspace, const ImportRuntimesOptions& options, const std::stop_token& stop,
                   const ProgressSink& progress, ImportedRuntimes& imported)
        : workspace_(workspace)
        , options_(options)
        , stop_(stop)
        , progress_(progress)
        , imported_(imported) {}

    Result<void> run() {
        for (const std::string& file : options_.files) {
            std::error_code ignored;
            auto done = std::filesystem::is_directory(file, ignored) ? folder(file) : table(file);
            if (!done)
                return done;
        }
        return options_.matrices.empty() ? Result<void>() : patterns();
    }

private:
    /// What is wrong with one file or folder as a whole leaves the others to be imported.
    Result<void> problem(const Error& error) {
        if (error.fault == Fault::Cancelled || error.file == workspace_.path().string())
            return std::unexpected(error);
        imported_.problems.push_back(error);
        return {};
    }

    Result<void> table(const std::string& file) {
        const auto report = import_runtime_table(
            workspace_, {file, options_.machine, options_.op, options_.dense}, stop_, progress_);
        if (!report)
            return problem(report.error());
        imported_.named.insert(report->matrices.begin(), report->matrices.end());
        imported_.measurements += report->measurements;
        imported_.already_there += report->already_there;
        imported_.replaced += report->replaced;
        imported_.failed_runs += report->failed_runs;
        imported_.outliers += report->outliers;
        imported_.add(report->problems);
        return {};
    }

    Result<void> folder(const std::string& path) {
        WacoImport request{
            .folder = path, .op = options_.op, .machine = options_.machine, .dense = options_.dense};
        const auto report = import_waco_folder(workspace_, request, stop_, progress_);
        if (!report)
            return problem(report.error());
        imported_.matrices_of_folders += report->matrices;
        imported_.patterns += report->patterns;
        imported_.measurements += report->measurements;
        imported_.failed_runs += report->failed_runs;
        imported_.outliers += report->outliers;
        imported_.add(report->problems);
        return {};
    }

    Result<void> patterns() {
        const auto report = add_patterns(workspace_, options_.matrices, imported_.named, stop_, progress_);
        if (!report)
            return problem(report.error());
        imported_.patterns += report->patterns;
        imported_.add(report->problems);
        return {};
    }

    Workspace& workspace_;
    const ImportRuntimesOptions& options_;
    const std::stop_token& stop_;
    const ProgressSink& progress_;
    ImportedRuntimes& imported_;
};

/// A table of another form has as many as it has lines: they are all in the JSON, the terminal has the first.
void complain(const Session& session, const std::vector<Error>& problems) {
    constexpr std::size_t shown = 20;
    for (std::size_t i = 0; i < std::min(shown, problems.size()); ++i)
        session.complain(problems[i]);
    if (problems.size() > shown)
        session.remark(fmt::format("… and {} more, which --json lists", problems.size() - shown));
}

ExitCode import_runtimes(Session& session, const ImportRuntimesOptions& options) {
    const Interruption interruption;
    JobEvents events(session, "import-runtimes", options.progress);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    events.start({{"files", options.files.size()}});
    ProgressDisplay display(events.display_style());
    ImportedRuntimes imported;
    const auto done = RuntimesImport(*workspace, options, interruption.token(),
                                     events.are_told() ? events.sink() : display.sink(), imported)
                          .run();
    display.clear();
    const bool is_stopped = !done && done.error().fault == Fault::Cancelled;
    if (!done && !is_stopped)
        return events.refuse(done.error());
    for (const Error& problem : imported.problems)
        events.tell("failed", failure_json(problem));
    complain(session, imported.problems);
    if (events.are_told())
        events.end(to_json(imported), !is_stopped, is_stopped);
    else if (session.options.json)
        session.print_json(to_json(imported));
    else
        session.print(to_text(imported));
    if (is_stopped) {
        if (!events.are_told())
            session.remark("stopped: what was read is imported; the same command goes on");
        return ExitCode::Interrupted;
    }
    return imported.problems.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_import_runtimes_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "import-runtimes", "Add runtimes that were measured elsewhere to the workspace",
                    import_runtimes_help);
    const auto options = std::make_shared<ImportRuntimesOptions>();
    command.add_option("files", options->files, "tables of runtimes, or folders in WACO's form")
        ->type_name("FILE")
        ->required();
    command.add_option("--machine", options->machine, "whom the runtimes belong to")->type_name("NAME");
    add_operator_option(command, options->op);
    add_dense_option(command, options->dense);
    command.add_option("--matrices", options->matrices, "folder with the entries of the matrices")
        ->type_name("FOLDER");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return import_runtimes(session, *options); });
}

} // namespace sparsight
