// The machines that measurements were taken on: this computer, simulated ones, and recorded ones whose
// runtimes were imported.
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class Workspace;

enum class MachineId : std::int64_t {};

struct MachineRecord {
    MachineId id{};
    std::string name;
    std::string fingerprint; ///< the same for the same machine, whenever it is probed
    std::string description; ///< JSON of a MachineDescription; "{}" when nothing more is known
    std::string probed;      ///< UTC, ISO 8601
};

/// A machine of a known fingerprint keeps its id and its measurements; name, description and date are
/// renewed.
[[nodiscard]] Result<MachineId> record_machine(Workspace& workspace, std::string_view name,
                                               std::string_view fingerprint, std::string_view description);

/// A machine known by its name alone (fingerprint "recorded:NAME"): the owner of imported runtimes. An error
/// (Fault::Input) for a computer that is measured in this workspace, whose own times must not be replaced.
[[nodiscard]] Result<MachineId> recorded_machine(Workspace& workspace, std::string_view name);

/// Another name and description for a machine that is imagined; id and fingerprint stay, so that whoever has
/// it selected still has. An error (Fault::Input) where times are stored for it, which would be those of
/// another machine then.
[[nodiscard]] Result<void> change_machine(Workspace& workspace, MachineId machine, std::string_view name,
                                          std::string_view description);

/// An error (Fault::Input) where times are stored for it: those are never removed on the way.
[[nodiscard]] Result<void> remove_machine(Workspace& workspace, MachineId machine);
/// With every time that is stored for it; returns how many those were.
[[nodiscard]] Result<std::int64_t> remove_machine_with_times(Workspace& workspace, MachineId machine);

/// How many runtimes are stored for it, measured or simulated.
[[nodiscard]] Result<std::int64_t> count_measurements_on(Workspace& workspace, MachineId machine);

[[nodiscard]] Result<std::vector<MachineRecord>> list_machines(Workspace& workspace);

/// By fingerprint or by name; an error when several have this name.
[[nodiscard]] Result<std::optional<MachineRecord>> find_machine(Workspace& workspace, std::string_view name);

// Machines that were not probed here: imagined ones, and real ones that others describe.

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
[[nodiscard]] Result<std::string> unused_machine_name(Workspace& workspace, const std::string& name);

// Computers that were probed, as a workspace remembers them.

/// As record_machine(); what a calibration found out about the same computer stays, as the new description
/// has none of it.
[[nodiscard]] Result<MachineId> record_probed_machine(Workspace& workspace, MachineDescription machine);

} // namespace sparsight
