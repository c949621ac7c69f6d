#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/matrix_source.h"
#include "cli/matrix_statistics.h"
#include "command/command.h"
#include "command/session.h"
#include "command/table.h"
#include "matrix/reading.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

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
    CLI::App& command = add_command(app, "stats", "Show the statistics of a matrix and what they mean", stats_help);
    const auto matrix = std::make_shared<std::string>();
    command.add_option("matrix", *matrix, "a file, or a matrix of the workspace")
        ->type_name("MATRIX")
        ->required();
    set_action(command, session, [&session, matrix] { return show(session, *matrix); });
}

} // namespace sparsight
