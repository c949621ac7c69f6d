#include "base/parallel.h"
#include "base/text.h"
#include "cli/commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "command/terminal_text.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/storage/waco_folder.h"
#include "domains/sparse/workflow/import/matrix_import.h"
#include "workflow/chosen_setting.h"
#include "workflow/import/workload_import.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

Json to_json(const WacoImportReport& report) {
    Json json{{"matrices", report.matrices},         {"patterns", report.patterns},
              {"measurements", report.measurements}, {"failed_runs", report.failed_runs},
              {"outliers", report.outliers},         {"failed", Json::array()}};
    for (const Error& problem : report.problems)
        json["failed"].push_back(failure_json(problem));
    return json;
}

/// `import --waco`: a folder of collected data in WACO's form.
ExitCode import_waco(Session& session, const WacoImport& request, ProgressForm form) {
    if (request.machine.empty())
        return session.refuse({Fault::Input, "--waco needs --machine: whose runtimes are they?", {}, 0},
                              ExitCode::Usage);
    const Interruption interruption;
    JobObserver observer(session, "import", form);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    observer.start({{"folder", request.folder.string()}});
    const auto report = import_waco_folder(*workspace, request, interruption.token(), observer.sink());
    observer.clear();
    if (!report && report.error().fault == Fault::Cancelled && observer.tells_events()) {
        observer.end(Json::object(), false, true);
        return ExitCode::Interrupted;
    }
    if (!report)
        return observer.refuse(report.error());
    for (const Error& problem : report->problems) {
        observer.event("failed", failure_json(problem));
        session.complain(problem);
    }
    if (observer.tells_events())
        observer.end(to_json(*report), true, false);
    else if (session.options.json)
        session.print_json(to_json(*report));
    else
        session.print(fmt::format("{}, {} of them with entries; {}, {} of them of failed runs and {}; {}\n",
                                  counted(report->matrices, "matrix", "matrices"), report->patterns,
                                  counted(report->measurements, "measurement", "measurements"),
                                  report->failed_runs, counted(report->outliers, "outlier", "outliers"),
                                  counted(report->problems.size(), "problem", "problems")));
    return report->problems.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

constexpr CommandHelp new_help{.description = R"(
Makes an empty workspace: one file that holds matrices, machines, schedules and
measurements. A file that is there already is never touched. Without FILE it is
made where --workspace says.)",
                               .examples = R"(
sparsight-cli new experiment.sparsight
export SPARSIGHT_WORKSPACE=experiment.sparsight    # for all commands that follow)",
                               .json = R"({"workspace": FILE})"};

/// The file that is given here counts, whatever --workspace and the environment say: one makes a second
/// workspace while the first one is named.
ExitCode make_workspace(Session& session, const std::string& file) {
    const std::string path = file.empty() ? session.workspace_path() : file;
    const auto workspace = Workspace::create(path, session.program_version());
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    if (session.options.json)
        session.print_json({{"workspace", path}});
    else
        session.remark(fmt::format("made the workspace {}", path));
    return ExitCode::Done;
}

} // namespace

void add_new_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "new", "Make an empty workspace", new_help);
    const auto file = std::make_shared<std::string>();
    command.add_option("file", *file, "the workspace to make")->type_name("FILE");
    set_action(command, session, [&session, file] { return make_workspace(session, *file); });
}

