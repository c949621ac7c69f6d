// The ports of instructions by machine: found in a file, kept with the machines of a workspace, and carried
// by models, as JSON.
#pragma once

#include "base/error.h"
#include "domains/blocks/tables/microarchitecture.h"
#include "domains/blocks/tables/port_table.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct MachineTable {
    std::string machine; ///< its name: "hsw"
    PortTable ports;
};
using MachineTables = std::vector<MachineTable>;

/// The ports of a machine in a file of PortTable; absent where the file lacks it. Errors: those of
/// PortTable::read().
[[nodiscard]] Result<std::optional<PortTable>> find_ports(const std::filesystem::path& file,
                                                          const Microarchitecture& machine);

/// {"names": "uops.info" or "osaca", "forms": {"ADD (R64, M64)": [issued, decoded, latency, longest latency,
/// throughput, [[ports, count], …]]}}, with a bit for each port.
[[nodiscard]] std::string to_json(const PortTable& table);
/// Error (Input): the first form that can't be read, and what was expected.
[[nodiscard]] Result<PortTable> parse_port_table(std::string_view json);

} // namespace sparsight
