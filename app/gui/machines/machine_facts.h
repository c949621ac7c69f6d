// The columns of the table of machines.
#pragma once

#include "machine/machine_description.h"
#include "store/machines.h"
#include "widgets/table/record_model.h"

#include <QString>
#include <vector>

namespace sparsight {

[[nodiscard]] std::vector<RecordColumn<MachineRecord>> machine_columns();

[[nodiscard]] QString fingerprint_of(const MachineRecord& record);
/// A collection writes down what the computer is; how fast it is only a probe finds out.
[[nodiscard]] bool is_speed_known(const MachineRecord& record);

// A machine's description as a list of facts for people: what it is, the number, and what that number means
// for sparse kernels.

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
