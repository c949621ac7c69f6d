// A machine as a user names it: a file, a machine of the workspace, or a preset.
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"
#include "store/workspace_location.h"

#include <string>

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

/// This computer: as the workspace knows it, with what was measured, or else its facts.
[[nodiscard]] Result<NamedMachine> this_named_machine(const WorkspaceLocation& location);

} // namespace sparsight
