// A matrix that a user names on the command line: a file, or a matrix of the workspace.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "collection/measurement_safeguards.h"
#include "command/session.h"
#include "domains/sparse/tensor/pattern.h"
#include "machine/machine_description.h"
#include "store/machines.h"
#include "store/matrices.h"
#include "store/workspace.h"

#include <functional>
#include <stop_token>
#include <string>

namespace sparsight {

class Session;

struct NamedMatrix {
    std::string name;
    std::string source;
    CsrPattern pattern;
};

/// Whether there is a file of this name, or what can't be read as one (a pipe, a device); otherwise a matrix
/// of the workspace is meant.
[[nodiscard]] bool names_file(const std::string& text);

/// An error names the matrices that there are, as far as they are few.
[[nodiscard]] Result<MatrixRecord> matrix_named(Workspace& workspace, const std::string& name);

struct WorkspaceMatrix {
    Workspace workspace; ///< open for reading
    MatrixRecord record;
};

/// What a text that names no file means: a matrix whose entries are known.
[[nodiscard]] Result<WorkspaceMatrix> find_in_workspace(const Session& session, const std::string& text);

[[nodiscard]] Result<NamedMatrix> load_named_matrix(const Session& session, const std::string& text);

// This computer: found out, measured, and as a workspace knows it.

class Session;
class Workspace;

/// The share of the processors that other programs may take before a remark says so: on two processors a
/// fifth of one, more than an idle desktop does.
inline constexpr double disturbing_share = 0.1;

/// A remark tells when it is waited for.
[[nodiscard]] Result<MeasurementLock> measuring_turn(const Session& session, const std::stop_token& stop);

/// What Linux tells about it; nothing is measured.
[[nodiscard]] Result<MachineDescription> describe_this_machine();
/// Measured as well, in about eight seconds. A remark tells when other programs took so
/// much of the computer meanwhile that the figures are too low, or could not be had at all.
[[nodiscard]] Result<MachineDescription>
measure_this_machine(const Session& session, const ProgressSink& progress, const std::stop_token& stop);

/// As the workspace knows it; what was measured of it before stays. Where it is not known yet, what
/// `describe` finds out is recorded.
[[nodiscard]] Result<MachineRecord>
this_machine(Workspace& workspace,
             const std::function<Result<MachineDescription>()>& describe = &describe_this_machine);

// Machines as command lines name them: files, machines of the workspace, presets.

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
[[nodiscard]] Result<NamedMachine> named_machine(const Session& session, const std::string& text);

/// This computer: as the workspace knows it, with what was measured, or else its facts.
[[nodiscard]] Result<NamedMachine> this_named_machine(const Session& session);

/// Every parameter that a simulation takes: {"key", "value", "unit", "assumed", "origin", "doubt_left"}.
[[nodiscard]] Json parameters_json(const MachineDescription& machine);
/// A table of them with where each value comes from (machine/machine_parameters.h), and how sure a
/// calibration is.
[[nodiscard]] std::string parameters_text(const MachineDescription& machine);

} // namespace sparsight
