#include "domains/blocks/tables/machine_tables.h"

#include "domains/blocks/tables/osaca_table.h"

#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {
namespace {

using Json = nlohmann::json;

constexpr const char* uops_info_names = "uops.info";
constexpr const char* osaca_names = "osaca";

Json json_of(const InstructionCost& cost) {
    Json ports = Json::array();
    for (const PortUse& use : cost.ports)
        ports.push_back({use.ports, use.count});
    return {cost.issued, cost.decoded, cost.latency, cost.longest_latency, cost.throughput, std::move(ports)};
}

bool is_amount(const Json& json) {
    return json.is_number() && json.get<double>() >= 0;
}

std::optional<InstructionCost> cost_of(const Json& json) {
    constexpr std::size_t numbers = 5; // and the ports behind them
    if (!json.is_array() || json.size() != numbers + 1 || !json[numbers].is_array())
        return std::nullopt;
    for (std::size_t at = 0; at < numbers; ++at)
        if (!is_amount(json[at]))
            return std::nullopt;
    InstructionCost cost{.issued = json[0].get<double>(),
                         .decoded = json[1].get<double>(),
                         .ports = {},
                         .latency = json[2].get<double>(),
                         .longest_latency = json[3].get<double>(),
                         .throughput = json[4].get<double>()};
    for (const Json& use : json[numbers]) {
        constexpr auto most = std::numeric_limits<std::uint32_t>::max();
        if (!use.is_array() || use.size() != 2 || !use[0].is_number_unsigned() || !is_amount(use[1]) ||
            use[0] == 0 || use[0].get<std::uint64_t>() > most)
            return std::nullopt;
        cost.ports.push_back({use[0].get<std::uint32_t>(), use[1].get<double>()});
    }
    return cost;
}

} // namespace

Result<std::optional<PortTable>> find_ports(const std::filesystem::path& file,
                                            const Microarchitecture& machine) {
    auto csv = CsvTable::open(file);
    if (!csv)
        return std::unexpected(std::move(csv).error());
    const std::string_view name = is_osaca_table(*csv) ? machine.osaca : machine.uops_info;
    if (name.empty())
        return std::nullopt;
    return PortTable::find_uarch(*std::move(csv), name);
}

std::string to_json(const PortTable& table) {
    Json forms = Json::object(); // in the order of their names
    for (const auto& [form, cost] : table.costs())
        forms[form] = json_of(cost);
    return Json{{"names", table.is_osaca() ? osaca_names : uops_info_names}, {"forms", std::move(forms)}}
        .dump();
}

Result<PortTable> parse_port_table(std::string_view text) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || !json.contains("forms") || !json["forms"].is_object() ||
        !json.contains("names") || (json["names"] != osaca_names && json["names"] != uops_info_names))
        return fail(Fault::Input, "the table of ports has no members \"names\" and \"forms\"");
    InstructionCosts costs;
    for (const auto& [form, numbers] : json["forms"].items()) {
        auto cost = cost_of(numbers);
        if (!cost)
            return fail(Fault::Input,
                        fmt::format("the table of ports has {} for \"{}\", expected numbers as in "
                                    "[1, 1, 1, 1, 0.25, [[99, 1]]]",
                                    numbers.dump().substr(0, 60), form));
        costs.emplace(form, *std::move(cost));
    }
    return PortTable(std::move(costs), json["names"] == osaca_names);
}

} // namespace sparsight
