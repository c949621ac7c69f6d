// Machines that were not probed here: imagined ones, and real ones that others describe.
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"
#include "store/machines.h"

#include <optional>
#include <string>

namespace sparsight {

struct AddedMachine {
    MachineRecord record;
    bool is_new = true; ///< false where the workspace had exactly this machine
    bool describes_recorded =
        false; ///< it was known by its name and imported runtimes alone, and now by facts
};

/// A machine of a name that the workspace does not know yet. A simulated one is known from then on by the
/// fingerprint that it has now, whatever is changed later. A recorded machine of this name of which nothing
/// else is known is described by it, and stays a recorded one. Errors (Fault::Input): those of validate();
/// the name is another machine's.
[[nodiscard]] Result<AddedMachine> add_machine(Workspace& workspace, MachineDescription machine);

/// A simulated machine by another description. Errors (Fault::Input): as add_machine(); those of
/// change_machine(); the machine is not a simulated one.
[[nodiscard]] Result<MachineRecord> change_simulated_machine(Workspace& workspace, MachineId id,
                                                             const MachineDescription& machine);

/// Nothing where only the name is known.
[[nodiscard]] std::optional<MachineDescription> description_of(const MachineRecord& record);

/// Whether its numbers may be edited and it may be deleted: it was added, not probed, recorded or made by
/// simulating runtimes.
[[nodiscard]] bool is_editable(const MachineRecord& record);

/// "NAME", or else "NAME 2" …: one that no machine has yet.
[[nodiscard]] Result<std::string> free_machine_name(Workspace& workspace, const std::string& name);

} // namespace sparsight
