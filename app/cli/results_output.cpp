#include "cli/results_output.h"

#include "base/csv.h"
#include "base/quantity.h"
#include "command/table.h"

#include <algorithm>
#include <fmt/format.h>
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

} // namespace sparsight
