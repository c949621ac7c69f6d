#include "domains/blocks/exchange/stored_tables.h"

#include "domains/blocks/block_domain.h"
#include "store/machines.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {

Result<MachineTables> stored_port_tables(Workspace& workspace) {
    const auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    MachineTables tables;
    for (const MachineRecord& machine : *machines) {
        const auto text = machine_table(workspace, machine.id, blocks_domain);
        if (!text)
            return std::unexpected(text.error());
        if (text->empty())
            continue;
        auto ports = parse_port_table(*text);
        if (!ports)
            return fail_in_file(Fault::Input, workspace.path().string(), 0,
                                fmt::format("the machine {}: {}", machine.name, ports.error().message));
        tables.push_back({machine.name, *std::move(ports)});
    }
    return tables;
}

} // namespace sparsight
