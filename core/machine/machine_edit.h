// Changing one parameter of a machine, as a slider does it: the facts that say it are changed, and a
// coefficient stands for what no fact says.
#pragma once

#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <string_view>

namespace sparsight {

/// `resolve_parameters()` of the result has this value, kept within the range of the parameter and whole
/// where it counts something. What else the description knows stays what it was, per core or per socket as
/// the parameters count it; more cores have as many threads each, and sockets, cores and threads are kept in
/// order (a machine of four sockets has four cores at least).
[[nodiscard]] MachineDescription with_parameter(const MachineDescription& machine, MachineParameter parameter,
                                                double value);

/// The same by "KEY=VALUE", as users write it. Errors (Fault::Input): an unknown key, with those that there
/// are; a value that is no number or out of range, with the range.
[[nodiscard]] Result<MachineDescription> with_setting(const MachineDescription& machine,
                                                      std::string_view setting);

} // namespace sparsight
