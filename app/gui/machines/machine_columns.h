// The columns of the table of machines.
#pragma once

#include "store/machines.h"
#include "widgets/table/record_model.h"

#include <QString>
#include <vector>

namespace sparsight {

[[nodiscard]] std::vector<RecordColumn<MachineRecord>> machine_columns();

[[nodiscard]] QString fingerprint_of(const MachineRecord& record);
/// A collection writes down what the computer is; how fast it is only a probe finds out.
[[nodiscard]] bool is_speed_known(const MachineRecord& record);

} // namespace sparsight
