// A machine's description as a list of facts for people: what it is, the number, and what that number means
// for sparse kernels.
#pragma once

#include "machine/machine_description.h"

#include <QString>
#include <vector>

namespace sparsight {

struct MachineFact {
    QString group; ///< "Processor", "Memory" …
    QString name;
    QString value;   ///< "–" when unknown
    double raw = 0;  ///< for sorting; NaN when it is no number
    QString meaning; ///< a sentence or two
};

/// In the order in which they are shown; uses the program's number style.
[[nodiscard]] std::vector<MachineFact> machine_facts(const MachineDescription& machine);

} // namespace sparsight
