#include "cli/machine_output.h"

#include "base/terminal_text.h"
#include "machine/machine_parameters.h"

#include <algorithm>
#include <fmt/format.h>

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

} // namespace sparsight
