#include "cli/commands.h"
#include "cli/matrix_statistics.h"
#include "command/command.h"
#include "command/progress_display.h"
#include "command/session.h"
#include "command/table.h"
#include "store/matrices.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp matrices_help{.description = R"(
Lists the matrices of the workspace, as they were added. A matrix whose runtimes
were imported without its entries is known by its name alone.

--json adds all statistics of each matrix (`sparsight-cli stats` explains them).
They are computed once and kept in the workspace.)",
                           .examples = R"(
sparsight-cli matrices --workspace experiment.sparsight
sparsight-cli matrices --json | jq -r '.[] | [.name, .statistics.row_length_gini] | @tsv')",
                           .json = R"(
[{"name", "rows", "cols", "nnz", "source", "statistics": {NAME: NUMBER, …}}]
rows, cols, nnz and statistics are null where the entries are not known.)"};

Json describe(const MatrixRecord& matrix, Json statistics) {
    const bool is_known = matrix.pattern != PatternPlace::Unknown;
    return {{"name", matrix.name},
            {"rows", is_known ? Json(matrix.rows) : Json()},
            {"cols", is_known ? Json(matrix.cols) : Json()},
            {"nnz", is_known ? Json(matrix.nnz) : Json()},
            {"source", matrix.source},
            {"statistics", std::move(statistics)}};
}

ExitCode print_json(Session& session, Workspace& workspace, const std::vector<MatrixRecord>& matrices) {
    StatisticsKeeper keeper(workspace);
    ProgressDisplay display(ProgressDisplay::style_of_stderr(session.options.quiet));
    Json list = Json::array();
    ExitCode code = ExitCode::Done;
    for (const MatrixRecord& matrix : matrices) {
        const std::string what = fmt::format("statistics of {}", matrix.name);
        display.show({.what = what, .done = list.size(), .total = matrices.size(), .left = {}});
        if (matrix.pattern == PatternPlace::Unknown) {
            list.push_back(describe(matrix, {}));
            continue;
        }
        Result<Json> statistics = keeper.statistics(matrix);
        if (!statistics) {
            display.clear();
            session.complain(statistics.error());
            code = ExitCode::SomeFailed;
        }
        list.push_back(describe(matrix, statistics ? std::move(*statistics) : Json()));
    }
    display.clear();
    keeper.keep(session);
    session.print_json(list);
    return code;
}

std::string density(const MatrixRecord& matrix) {
    const double places = static_cast<double>(matrix.rows) * static_cast<double>(matrix.cols);
    return fmt::format("{:.3g}", places > 0 ? 100 * static_cast<double>(matrix.nnz) / places : 0);
}

void print_table(const Session& session, const std::vector<MatrixRecord>& matrices) {
    Table table({{"matrix"},
                 {"rows", Align::Right},
                 {"columns", Align::Right},
                 {"non-zeros", Align::Right},
                 {"density %", Align::Right},
                 {"source"}});
    for (const MatrixRecord& matrix : matrices) {
        if (matrix.pattern == PatternPlace::Unknown)
            table.add_row({matrix.name, "?", "?", "?", "?", matrix.source});
        else
            table.add_row({matrix.name, fmt::to_string(matrix.rows), fmt::to_string(matrix.cols),
                           fmt::to_string(matrix.nnz), density(matrix), matrix.source});
    }
    session.print(table.text());
}

ExitCode print_matrices(Session& session) {
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    const auto matrices = list_matrices(*workspace);
    if (!matrices)
        return session.refuse(matrices.error(), ExitCode::Workspace);
    if (session.options.json)
        return print_json(session, *workspace, *matrices);
    if (matrices->empty())
        session.remark("the workspace has no matrices: import or simulate some");
    else
        print_table(session, *matrices);
    return ExitCode::Done;
}

} // namespace

void add_matrices_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "matrices", "List the matrices of the workspace", matrices_help);
    set_action(command, session, [&session] { return print_matrices(session); });
}

} // namespace sparsight
