// Machines by the names that users give: a file, a machine of the workspace, a preset, or this computer. Also
// adds and removes machines.
#pragma once

#include "base/error.h"
#include "base/observer.h"
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

/// A description and its origin.
struct NamedMachine {
    MachineDescription machine;
    std::string fingerprint; ///< fingerprint in the workspace; empty if it is not from there
    std::string origin;      ///< origin of its numbers, one line
    std::string note;        ///< which numbers are estimated; mostly empty
};

/// Reads a file with a machine's JSON, as printed by `machine show --json` and `machine probe --json`. Errors
/// name the file and the line.
[[nodiscard]] Result<MachineDescription> read_machine_file(const std::string& file);

/// Error (Fault::Input): there is no such preset; the text lists them.
[[nodiscard]] Result<NamedMachine> machine_of_preset(const std::string& name);

/// A file, otherwise a machine of the workspace (if there is one), otherwise a preset, otherwise the machine
/// of the workspace whose name begins so. Errors (Fault::Input): only the name of the machine is known;
/// several names begin so.
[[nodiscard]] Result<NamedMachine> named_machine(const WorkspaceLocation& location, const std::string& text);

/// "arch Turing, cores 72"
[[nodiscard]] std::string sheet_text(const Json& facts);
/// The facts of each machine from imported sheets: {NAME: VALUE}; null where no sheet names the machine.
[[nodiscard]] Result<std::vector<Json>> machine_sheets(Workspace& workspace,
                                                       const std::vector<MachineRecord>& machines);
/// The same by name or fingerprint; also null where there is no such machine.
[[nodiscard]] Result<Json> machine_sheet(const WorkspaceLocation& location, const std::string& name);

/// This computer, with its measured figures if the workspace has them, otherwise its facts only.
[[nodiscard]] Result<NamedMachine> this_named_machine(const WorkspaceLocation& location);

/// This computer as Linux describes it; nothing is measured.
[[nodiscard]] Result<MachineDescription> describe_this_machine();
/// Measures this computer, in about eight seconds; others may measure meanwhile. A remark says if other
/// programs used so much of it that figures are too low, or could not be measured at all.
[[nodiscard]] Result<MachineDescription> measure_this_machine(Observer& observer,
                                                              const std::stop_token& stop);

/// This computer as the workspace knows it; earlier measured figures stay. If the workspace does not know it,
/// the result of `describe` is stored.
[[nodiscard]] Result<MachineRecord>
this_machine(Workspace& workspace,
             const std::function<Result<MachineDescription>()>& describe = &describe_this_machine);

struct MachineRequest {
    std::string file;                  ///< machine file; either this or a preset
    std::string preset;                ///< name of a preset
    std::vector<std::string> settings; ///< "KEY=VALUE", applied in order
    std::string name; ///< empty: the name of the machine that it starts from, with the settings
};

struct RequestedMachine {
    MachineDescription machine;
    std::vector<std::string> unrequested_changes; ///< changes that follow from the settings
};

/// The requested machine; nothing is stored.
[[nodiscard]] Result<RequestedMachine> requested_machine(const MachineRequest& request);

struct SampledMachine {
    MachineRecord record;
    MachineDescription description;
    FamilyPart part{};
    bool is_new = false; ///< false: the workspace had it before
};

/// Machines 0 to `count` - 1 of the family with this seed; all are added or none.
[[nodiscard]] Result<std::vector<SampledMachine>> sample_machines(Workspace& workspace, std::int64_t count,
                                                                  std::uint64_t seed);

/// Stores a new description of this computer. Facts alone never replace measured figures.
[[nodiscard]] Result<void> remember_this_machine(Workspace& workspace, const MachineDescription& machine,
                                                 bool is_measured);

/// The machine of a fingerprint or whole name, if it may be removed: it is not this computer, and it has no
/// stored runtimes unless these may be removed, too. Errors say why not (Fault::Input).
[[nodiscard]] Result<MachineRecord> machine_to_remove(Workspace& workspace, const std::string& name,
                                                      bool with_measurements);

} // namespace sparsight
