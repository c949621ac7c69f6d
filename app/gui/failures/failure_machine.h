// The machine on which failures are simulated: for the stories, and for the pages of a report alike.
#pragma once

#include "gui/comparison/simulated_machine.h"

#include <optional>
#include <string>

namespace sparsight {

class Workspace;

/// The one of this fingerprint. Where no more than its name is known, or nobody says which it is, this
/// computer stands in for it; absent where even that can't be looked at. Takes moments: for another thread.
[[nodiscard]] std::optional<SimulatedMachine> machine_of_failures(Workspace& workspace,
                                                                  const std::string& fingerprint);

} // namespace sparsight
