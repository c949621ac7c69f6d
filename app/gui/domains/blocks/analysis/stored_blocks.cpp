#include "gui/domains/blocks/analysis/stored_blocks.h"

#include "domains/blocks/block_domain.h"
#include "domains/blocks/exchange/stored_tables.h"
#include "store/machines.h"
#include "store/measurements.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

Result<Workspace> opened(const std::string& file) {
    return Workspace::open(file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
}

} // namespace

Result<PortTables> stored_port_tables(const std::string& file) {
    auto workspace = opened(file);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    auto stored = stored_port_tables(*workspace);
    if (!stored)
        return std::unexpected(std::move(stored).error());
    PortTables tables;
    for (auto& [machine, ports] : *stored)
        tables.emplace(machine, std::move(ports));
    return tables;
}

Result<std::map<std::string, SaidCycles, std::less<>>> stored_cycles(const std::string& file,
                                                                     WorkloadId block) {
    auto workspace = opened(file);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    const auto machines = list_machines(*workspace);
    if (!machines)
        return std::unexpected(machines.error());
    std::map<std::string, SaidCycles, std::less<>> cycles;
    for (const MachineRecord& machine : *machines) {
        const auto measured = find_measurement(
            *workspace, {block, machine.id, {std::string(blocks_domain), {}}, std::string(block_protocol)},
            code_as_it_is());
        if (!measured)
            return std::unexpected(measured.error());
        if (!*measured || (*measured)->status != MeasurementStatus::Measured)
            continue;
        SaidCycles said{.cycles = cycles_of((*measured)->median) / block_iterations};
        if ((*measured)->spread > Milliseconds::zero())
            said.spread = cycles_of((*measured)->spread) / block_iterations;
        cycles.emplace(machine.name, std::move(said));
    }
    return cycles;
}

} // namespace sparsight