namespace {

constexpr CommandHelp import_help{.description = R"(
Adds matrices to the workspace. Formats: Matrix Market (.mtx), WACO (.csr), DLMC
(.smtx); each also compressed (.gz, .bz2, .xz, .zst) or in an archive (.tar,
.tar.gz, .zip), as the SuiteSparse Matrix Collection hands them out.

A matrix is named after its file, without folder and suffixes. One that is in
the workspace already, under the same name with the same entries, is left as it
is; if its entries differ, the file is refused: name it with --name. Entries
that a file states twice are added up and counted, and so are explicit zeros,
which stay entries.

--waco FOLDER takes collected data in WACO's form instead: the matrix lists,
NAME.txt with "schedule = milliseconds" lines, NAME.csr. --machine says whose
runtimes these are, --operator and --dense what was measured.

Each matrix is stored when it is read. A file that can't be read is listed, with
line and reason, and the others are imported all the same (exit code 1). Without
--workspace, a missing ./workspace.sparsight is made.

`--progress json` prints one JSON object a line on stdout as it happens:
  {"event": "start", "job", "files"}
  {"event": "progress", "stage", "done", "total", "seconds_left"}
  {"event": "imported", and what --json has for the matrix}
  {"event": "failed", "file", "line", "error"}
  {"event": "end", "imported", "already_there", "failed", "seconds", "complete",
   "stopped"}
  {"event": "error", "file", "line", "error", "stopped"}
With --waco there are no imported, and end has what --json prints.)",
                                  .examples = R"(
sparsight-cli import cage8.mtx.gz web-Google.tar.gz
sparsight-cli import matrices/*.mtx.gz --workspace experiment.sparsight
sparsight-cli import other/cage8.mtx --name cage8-reordered
sparsight-cli import --waco collected --machine 'Xeon E5-2680 v3' --operator spmm)",
                                  .json = R"(
{"imported": [{"name", "rows", "cols", "nnz", "source", "duplicates_merged",
               "explicit_zeros", "already_there"}],
 "failed":   [{"file", "line", "error"}]}
line is null where no line is concerned, as in binary files. With --waco:
{"matrices", "patterns", "measurements", "failed_runs", "outliers",
 "failed": [{"file", "line", "error"}]})"};

struct ImportOptions {
    std::vector<std::string> files;
    std::string name;
    std::string domain;
    int threads = available_threads();
    WacoImport waco;
    ProgressForm progress = ProgressForm::Display;
};

Json to_json(const ImportReport& report) {
    Json json{{"imported", Json::array()}, {"failed", Json::array()}};
    for (const ImportedMatrix& matrix : report.imported)
        json["imported"].push_back(imported_json(matrix));
    for (const Error& error : report.failed)
        json["failed"].push_back(failure_json(error));
    return json;
}

Json to_json(const WorkloadImport& report) {
    Json json{{"imported", Json::array()}, {"failed", Json::array()}};
    for (const ImportedWorkload& workload : report.imported)
        json["imported"].push_back(imported_json(workload));
    for (const Error& error : report.failed)
        json["failed"].push_back(failure_json(error));
    return json;
}

void print(const Session& session, const WorkloadImport& report) {
    Table table({{"name"}, {"facts"}, {"remarks"}});
    for (const ImportedWorkload& workload : report.imported)
        table.add_row({workload.name, workload.facts, workload.already_there ? "already there" : ""});
    if (!table.empty())
        session.print(table.text());
    session.remark(fmt::format("{} imported, {} of them there before; {} failed", report.imported.size(),
                               report.known(), report.failed.size()));
}

std::string remarks(const ImportedMatrix& matrix) {
    std::vector<std::string> remarks;
    if (matrix.already_there)
        remarks.emplace_back("already there");
    if (matrix.report.duplicates_merged > 0)
        remarks.push_back(fmt::format("merged duplicates: {}", matrix.report.duplicates_merged));
    if (matrix.report.explicit_zeros > 0)
        remarks.push_back(fmt::format("explicit zeros: {}", matrix.report.explicit_zeros));
    if (matrix.report.not_finite > 0)
        remarks.push_back(fmt::format("values not finite: {}", matrix.report.not_finite));
    return fmt::format("{}", fmt::join(remarks, ", "));
}

void print(const Session& session, const ImportReport& report) {
    Table table({{"matrix"},
                 {"rows", Align::Right},
                 {"columns", Align::Right},
                 {"non-zeros", Align::Right},
                 {"remarks"}});
    for (const ImportedMatrix& matrix : report.imported)
        table.add_row({matrix.name, fmt::to_string(matrix.rows), fmt::to_string(matrix.cols),
                       fmt::to_string(matrix.nnz), remarks(matrix)});
    if (!table.empty())
        session.print(table.text());
    session.remark(fmt::format("{} imported, {} of them there before; {} failed", report.imported.size(),
                               report.known(), report.failed.size()));
}

/// How an import ended, as an event or as an answer.
template <typename Report>
ExitCode finish(Session& session, JobObserver& observer, const Interruption& interruption,
                const Report& report, bool is_complete) {
    observer.clear();
    if (observer.tells_events())
        observer.end({{"imported", report.imported.size()},
                      {"already_there", report.known()},
                      {"failed", report.failed.size()}},
                     is_complete, !is_complete);
    else if (session.options.json)
        session.print_json(to_json(report));
    else
        print(session, report);
    if (interruption.requested()) {
        observer.note("stopped: what is listed was imported");
        return ExitCode::Interrupted;
    }
    return report.failed.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

/// Files of any domain but that of matrices, which has readers and options of its own.
ExitCode import_described(Session& session, Workspace& workspace, const Domain& domain,
                          const ImportOptions& options, JobObserver& observer,
                          const Interruption& interruption) {
    if (!options.name.empty())
        return observer.refuse({Fault::Input, "--name is for matrices", {}, 0}, ExitCode::Usage);
    const auto imported = import_workloads(workspace, domain, options.files, observer, interruption.token());
    if (!imported)
        return observer.refuse(imported.error(), ExitCode::Workspace);
    return finish(session, observer, interruption, *imported, imported->files == options.files.size());
}

ExitCode import_as_asked(Session& session, const ImportOptions& options) {
    if (options.files.empty())
        return session.refuse({Fault::Input, "a file to import is missing, or --waco FOLDER", {}, 0},
                              ExitCode::Usage);
    if (options.files.size() > 1 && !options.name.empty())
        return session.refuse({Fault::Input, "--name is for one file", {}, 0}, ExitCode::Usage);
    const Interruption interruption;
    JobObserver observer(session, "import", options.progress);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const auto domain = choose_domain(*workspace, session.domains, options.domain);
    if (!domain)
        return observer.refuse(domain.error(), ExitCode::Usage);
    if ((*domain)->name() != sparse_domain)
        return import_described(session, *workspace, **domain, options, observer, interruption);
    const auto imported = import_files(*workspace, {options.files, options.name, options.threads}, observer,
                                       interruption.token());
    if (!imported)
        return observer.refuse(imported.error(), ExitCode::Workspace);
    return finish(session, observer, interruption, *imported, imported->size() == options.files.size());
}

void add_waco_options(CLI::App& command, WacoImport& waco, CLI::Option* files, CLI::Option* name) {
    auto* folder = command.add_option("--waco", waco.folder, "import collected data in WACO's folder form")
                       ->type_name("FOLDER")
                       ->excludes(files, name);
    const auto only_with_waco = [folder](CLI::Option* option) { option->needs(folder); };
    only_with_waco(
        command.add_option("--patterns", waco.matrix_folder, "where the .csr files are, if elsewhere")
            ->type_name("FOLDER"));
    only_with_waco(
        command.add_option("--machine", waco.machine, "whom the runtimes belong to")->type_name("NAME"));
    only_with_waco(add_operator_option(command, waco.op));
    only_with_waco(add_dense_option(command, waco.dense));
    only_with_waco(
        command.add_option("--split", waco.split, "name for the lists of matrices (default: the folder's)")
            ->type_name("NAME"));
}

} // namespace

void add_import_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "import", "Add matrices from files to the workspace", import_help);
    const auto options = std::make_shared<ImportOptions>();
    auto* files = command.add_option("files", options->files, "matrix files")->type_name("FILE");
    auto* name =
        command
            .add_option("--name", options->name, "name of the matrix, instead of its file's (one file only)")
            ->type_name("NAME");
    add_threads_option(command, options->threads, "threads that read a file (default: all)");
    add_domain_option(command, session.domains, options->domain);
    add_waco_options(command, options->waco, files, name);
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] {
        return options->waco.folder.empty() ? import_as_asked(session, *options)
                                            : import_waco(session, options->waco, options->progress);
    });
}

} // namespace sparsight
