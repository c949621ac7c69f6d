#include "workflow/evaluation/stored_results.h"

#include "base/text.h"
#include "store/machines.h"
#include "study/measurement.h"
#include "workflow/import/named_matrices.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <nlohmann/json.hpp>
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

std::string exact(const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : "";
}

} // namespace

std::string_view shown_status(const ResultRow& row) {
    const bool is_simulated =
        row.status == MeasurementStatus::Measured && row.reason.starts_with("simulated (");
    return is_simulated ? "simulated" : name(row.status);
}

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

Json results_json(const std::vector<ResultRow>& results) {
    Json json = Json::array();
    for (const ResultRow& row : results)
        json.push_back({{"matrix", row.matrix},
                        {"machine", row.machine},
                        {"operator", name(row.op)},
                        {"dense", row.dense},
                        {"schedule", row.schedule},
                        {"status", shown_status(row)},
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
            name(row.op), row.dense, csv_field(row.protocol), csv_field(row.schedule), shown_status(row),
            exact(row.median_ms), exact(row.spread_ms), exact(row.speedup_over_fixed_csr),
            row.bytes == 0 ? "" : fmt::to_string(row.bytes), csv_field(row.reason), row.measured);
    return csv;
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

} // namespace sparsight
