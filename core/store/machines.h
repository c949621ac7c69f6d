// The machines that measurements belong to: this computer and others that were probed, simulated machines,
// and recorded ones whose runtimes were imported.
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"

#include <cstdint>
#include <optional>
#include <span>
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

/// Whether a machine is known by imported times. They are called recorded everywhere; what Sparsight itself
/// took with a clock, on this computer or on another one that was probed there, is called measured.
[[nodiscard]] inline bool is_recording(std::string_view fingerprint) {
    return fingerprint.starts_with("recorded:");
}

/// What a machine is called for people: one of imported times is recorded, whatever its description says.
[[nodiscard]] inline MachineSource machine_kind(std::string_view fingerprint, MachineSource source) {
    return is_recording(fingerprint) ? MachineSource::Recorded : source;
}

/// Adds a machine. A machine with a known fingerprint keeps its id and its measurements; its name,
/// description and date are updated.
[[nodiscard]] Result<MachineId> record_machine(Workspace& workspace, std::string_view name,
                                               std::string_view fingerprint, std::string_view description);

/// Adds a machine known by its name alone (fingerprint "recorded:NAME"): the owner of imported runtimes. An
/// error (Fault::Input) for a computer that is measured in this workspace, whose own times must not be
/// replaced.
[[nodiscard]] Result<MachineId> recorded_machine(Workspace& workspace, std::string_view name);

/// Changes the name and description of a simulated machine; id and fingerprint stay, so that it stays
/// selected. An error (Fault::Input) where times are stored for it, which would then be those of another
/// machine.
[[nodiscard]] Result<void> change_machine(Workspace& workspace, MachineId machine, std::string_view name,
                                          std::string_view description);

/// Removes a machine. An error (Fault::Input) where times are stored for it: this function never removes
/// times.
[[nodiscard]] Result<void> remove_machine(Workspace& workspace, MachineId machine);
/// Removes a machine with every time that is stored for it; returns the number of times.
[[nodiscard]] Result<std::int64_t> remove_machine_with_times(Workspace& workspace, MachineId machine);

/// The number of runtimes stored for a machine, measured or simulated.
[[nodiscard]] Result<std::int64_t> count_measurements_on(Workspace& workspace, MachineId machine);

[[nodiscard]] Result<std::vector<MachineRecord>> list_machines(Workspace& workspace);

/// The machine of a fingerprint or name; an error when several have this name.
[[nodiscard]] Result<std::optional<MachineRecord>> find_machine(Workspace& workspace, std::string_view name);
/// The machine that a user names: as find_machine(), or by the beginning of its name, in capitals or not. An
/// error (Fault::Input) when several names begin so, which lists them.
[[nodiscard]] Result<std::optional<MachineRecord>> find_named_machine(Workspace& workspace,
                                                                      std::string_view name);
/// The machines of a list that was split at its commas: neighbours that together are the name of a machine,
/// as in "AMD EPYC, 2 threads", are put together again.
[[nodiscard]] Result<std::vector<std::string>> rejoined_machines(Workspace& workspace,
                                                                 std::span<const std::string> words);
/// An error that names the machines of the workspace (Fault::Input): there is no such machine.
[[nodiscard]] std::unexpected<Error> unknown_machine(Workspace& workspace, std::string_view name);
/// The machine that a user names. Errors: those of find_named_machine(); unknown_machine().
[[nodiscard]] Result<MachineRecord> require_machine(Workspace& workspace, std::string_view name);

struct AddedMachine {
    MachineRecord record;
    bool is_new = true;              ///< false where the workspace had exactly this machine
    bool describes_recorded = false; ///< only its name and imported runtimes were known before
};

/// Adds a machine whose name the workspace does not know yet. A simulated machine keeps the fingerprint that
/// it has now, whatever is changed later. A recorded machine of this name without a description gets this
/// one, and stays recorded. Errors (Fault::Input): those of validate(); the name belongs to another machine.
[[nodiscard]] Result<AddedMachine> add_machine(Workspace& workspace, MachineDescription machine);

/// Changes the description of a simulated machine. Errors (Fault::Input): as add_machine(); those of
/// change_machine(); the machine is not simulated.
[[nodiscard]] Result<MachineRecord> change_simulated_machine(Workspace& workspace, MachineId id,
                                                             const MachineDescription& machine);

/// The description of a machine; nothing where only the name is known.
[[nodiscard]] std::optional<MachineDescription> description_of(const MachineRecord& record);

/// Whether its numbers may be edited and it may be deleted: it was added by add_machine(), not probed,
/// recorded or made by simulating runtimes.
[[nodiscard]] bool is_editable(const MachineRecord& record);

/// Like record_machine() for a computer that was probed; calibration results of the same computer stay, as
/// the new description has none.
[[nodiscard]] Result<MachineId> record_probed_machine(Workspace& workspace, MachineDescription machine);

/// Facts that a sheet gives about a machine in addition to its description: a JSON object of texts and
/// numbers by name. They replace earlier facts, and are removed with the machine.
[[nodiscard]] Result<void> set_machine_facts(Workspace& workspace, MachineId machine, std::string_view facts);
/// Empty where no sheet names the machine.
[[nodiscard]] Result<std::string> machine_facts(Workspace& workspace, MachineId machine);

/// A table that one domain has of a machine, such as the ports of its instructions: text that the domain
/// understands. It replaces an earlier one, and is removed with the machine.
[[nodiscard]] Result<void> set_machine_table(Workspace& workspace, MachineId machine, std::string_view domain,
                                             std::string_view table);
/// Empty where there is none.
[[nodiscard]] Result<std::string> machine_table(Workspace& workspace, MachineId machine,
                                                std::string_view domain);

} // namespace sparsight
