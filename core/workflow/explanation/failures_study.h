// Whose failures `failures` and `report` tell: those of a stored evaluation, or of a table that others
// recorded.
#pragma once

#include "base/observer.h"
#include "domains/sparse/explanation/failures/stored_failures.h"
#include "machine/machine_description.h"
#include "store/workspace_location.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct FailuresRequest {
    std::string model;                      ///< only this one's; empty: all that were evaluated
    std::string machine;                    ///< of the evaluation, name or fingerprint; empty: any
    std::optional<std::int64_t> evaluation; ///< number of its run; absent: the newest
    std::string recorded;                   ///< a table (recorded_failures.h) instead of an evaluation
    Operator op = Operator::SpMM;           ///< of the table
    std::int64_t dense = 256;               ///< likewise
    double recorded_noise = 0.025;          ///< assumed of a recorded time, as a share of it
    /// As workflow/machines/named_machines.h names machines; empty: that of the evaluation.
    std::string simulated_on;
    std::uint64_t seed = 1;
};

struct FailuresAnswer {
    std::optional<RunId> run; ///< of an evaluation
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::string machine;      ///< whose times these are
    std::string setting;      ///< one sentence
    std::size_t compared = 0; ///< choices, failures or not
    std::string date;         ///< of the newest time; empty where nobody tells
    std::vector<FailureCase> cases;
    std::vector<FailureGroup> stories;
    std::optional<MachineDescription> simulated_on; ///< absent: nothing was simulated
    bool stands_in = false; ///< that one is this computer, in place of one that is known by its name alone
    std::vector<std::string> remarks; ///< for the user
};

[[nodiscard]] Result<FailuresAnswer> answer_failures(const WorkspaceLocation& location,
                                                     const FailuresRequest& request, Observer& observer,
                                                     const std::stop_token& stop);

} // namespace sparsight
