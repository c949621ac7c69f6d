// What sheets of machines say beside their descriptions, which belong to processors: facts by name.
#pragma once

#include "base/error.h"
#include "store/machines.h"

#include <string>
#include <string_view>

namespace sparsight {

/// `facts` is a JSON object of texts and numbers by name; it replaces what was known.
[[nodiscard]] Result<void> set_machine_facts(Workspace& workspace, MachineId machine, std::string_view facts);
/// Empty where no sheet names the machine.
[[nodiscard]] Result<std::string> machine_facts(Workspace& workspace, MachineId machine);

} // namespace sparsight
