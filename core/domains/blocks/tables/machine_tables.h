// The tables of ports of several machines, as a workspace keeps them with its machines and a model carries
// them: as JSON.
#pragma once

#include "base/error.h"
#include "domains/blocks/tables/port_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct MachineTable {
    std::string machine; ///< its name: "hsw"
    PortTable ports;
};
using MachineTables = std::vector<MachineTable>;

/// {"ADD (R64, M64)": [issued, "1*p0156+1*p23", latency, longest latency, throughput]}
[[nodiscard]] std::string to_json(const PortTable& table);
/// Error (Input): the first form that can't be read, and what was expected.
[[nodiscard]] Result<PortTable> parse_port_table(std::string_view json);

} // namespace sparsight
