// Changing one parameter of a machine, as a slider does it: the facts that say it are changed, and a
// coefficient stands for what no fact says.
#pragma once

#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// `resolve_parameters()` of the result has this value, kept within the range of the parameter and whole
/// where it counts something. What else the description knows stays what it was, per core or per socket as
/// the parameters count it; more cores have as many threads each, and sockets, cores and threads are kept in
/// order (a machine of four sockets has four cores at least).
[[nodiscard]] MachineDescription with_parameter(const MachineDescription& machine, MachineParameter parameter,
                                                double value);

/// The same, with as many cores on each socket: cores become the nearest such number, and more sockets have
/// more cores.
[[nodiscard]] MachineDescription with_even_parameter(const MachineDescription& machine,
                                                     MachineParameter parameter, double value);

/// One "KEY=VALUE" after the other, as users write settings, which together must be those of one machine: each
/// still holds in the end, all sockets have as many cores, and no core has more bandwidth than its socket.
/// Errors (Fault::Input): an unknown key, with those that there are; a value that is no number or out of
/// range, with the range; what does not go together.
[[nodiscard]] Result<MachineDescription> with_settings(MachineDescription machine,
                                                       std::span<const std::string> settings);

/// The numbers of sockets, cores and threads that are others than before although no setting names them:
/// "cores is 2 instead of 4".
[[nodiscard]] std::vector<std::string> unrequested_changes(const MachineDescription& before,
                                                           const MachineDescription& after,
                                                           std::span<const std::string> settings);

/// Whether numbers that somebody chose can be those of one machine, whatever a calibration made of them. A
/// computer that was probed may be a part of one, of which this does not hold. Error (Fault::Input): what
/// does not go together.
[[nodiscard]] Result<void> require_consistent(const MachineDescription& machine);

/// A machine of one's own like a real one: what was measured, fitted or found of that are numbers that were
/// chosen from now on. Where they could not be chosen so (require_consistent()) they become the nearest that
/// can: as many cores on each socket, and no core faster than all together.
[[nodiscard]] MachineDescription simulated_copy(MachineDescription machine);

} // namespace sparsight
