// Machines of the workspace: described by a file or a preset, drawn from a family, remembered, removed.
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"
#include "machine/machine_family.h"
#include "store/machines.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct MachineRequest {
    std::string file;                  ///< of a machine; either this or a preset
    std::string preset;                ///< by its name
    std::vector<std::string> settings; ///< "KEY=VALUE", made one after the other
    std::string name;                  ///< empty: that of the machine it starts from, with the settings
};

struct RequestedMachine {
    MachineDescription machine;
    std::vector<std::string> unrequested_changes; ///< what follows from the settings without being one
};

/// Before anything is stored.
[[nodiscard]] Result<RequestedMachine> requested_machine(const MachineRequest& request);

struct SampledMachine {
    MachineRecord record;
    MachineDescription description;
    FamilyPart part{};
    bool is_new = false; ///< false: the workspace had it
};

/// Machines 0 to `count` - 1 of the family of this seed, added all or not at all.
[[nodiscard]] Result<std::vector<SampledMachine>> sample_machines(Workspace& workspace, std::int64_t count,
                                                                  std::uint64_t seed);

/// This computer as it was just found out. Facts alone never take the place of what was measured before.
[[nodiscard]] Result<void> remember_this_machine(Workspace& workspace, const MachineDescription& machine,
                                                 bool is_measured);

/// The machine, if it may be removed: it is not this computer, and has no stored runtimes unless they may go,
/// too. Errors say why not (Fault::Input).
[[nodiscard]] Result<MachineRecord> machine_to_remove(Workspace& workspace, const std::string& name,
                                                      bool with_measurements);

} // namespace sparsight
