#include "evaluation/reports/order_tables.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

using Json = nlohmann::ordered_json;

std::string correlation_text(const Estimate& estimate) {
    return estimate.interval ? fmt::format("{:.3f} [{:.3f}, {:.3f}]", estimate.value, estimate.interval->low,
                                           estimate.interval->high)
                             : fmt::format("{:.3f}", estimate.value);
}

TextTable order_table(const HardwareExperiment& experiment, bool is_without_kind) {
    TextTable table{{"workload", "machine", "corrected copy", "best source by them", "difference"}, {}};
    for (const OrderEstimate& estimate : order_estimates(experiment, is_without_kind))
        table.rows.push_back(
            {estimate.target ? experiment.targets[*estimate.target].workload : "mean over all",
             estimate.target ? experiment.targets[*estimate.target].machine : "",
             correlation_text(estimate.corrected), correlation_text(estimate.source),
             correlation_text(estimate.difference)});
    return table;
}

} // namespace

std::vector<std::pair<std::string, TextTable>> order_tables(const HardwareExperiment& experiment) {
    std::vector<std::pair<std::string, TextTable>> tables;
    for (const bool is_without_kind : {false, true})
        if (TextTable table = order_table(experiment, is_without_kind); !table.rows.empty())
            tables.emplace_back(is_without_kind ? "Order of all configurations, without machines of this kind"
                                                : "Order of all configurations",
                                std::move(table));
    return tables;
}

std::string order_sentence(const HardwareExperiment& experiment) {
    if (experiment.orders.empty())
        return "";
    return "Order: Spearman's ρ with the times of all configurations, after the fewest measurements above, "
           "drawn at random. The best source is the one machine that orders these the most alike. Brackets "
           "of a "
           "machine are over draws, those of the mean over machines.";
}

Json orders_json(const HardwareExperiment& experiment) {
    Json list = Json::array();
    for (const bool is_without_kind : {false, true})
        for (const OrderEstimate& estimate : order_estimates(experiment, is_without_kind))
            list.push_back(
                {{"workload", estimate.target ? Json(experiment.targets[*estimate.target].workload) : Json()},
                 {"machine", estimate.target ? Json(experiment.targets[*estimate.target].machine) : Json()},
                 {"is_without_kind", is_without_kind},
                 {"corrected", estimate_json(estimate.corrected)},
                 {"source", estimate_json(estimate.source)},
                 {"difference", estimate_json(estimate.difference)}});
    return list;
}

} // namespace sparsight
