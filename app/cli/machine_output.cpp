#include "cli/machine_output.h"

#include "base/terminal_text.h"
#include "machine/data_sheet.h"
#include "machine/machine_parameters.h"
#include "workflow/machines/data_sheets.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {

Json parameters_json(const MachineDescription& machine) {
    const auto [values, assumed] = resolve_parameters(machine);
    Json json = Json::array();
    for (const ParameterInfo& info : all_parameters()) {
        const auto doubt = doubt_left(machine, info.parameter);
        json.push_back({{"key", info.key},
                        {"value", values[info.parameter]},
                        {"unit", info.unit},
                        {"assumed", std::ranges::find(assumed, info.parameter) != assumed.end()},
                        {"origin", name(origin_of(machine, info.parameter))},
                        {"doubt_left", doubt ? Json(*doubt) : Json()}});
    }
    return json;
}

std::string parameters_text(const MachineDescription& machine) {
    const MachineParameters values = resolve_parameters(machine).values;
    const bool says_doubt = !machine.calibration.doubt_left.empty();
    std::vector<Table::Column> columns{{"parameter"}, {"value", Align::Right}, {"unit"}, {"origin"}};
    if (says_doubt)
        columns.push_back({"doubt left", Align::Right});
    Table table(std::move(columns));
    for (const ParameterInfo& info : all_parameters()) {
        std::vector<std::string> row{std::string(info.key), value_text(info, values[info.parameter]),
                                     std::string(info.unit == "B" ? "" : info.unit),
                                     std::string(name(origin_of(machine, info.parameter)))};
        const auto doubt = doubt_left(machine, info.parameter);
        if (says_doubt)
            row.push_back(doubt ? fmt::format("{:.0f} %", 100 * *doubt) : "");
        table.add_row(std::move(row));
    }
    return table.text();
}

std::string data_sheet_text(const Json& facts) {
    Table table({{"fact"}, {"value"}, {"meaning"}});
    for (const DataSheetField& field : data_sheet_fields()) {
        const auto fact = facts.find(std::string(field.key));
        table.add_row({std::string(field.key), fact == facts.end() ? "?" : shown_fact(field.key, *fact),
                       std::string(field.meaning)});
    }
    for (const auto& [name, value] : facts.items())
        if (find_data_sheet_field(name) == nullptr)
            table.add_row({name, shown_fact(name, value), ""});
    return table.text();
}

} // namespace sparsight
