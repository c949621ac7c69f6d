// For whom a search chooses: this computer, or one that the workspace knows of.
#pragma once

#include "base/parallel.h"
#include "learn/schedule_pool.h"
#include "machine/machine_description.h"

#include <optional>
#include <string>

namespace sparsight {

struct SearchedMachine {
    std::optional<MachineId> id; ///< nothing: this computer, of which the workspace knows nothing
    std::string name{};          ///< in the workspace; empty: this computer, which is not there
    std::optional<MachineDescription> description;
    std::optional<RecordedSchedules> recorded;
    int threads = available_threads();
    bool is_recorded = false; ///< elsewhere: nothing can be measured on it
};

/// `machine`: a name or fingerprint; empty: this computer.
[[nodiscard]] Result<SearchedMachine> searched_machine(Workspace& workspace, const std::string& machine,
                                                       Operator op, std::int64_t dense);

} // namespace sparsight
