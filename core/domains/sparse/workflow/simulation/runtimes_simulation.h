// Schedules simulated on machines, and their times stored as those of simulated machines.
#pragma once

#include "base/observer.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_choice.h"
#include "domains/sparse/workflow/simulation/simulated_runtimes.h"
#include "store/workspace_location.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct RuntimesSimulationRequest {
    std::vector<std::string> machines; ///< as workflow/machines/named_machines.h names them
    bool sampled = false;              ///< all simulated machines of the workspace, too
    std::vector<std::string> matrices; ///< names; none: all
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    SampledSchedules schedules; ///< the seed is the request's
    bool noise = false;         ///< each time as a measurement with the machine's noise
    std::string code_of;        ///< LLVM's name of a processor, or empty
    std::uint64_t seed = 1;
};

struct SimulatedRuntimes {
    std::vector<SimulatedMachine> machines;
    SimulationSummary summary;
};

/// `location` is that of the workspace, where machines are looked up by their names. Errors: those of
/// named_machine() and of the workspace; no machine (Fault::Input); Fault::Cancelled.
[[nodiscard]] Result<SimulatedRuntimes> add_simulated_runtimes(Workspace& workspace,
                                                               const WorkspaceLocation& location,
                                                               const RuntimesSimulationRequest& request,
                                                               Observer& observer,
                                                               const std::stop_token& stop);

} // namespace sparsight
