#include "cli/matrices/matrices_commands.h"

#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/named_inputs.h"
#include "command/job.h"
#include "command/program.h"
#include "command/session.h"
#include "command/terminal_text.h"
#include "domains/sparse/tensor/reading.h"
#include "store/matrices.h"
#include "store/sparse/pattern_storage.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

Json statistics_json(const PatternStatistics& statistics) {
    return Json::parse(statistics_text(statistics));
}

Result<Json> StatisticsKeeper::statistics(const MatrixRecord& matrix) {
    if (const auto kept = parse_statistics(matrix.statistics))
        return statistics_json(*kept);
    const auto pattern = load_pattern(workspace_, matrix.id);
    if (!pattern)
        return std::unexpected(pattern.error());
    const PatternStatistics computed = compute_statistics(*pattern, available_threads());
    computed_.push_back({matrix.id, statistics_text(computed)});
    return statistics_json(computed);
}

void StatisticsKeeper::keep(const Session& session) const {
    if (computed_.empty())
        return;
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return;
    const auto kept_all = in_one_transaction(*workspace, [&]() -> Result<void> {
        for (const Computed& computed : computed_)
            if (auto kept = set_statistics(*workspace, computed.matrix, computed.json); !kept)
                return kept;
        return {};
    });
    if (!kept_all)
        session.remark(fmt::format("the statistics could not be kept: {}", kept_all.error().text()));
}

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
    auto found = find_in_workspace(session, name);
    if (!found)
        return std::unexpected(std::move(found).error());
    StatisticsKeeper keeper(found->workspace);
    auto statistics = keeper.statistics(found->record);
    if (!statistics)
        return std::unexpected(std::move(statistics).error());
    keeper.keep(session);
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
    command.add_option("matrix", *matrix, "a file, or a matrix of the workspace")
        ->type_name("MATRIX")
        ->required();
    set_action(command, session, [&session, matrix] { return show(session, *matrix); });
}

} // namespace sparsight
