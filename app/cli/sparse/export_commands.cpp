#include "base/files.h"
#include "base/text.h"
#include "cli/sparse/schedule_options.h"
#include "cli/sparse/sparse_commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/sparse/storage/waco_folder.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "domains/sparse/workflow/import/named_matrices.h"
#include "workflow/evaluation/stored_results.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp matrix_help{.description = R"(
Writes a matrix as Matrix Market (.mtx) or as WACO's binary CSR (.csr, which has
no values). MATRIX may also be a file: that converts it.)",
                                  .examples = R"(
sparsight-cli export matrix cage8 cage8.mtx
sparsight-cli export matrix web-Google.tar.gz web-Google.csr)",
                                  .json = R"({"file", "rows", "cols", "nnz"})"};

constexpr CommandHelp waco_help{
    .description = R"(
Writes the measurements of one machine and operator as WACO's folder of collected
data: total.txt, NAME.txt with "schedule = milliseconds" lines, NAME.csr. The folder
must be new or empty. Imported data come out byte for byte; a schedule without a time
is written as "inf".)",
    .examples = R"(sparsight-cli export waco copy --machine 'Xeon E5-2680 v3' --operator spmm)",
    .json = R"({"folder", "matrices", "patterns", "measurements", "failed": [{"file", "line", "error"}]})"};

struct MatrixExport {
    std::string matrix;
    std::string file;
};

Result<void> write_matrix(const MatrixExport& request, const NamedMatrix& matrix) {
    return request.file.ends_with(".csr")
               ? write_waco_csr(request.file, matrix.pattern)
               : write_matrix_market(request.file, matrix.pattern,
                                     fmt::format("{}: {}", matrix.name, matrix.source));
}

ExitCode export_matrix(Session& session, const MatrixExport& request) {
    if (!request.file.ends_with(".csr") && !request.file.ends_with(".mtx"))
        return session.refuse(
            {Fault::Input,
             fmt::format("'{}' does not say in which format: expected .mtx or .csr", request.file),
             {},
             0},
            ExitCode::Usage);
    const auto matrix = load_named_matrix(session.workspace_location(), request.matrix);
    if (!matrix)
        return session.refuse(matrix.error());
    if (const auto written = write_matrix(request, *matrix); !written)
        return session.refuse(written.error());
    if (session.options.json)
        session.print_json({{"file", request.file},
                            {"rows", matrix->pattern.rows},
                            {"cols", matrix->pattern.cols},
                            {"nnz", matrix->pattern.nnz()}});
    else
        session.remark(fmt::format("wrote {} ({} × {}, {} entries) to {}", matrix->name, matrix->pattern.rows,
                                   matrix->pattern.cols, matrix->pattern.nnz(), request.file));
    return ExitCode::Done;
}

ExitCode export_waco(Session& session, Workspace& workspace, const WacoExport& request) {
    if (const auto known = check_protocol(workspace, request.protocol); !known)
        return session.refuse(known.error());
    JobObserver observer(session, "export", ProgressForm::Display);
    const auto report = export_waco_folder(workspace, request, {}, observer.sink());
    observer.clear();
    if (!report)
        return session.refuse(report.error());
    if (report->measurements == 0)
        session.complain(
            {Fault::Input,
             fmt::format(
                 "nothing was measured on '{}' with {}, dense extent {} and protocol {}: see `results`, "
                 "and name another --operator, --dense or --protocol",
                 request.machine, name(request.op), request.dense, request.protocol),
             {},
             0});
    for (const Error& problem : report->problems)
        session.complain(problem);
    if (session.options.json)
        session.print_json({{"folder", request.folder.string()},
                            {"matrices", report->matrices},
                            {"patterns", report->patterns},
                            {"measurements", report->measurements},
                            {"failed", failed_json(report->problems)}});
    else
        session.remark(fmt::format("wrote {} of {} to {}",
                                   counted(report->measurements, "measurement", "measurements"),
                                   counted(report->matrices, "matrix", "matrices"), request.folder.string()));
    return report->problems.empty() && report->measurements > 0 ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_export_matrix(CLI::App& parent, Session& session) {
    CLI::App& command = add_command(parent, "matrix", "Write a matrix as .mtx or .csr", matrix_help);
    const auto request = std::make_shared<MatrixExport>();
    command.add_option("matrix", request->matrix, "a matrix of the workspace, or a file")
        ->type_name("MATRIX")
        ->required();
    command.add_option("file", request->file, "NAME.mtx or NAME.csr")->type_name("FILE")->required();
    set_action(command, session, [&session, request] { return export_matrix(session, *request); });
}

void add_export_waco(CLI::App& parent, Session& session) {
    CLI::App& command = add_command(parent, "waco", "Write collected data in WACO's folder form", waco_help);
    const auto request = std::make_shared<WacoExport>();
    command.add_option("folder", request->folder, "a new or empty folder")->type_name("FOLDER")->required();
    command.add_option("--machine", request->machine, "name or fingerprint")->type_name("NAME")->required();
    add_operator_option(command, request->op);
    add_dense_option(command, request->dense);
    command.add_option("--protocol", request->protocol, "waco (default) or adaptive")->type_name("PROTOCOL");
    command.add_option("--split", request->split, "write the lists of this split")->type_name("NAME");
    const auto without_patterns = std::make_shared<bool>(false);
    command.add_flag("--without-patterns", *without_patterns, "leave out the .csr files");
    set_action(command, session, WorkspaceUse::Read,
               [&session, request, without_patterns](Workspace& workspace) {
                   request->patterns = !*without_patterns;
                   return export_waco(session, workspace, *request);
               });
}

} // namespace sparsight
