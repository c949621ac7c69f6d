#include "domains/blocks/tables/machine_tables.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace sparsight {
namespace {

using Json = nlohmann::json;

constexpr std::size_t ports_place = 1;
constexpr std::size_t members = 5;

std::optional<InstructionCost> cost_of(const Json& json) {
    if (!json.is_array() || json.size() != members || !json[ports_place].is_string())
        return std::nullopt;
    const auto ports = parse_ports(json[ports_place].get<std::string>());
    for (std::size_t at = 0; at < members; ++at)
        if (at != ports_place && (!json[at].is_number() || !(json[at].get<double>() >= 0)))
            return std::nullopt;
    if (!ports)
        return std::nullopt;
    return InstructionCost{.issued = json[0].get<double>(),
                           .ports = *ports,
                           .latency = json[2].get<double>(),
                           .longest_latency = json[3].get<double>(),
                           .throughput = json[4].get<double>()};
}

} // namespace

std::string to_json(const PortTable& table) {
    Json forms = Json::object(); // in the order of their names
    for (const auto& [form, cost] : table.costs())
        forms[form] = {cost.issued, ports_text(cost.ports), cost.latency, cost.longest_latency,
                       cost.throughput};
    return forms.dump();
}

Result<PortTable> parse_port_table(std::string_view text) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
        return fail(Fault::Input, "the table of ports is no JSON object");
    PortTable::Costs costs;
    for (const auto& [form, numbers] : json.items()) {
        auto cost = cost_of(numbers);
        if (!cost)
            return fail(Fault::Input,
                        fmt::format("the table of ports has {} for \"{}\", expected five members such as "
                                    "[1, \"1*p0156\", 1, 1, 0.25]",
                                    numbers.dump().substr(0, 60), form));
        costs.emplace(form, *std::move(cost));
    }
    return PortTable(std::move(costs));
}

} // namespace sparsight
