#include "cli/schedules/results_command.h"

#include "base/files.h"
#include "base/quantity.h"
#include "base/text.h"
#include "cli/commands.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "command/terminal_text.h"
#include "study/measurement.h"
#include "workflow/evaluation/stored_results.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

std::string number_text(const std::optional<double>& value, int decimals) {
    return value ? fmt::format("{:.{}f}", *value, decimals) : "";
}

/// Of a run that was given up no more is known than that it takes longer.
std::string median_text(const ResultRow& row) {
    return (row.status == MeasurementStatus::GaveUp ? "> " : "") + number_text(row.median_ms, 4);
}

template <typename Member>
bool varies(const std::vector<ResultRow>& results, Member member) {
    return std::ranges::any_of(results,
                               [&](const ResultRow& row) { return row.*member != results.front().*member; });
}

} // namespace

std::string results_text(const std::vector<ResultRow>& results) {
    const bool several_machines = varies(results, &ResultRow::machine);
    const bool several_protocols = varies(results, &ResultRow::protocol);
    std::vector<Table::Column> columns{{"matrix"}, {"operator"}, {"dense", Align::Right}};
    if (several_machines)
        columns.push_back({"machine"});
    if (several_protocols)
        columns.push_back({"protocol"});
    for (const char* title : {"median ms", "± ms", "speedup", "size"})
        columns.push_back({title, Align::Right});
    columns.push_back({"status"});
    columns.push_back({"schedule"});
    Table table(std::move(columns));
    for (const ResultRow& row : results) {
        std::vector<std::string> cells{row.matrix, std::string(name(row.op)), fmt::to_string(row.dense)};
        if (several_machines)
            cells.push_back(row.machine);
        if (several_protocols)
            cells.push_back(row.protocol);
        cells.insert(cells.end(), {median_text(row), number_text(row.spread_ms, 4),
                                   number_text(row.speedup_over_fixed_csr, 2),
                                   row.bytes == 0 ? "?" : format_bytes(row.bytes),
                                   std::string(shown_status(row)), row.schedule});
        table.add_row(std::move(cells));
    }
    return table.text();
}

void add_filter_options(CLI::App& command, ResultFilter& filter) {
    command.add_option("--matrix", filter.matrix, "of this matrix only")->type_name("NAME");
    command.add_option("--machine", filter.machine, "of this machine only: its name or fingerprint")
        ->type_name("NAME");
    add_parsed_option(command, "--operator", filter.op, &read_operator,
                      "of this operator only: spmm, spmv or sddmm")
        ->type_name("OPERATOR");
    command.add_option("--dense", filter.dense, "of this dense extent only")->type_name("N");
    command.add_option("--protocol", filter.protocol, "of this protocol only: adaptive, waco or simulated")
        ->type_name("PROTOCOL");
}

namespace {

constexpr CommandHelp listed_results_help{.description = R"(
Lists measurements, sorted by matrix, then by median. The speedup is over fixed
CSR on the same matrix, machine, operator, dense extent, protocol and number of
threads. Medians of different protocols are not comparable: --protocol picks one.

Status: measured; simulated (no machine ran it, see `simulate-runtimes`); gave up
(three first runs were far behind the best and abandoned; the median is how long
they ran, a lower bound, shown as "> 12"); too large (its storage would exceed the
limits; the size is predicted); mismatch (the result was wrong); failed.)",
                                          .examples = R"(
sparsight-cli results --best
sparsight-cli results --matrix cage8 --operator spmm --dense 256
sparsight-cli results --csv results.csv
sparsight-cli results --json | jq -r '.[] | [.matrix, .median_ms, .schedule] | @tsv')",
                                          .json = R"(
[{"matrix", "machine", "operator", "dense", "schedule", "status", "median_ms",
  "spread_ms", "speedup_over_fixed_csr", "bytes"}]
Times are null where there is none, the speedup unless both were measured, bytes
where only the runtime is known (imported). Of those given up median_ms is a lower bound.)"};

struct ResultsOptions {
    ResultFilter filter;
    bool best = false;
    std::string csv;
};

ExitCode show(Session& session, const ResultsOptions& options) {
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    auto results = find_results(*workspace, options.filter);
    if (!results)
        return session.refuse(results.error());
    if (options.best)
        *results = best_results(*results);
    if (!options.csv.empty()) {
        if (const auto written = write_whole_file(options.csv, results_csv(*results)); !written)
            return session.refuse(written.error());
        session.remark(
            fmt::format("wrote {} to {}", counted(results->size(), "result", "results"), options.csv));
    }
    if (session.options.json)
        session.print_json(results_json(*results));
    else if (results->empty())
        session.remark("there are no such results");
    else if (options.csv.empty())
        session.print(results_text(*results));
    return ExitCode::Done;
}

} // namespace

void add_results_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "results", "Show what was measured", listed_results_help);
    const auto options = std::make_shared<ResultsOptions>();
    add_filter_options(command, options->filter);
    command.add_flag("--best", options->best, "only the fastest schedule of each matrix and setting");
    command.add_option("--csv", options->csv, "write them as CSV, protocol, reason and date included")
        ->type_name("FILE");
    set_action(command, session, [&session, options] { return show(session, *options); });
}

} // namespace sparsight
