#include "store/machine_facts.h"

#include "store/workspace.h"

#include <cstdint>
#include <fmt/format.h>

namespace sparsight {

namespace {

std::string key_of(MachineId machine) {
    return fmt::format("facts of machine {}", static_cast<std::int64_t>(machine));
}

} // namespace

Result<void> set_machine_facts(Workspace& workspace, MachineId machine, std::string_view facts) {
    return set_setting(workspace, key_of(machine), facts);
}

Result<std::string> machine_facts(Workspace& workspace, MachineId machine) {
    auto facts = setting(workspace, key_of(machine));
    if (!facts)
        return std::unexpected(std::move(facts).error());
    return facts->value_or(std::string());
}

} // namespace sparsight
