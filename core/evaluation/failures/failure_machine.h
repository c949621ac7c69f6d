// The machine on which failures are simulated: one rule for the command line, the window and reports.
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"

#include <string>

namespace sparsight {

class Workspace;

struct FailureMachine {
    std::string name;
    MachineDescription machine;
    /// Another one is meant, of which no more than its name is known: this computer stands in for it.
    bool stands_in = false;
};

/// The machine of this fingerprint, as the workspace describes it. Where no more than its name is known, or
/// nobody says which one it is (an empty fingerprint), this computer stands in: as the workspace knows it,
/// with what was measured and calibrated, or else as its system describes it. Where it is the one that is
/// meant, it stands in for nothing. Takes moments. Errors: those of the workspace; this computer can't be
/// looked at.
[[nodiscard]] Result<FailureMachine> failure_machine(Workspace& workspace, const std::string& fingerprint);

/// "Nothing is known of Xeon 8272CL but its name: this computer (AMD EPYC) is simulated in its place.";
/// `meant` is empty where nobody says which machine is meant.
[[nodiscard]] std::string stand_in_sentence(const FailureMachine& machine, const std::string& meant);

} // namespace sparsight
