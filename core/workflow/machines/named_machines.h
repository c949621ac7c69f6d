// Machines as a user names them (a file, a machine of the workspace, a preset, this computer), and those that
// a user adds and removes.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "collection/measuring_domain.h"
#include "machine/machine_description.h"
#include "machine/machine_family.h"
#include "store/machines.h"
#include "store/workspace.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// A description with where it comes from.
struct NamedMachine {
    MachineDescription machine;
    std::string fingerprint; ///< as the workspace has it, where it is from there
    std::string origin;      ///< of its numbers, one line
    std::string note;        ///< what of them is estimated; mostly empty
};

/// A file with a machine's JSON, also as `machine show --json` and `machine probe --json` print it. Errors
/// name the file and the line.
[[nodiscard]] Result<MachineDescription> read_machine_file(const std::string& file);

/// Error (Fault::Input) with the presets there are.
[[nodiscard]] Result<NamedMachine> machine_of_preset(const std::string& name);

/// A file, else a machine of the workspace (if there is one), else a preset. Error (Fault::Input) for a
/// machine of which only the name is known.
[[nodiscard]] Result<NamedMachine> named_machine(const WorkspaceLocation& location, const std::string& text);

/// "arch Turing, cores 72"
[[nodiscard]] std::string sheet_text(const Json& facts);
/// What an imported sheet says of each machine: {NAME: VALUE}; null where it says nothing.
[[nodiscard]] Result<std::vector<Json>> machine_sheets(Workspace& workspace,
                                                       const std::vector<MachineRecord>& machines);
/// The same by name or fingerprint; null, too, where there is no such machine.
[[nodiscard]] Result<Json> machine_sheet(const WorkspaceLocation& location, const std::string& name);

/// This computer: as the workspace knows it, with what was measured, or else its facts.
[[nodiscard]] Result<NamedMachine> this_named_machine(const WorkspaceLocation& location);

class Workspace;

/// The share of the processors that other programs may take before a remark says so: on two processors a
/// fifth of one, more than an idle desktop does.
inline constexpr double disturbing_share = 0.1;

/// The user is told when it is waited for, and where there is no lock. A `budget` bounds the wait, which is
/// taken off it: nothing may be measured where nothing is left. Errors: those of MeasurementLock::take().
[[nodiscard]] Result<MeasurementLock> measuring_turn(Observer& observer, const std::stop_token& stop,
                                                     std::optional<Seconds>* budget = nullptr);

/// What Linux tells about it; nothing is measured.
[[nodiscard]] Result<MachineDescription> describe_this_machine();
/// Measured as well, in about eight seconds. A remark tells when other programs took so much of the computer
/// meanwhile that the figures are too low, or could not be had at all.
[[nodiscard]] Result<MachineDescription> measure_this_machine(Observer& observer,
                                                              const std::stop_token& stop);

/// As the workspace knows it; what was measured of it before stays. Where it is not known yet, what
/// `describe` finds out is recorded.
[[nodiscard]] Result<MachineRecord>
this_machine(Workspace& workspace,
             const std::function<Result<MachineDescription>()>& describe = &describe_this_machine);

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
