#include "base/files.h"
#include "base/parallel.h"
#include "base/terminal_text.h"
#include "cli/sparse/sparse_commands.h"
#include "command/job.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "domains/sparse/workflow/import/named_matrices.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

void keep(const Session& session, const StatisticsKeeper& keeper) {
    if (const auto kept = keeper.keep(session.workspace_location()); !kept)
        session.remark(fmt::format("the statistics could not be kept: {}", kept.error().text()));
}

constexpr CommandHelp matrices_help{.description = R"(
Lists the matrices of the workspace in the order in which they were added. Only the
name is known of a matrix whose runtimes were imported without its entries.

--json adds all statistics of each matrix (`sparsight-cli stats` explains them).
They are computed once and kept in the workspace.)",
                                    .examples = R"(
sparsight-cli matrices --workspace experiment.sparsight
sparsight-cli matrices --json | jq -r '.[] | [.name, .statistics.row_length_gini] | @tsv')",
                                    .json = R"(
[{"name", "rows", "cols", "nnz", "source", "statistics": {NAME: NUMBER, …}}]
rows, cols, nnz and statistics are null where the entries are not known.)"};

Json describe(const MatrixRecord& matrix, Json statistics) {
    const bool is_known = matrix.pattern != PayloadPlace::Unknown;
    return {{"name", matrix.name},
            {"rows", is_known ? Json(matrix.rows) : Json()},
            {"cols", is_known ? Json(matrix.cols) : Json()},
            {"nnz", is_known ? Json(matrix.nnz) : Json()},
            {"source", matrix.source},
            {"statistics", std::move(statistics)}};
}

ExitCode print_json(Session& session, Workspace& workspace, const std::vector<MatrixRecord>& matrices) {
    StatisticsKeeper keeper(workspace);
    JobObserver observer(session, "matrices", ProgressForm::Display);
    Json list = Json::array();
    ExitCode code = ExitCode::Done;
    for (const MatrixRecord& matrix : matrices) {
        observer.progress({.stage = fmt::format("statistics of {}", matrix.name),
                           .done = list.size(),
                           .total = matrices.size()});
        if (matrix.pattern == PayloadPlace::Unknown) {
            list.push_back(describe(matrix, {}));
            continue;
        }
        Result<Json> statistics = keeper.statistics(matrix);
        if (!statistics) {
            observer.complain(statistics.error());
            code = ExitCode::SomeFailed;
        }
        list.push_back(describe(matrix, statistics ? std::move(*statistics) : Json()));
    }
    observer.clear();
    keep(session, keeper);
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
                 {"entries", Align::Right},
                 {"density %", Align::Right},
                 {"source"}});
    for (const MatrixRecord& matrix : matrices) {
        if (matrix.pattern == PayloadPlace::Unknown)
            table.add_row({matrix.name, "?", "?", "?", "?", matrix.source});
        else
            table.add_row({matrix.name, fmt::to_string(matrix.rows), fmt::to_string(matrix.cols),
                           fmt::to_string(matrix.nnz), density(matrix), matrix.source});
    }
    session.print(table.text());
}

ExitCode print_matrices(Session& session, Workspace& workspace) {
    const auto matrices = list_matrices(workspace);
    if (!matrices)
        return session.refuse(matrices.error(), ExitCode::Workspace);
    if (session.options.json)
        return print_json(session, workspace, *matrices);
    if (matrices->empty())
        session.remark("the workspace has no matrices: import or simulate some");
    else
        print_table(session, *matrices);
    return ExitCode::Done;
}

} // namespace

void add_matrices_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "matrices", "List the matrices of the workspace", matrices_help);
    set_action(command, session, WorkspaceUse::Read,
               [&session](Workspace& workspace) { return print_matrices(session, workspace); });
}

namespace {

constexpr CommandHelp stats_help{.description = R"(
Prints every statistic of a matrix with its definition. MATRIX is a file of any
kind that `sparsight-cli import` reads, or else the name of a matrix in the
workspace.)",
                                 .examples = R"(
sparsight-cli stats cage8.mtx.gz
sparsight-cli stats cage8 --workspace experiment.sparsight --json)",
                                 .json = R"(
{"name", "rows", "cols", "nnz", "source", "statistics": {NAME: NUMBER, …},
 "definitions": {NAME: TEXT, …}})"};

struct MatrixFacts {
    std::string name;
    std::string source;
    Json statistics;
};

Result<MatrixFacts> facts_of_file(const std::string& file) {
    const auto loaded = read_matrix(file);
    if (!loaded)
        return std::unexpected(loaded.error());
    return MatrixFacts{loaded->name, file,
                       statistics_json(compute_statistics(loaded->pattern, available_threads()))};
}

Result<MatrixFacts> facts_in_workspace(const Session& session, const std::string& name) {
    auto found = find_in_workspace(session.workspace_location(), name);
    if (!found)
        return std::unexpected(std::move(found).error());
    StatisticsKeeper keeper(found->workspace);
    auto statistics = keeper.statistics(found->record);
    if (!statistics)
        return std::unexpected(std::move(statistics).error());
    keep(session, keeper);
    return MatrixFacts{found->record.name, found->record.source, std::move(*statistics)};
}

void print_json(const Session& session, const MatrixFacts& facts) {
    Json definitions = Json::object();
    for (const Statistic& statistic : statistics())
        definitions[statistic.name] = statistic.definition;
    session.print_json({{"name", facts.name},
                        {"rows", facts.statistics["rows"]},
                        {"cols", facts.statistics["cols"]},
                        {"nnz", facts.statistics["nnz"]},
                        {"source", facts.source},
                        {"statistics", facts.statistics},
                        {"definitions", definitions}});
}

void print_table(const Session& session, const MatrixFacts& facts) {
    Table table({{"statistic"}, {"value", Align::Right}, {"unit"}, {"definition"}});
    for (const Statistic& statistic : statistics()) {
        const Json& value = facts.statistics[statistic.name];
        table.add_row({statistic.title,
                       statistic.is_integer ? fmt::to_string(value.get<std::int64_t>())
                                            : fmt::format("{:.4g}", value.get<double>()),
                       statistic.unit, statistic.definition});
    }
    session.print(fmt::format("{}  ({})\n\n{}", facts.name, facts.source, table.text()));
}

ExitCode show(Session& session, const std::string& matrix) {
    const auto facts = names_file(matrix) ? facts_of_file(matrix) : facts_in_workspace(session, matrix);
    if (!facts)
        return session.refuse(facts.error());
    if (session.options.json)
        print_json(session, *facts);
    else
        print_table(session, *facts);
    return ExitCode::Done;
}

} // namespace

void add_stats_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "stats", "Show the statistics of a matrix and what they mean", stats_help);
    const auto matrix = std::make_shared<std::string>();
    command.add_option("matrix,--matrix", *matrix, "a file, or a matrix of the workspace")
        ->type_name("MATRIX")
        ->required();
    set_action(command, session, [&session, matrix] { return show(session, *matrix); });
}

} // namespace sparsight
