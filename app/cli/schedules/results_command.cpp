#include "cli/schedules/results_command.h"

#include "base/files.h"
#include "base/quantity.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/named_inputs.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "command/terminal_text.h"
#include "domains/sparse/kernel/measurement/measurement.h"
#include "store/machines.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>
#include <tuple>

namespace sparsight {

namespace {

double time_or_last(const ResultRow& row) {
    return row.median_ms.value_or(std::numeric_limits<double>::infinity());
}

auto setting_of(const ResultRow& row) {
    return std::tie(row.matrix, row.machine, row.op, row.dense, row.protocol, row.threads);
}

template <typename T>
Json json_of(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

std::string number_text(const std::optional<double>& value, int decimals) {
    return value ? fmt::format("{:.{}f}", *value, decimals) : "";
}

/// Of a run that was given up no more is known than that it takes longer.
std::string median_text(const ResultRow& row) {
    return (row.status == MeasurementStatus::GaveUp ? "> " : "") + number_text(row.median_ms, 4);
}

std::string exact(const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "";
}

/// What no machine ran is not called measured: its reason says which simulator it is from.
std::string_view status_of(const ResultRow& row) {
    const bool is_simulated =
        row.status == MeasurementStatus::Measured && row.reason.starts_with("simulated (");
    return is_simulated ? "simulated" : name(row.status);
}

template <typename Member>
bool varies(const std::vector<ResultRow>& results, Member member) {
    return std::ranges::any_of(results,
                               [&](const ResultRow& row) { return row.*member != results.front().*member; });
}

} // namespace

void sort_results(std::vector<ResultRow>& results) {
    std::ranges::stable_sort(results, [](const ResultRow& a, const ResultRow& b) {
        return std::tuple(setting_of(a), time_or_last(a)) < std::tuple(setting_of(b), time_or_last(b));
    });
}

std::vector<ResultRow> best_results(const std::vector<ResultRow>& sorted) {
    std::vector<ResultRow> best;
    for (const ResultRow& row : sorted)
        if (row.status == MeasurementStatus::Measured &&
            (best.empty() || setting_of(best.back()) != setting_of(row)))
            best.push_back(row);
    return best;
}

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
                                   std::string(status_of(row)), row.schedule});
        table.add_row(std::move(cells));
    }
    return table.text();
}

Json results_json(const std::vector<ResultRow>& results) {
    Json json = Json::array();
    for (const ResultRow& row : results)
        json.push_back({{"matrix", row.matrix},
                        {"machine", row.machine},
                        {"operator", name(row.op)},
                        {"dense", row.dense},
                        {"schedule", row.schedule},
                        {"status", status_of(row)},
                        {"median_ms", json_of(row.median_ms)},
                        {"spread_ms", json_of(row.spread_ms)},
                        {"speedup_over_fixed_csr", json_of(row.speedup_over_fixed_csr)},
                        {"bytes", row.bytes == 0 ? Json() : Json(row.bytes)}});
    return json;
}

std::string results_csv(const std::vector<ResultRow>& results) {
    std::string csv = "matrix,machine,operator,dense,protocol,schedule,status,median_ms,spread_ms,"
                      "speedup_over_fixed_csr,bytes,reason,measured\n";
    for (const ResultRow& row : results)
        csv += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(row.matrix), csv_field(row.machine),
            name(row.op), row.dense, csv_field(row.protocol), csv_field(row.schedule), status_of(row),
            exact(row.median_ms), exact(row.spread_ms), exact(row.speedup_over_fixed_csr),
            row.bytes == 0 ? "" : fmt::to_string(row.bytes), csv_field(row.reason), row.measured);
    return csv;
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

Result<void> check_protocol(Workspace& workspace, const std::string& protocol) {
    if (parse_protocol(protocol))
        return {};
    auto known = measured_protocols(workspace);
    if (!known)
        return std::unexpected(known.error());
    if (std::ranges::find(*known, protocol) != known->end())
        return {};
    for (const Protocol own : {Protocol::Adaptive, Protocol::Waco})
        if (std::ranges::find(*known, name(own)) == known->end())
            known->emplace_back(name(own));
    return fail(Fault::Input, fmt::format("nothing is measured by a protocol '{}'; there are {}", protocol,
                                          fmt::join(*known, ", ")));
}

Result<std::vector<ResultRow>> find_results(Workspace& workspace, const ResultFilter& filter) {
    if (!filter.matrix.empty())
        if (const auto matrix = matrix_named(workspace, filter.matrix); !matrix)
            return std::unexpected(matrix.error());
    if (!filter.machine.empty()) {
        const auto machine = find_machine(workspace, filter.machine);
        if (!machine)
            return std::unexpected(machine.error());
        if (!*machine)
            return fail(Fault::Input,
                        fmt::format("the workspace knows no machine '{}'; `machine list` shows those it "
                                    "knows",
                                    filter.machine));
    }
    if (!filter.protocol.empty())
        if (const auto known = check_protocol(workspace, filter.protocol); !known)
            return std::unexpected(known.error());
    ResultFilter admitted = filter;
    if (filter.op && !dense_index(*filter.op))
        admitted.dense.reset();
    auto results = list_results(workspace, admitted);
    if (results)
        sort_results(*results);
    return results;
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
