// The table of machines and the facts about one machine: each number with its meaning.
#pragma once

#include "machine/data_sheet.h"
#include "machine/machine_description.h"
#include "store/machines.h"
#include "widgets/table/record_model.h"

#include <QString>
#include <map>
#include <string>
#include <vector>

namespace sparsight {

/// Where nothing simulates machines, with a column for each fact that `sheets` (JSON by fingerprint) say of
/// some, and for descriptions only where a machine has one. A fact that both have has one column.
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
/// A number of a data sheet: "6 144", "2021"; with its unit "1 560 MHz", "48.0 KiB".
[[nodiscard]] QString sheet_number_text(const DataSheetField& field, double value, bool has_unit);
/// What an imported sheet says of the machine: a JSON object of texts and numbers by name.
[[nodiscard]] std::vector<MachineFact> sheet_facts(const QByteArray& json);

} // namespace sparsight
