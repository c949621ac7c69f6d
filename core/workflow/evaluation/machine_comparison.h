// Compares machines by the known times of one workload: what it costs to copy the fastest configuration from
// one to another, and how alike their orders are.
#pragma once

#include "base/error.h"
#include "evaluation/machine_matrix.h"
#include "study/domain.h"
#include "workflow/chosen_setting.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct MachineComparisonRequest {
    std::string workload{};              ///< empty: the only one that has times
    std::vector<std::string> machines{}; ///< names or fingerprints; empty: all that have times
    SettingChoice setting{};             ///< empty: the one in which most machines have times
};

/// The times of one machine; of one of its conditions, where it has several.
struct ComparedMachine {
    std::string name;  ///< of the machine
    std::string label; ///< the same, with the condition where there are several: "Titan_RTX (run=hub_bat)"
    std::string fingerprint;
    std::string condition;
    std::string protocol;
    int threads = 1;
    std::int64_t tried = 0; ///< configurations
    std::int64_t ran = 0;   ///< of these, those with a time
    double best_ms = 0;
    std::string best;     ///< the fastest configuration
    std::string nickname; ///< of that one; empty where it has none
    std::string family;   ///< of the configuration

    bool operator==(const ComparedMachine&) const = default;
};

struct MachineComparison {
    std::string workload;
    Setting setting;
    std::vector<ComparedMachine> machines;   ///< similar ones together; at least two
    MachineMatrix matrix;                    ///< in the same order
    std::vector<std::string> configurations; ///< MachinePair::copied counts in these
    std::vector<std::string> notes;          ///< sentences: what is left out, and why
};

/// Errors (Input): an unknown workload, machine or setting; times of fewer than two machines; Cancelled.
[[nodiscard]] Result<MachineComparison> compare_machines(Workspace& workspace, const Domain& domain,
                                                         const MachineComparisonRequest& request,
                                                         const std::stop_token& stop = {});

} // namespace sparsight
