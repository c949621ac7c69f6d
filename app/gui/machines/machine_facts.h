// The table of machines and the facts about one machine: each number with its meaning.
#pragma once

#include "machine/machine_description.h"
#include "store/machines.h"
#include "widgets/table/record_model.h"

#include <QString>
#include <map>
#include <string>
#include <vector>

namespace sparsight {

/// Where nothing simulates machines, with a column for each fact that `sheets` (JSON by fingerprint) say of
/// some, and for descriptions only where a machine has one.
[[nodiscard]] std::vector<RecordColumn<MachineRecord>>
machine_columns(bool has_simulator, const std::vector<MachineRecord>& machines,
                const std::map<std::string, std::string>& sheets);

[[nodiscard]] QString fingerprint_of(const MachineRecord& record);
/// Collecting measurements records the computer's description; only a probe measures its speed.
[[nodiscard]] bool is_speed_known(const MachineRecord& record);

struct MachineFact {
    QString group; ///< "Processor", "Memory" …
    QString name;
    QString value;   ///< "–" when unknown
    double raw = 0;  ///< for sorting; NaN when it is no number
    QString meaning; ///< a sentence or two
};

/// In the order shown; uses the program's number style.
[[nodiscard]] std::vector<MachineFact> machine_facts(const MachineDescription& machine);
/// What an imported sheet says of the machine: a JSON object of texts and numbers by name.
[[nodiscard]] std::vector<MachineFact> sheet_facts(const QByteArray& json);

} // namespace sparsight
