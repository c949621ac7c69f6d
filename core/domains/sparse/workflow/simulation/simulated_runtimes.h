// Runtimes of simulated machines, stored in the workspace like measured ones: either every runtime of a real
// machine simulated again for another, or schedules chosen as for a collection and simulated from the
// pattern, without any measurement.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/storage/schedules.h"
#include "store/machines.h"
#include "store/workspace.h"
#include "workflow/evaluation/simulating_domain.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

/// Records the machine. Its fingerprint, "simulated:…", names the simulator and the source, so that nothing
/// simulated from another machine mixes in.
[[nodiscard]] Result<MachineId> record_simulated_machine(Workspace& workspace, const Simulator& simulator,
                                                         const MachineDescription& machine,
                                                         const MachineRecord& source);

/// Simulates for the machine everything that was measured at the source, with the source's protocol; spreads
/// grow with the times. What failed at the source fails here. Calling it again after more measurements
/// renews everything. Returns the number of runtimes. Errors: those of the simulator, with the matrix, and
/// of patterns where the simulator needs them.
[[nodiscard]] Result<std::int64_t> simulate_runtimes(Workspace& workspace, const Simulator& simulator,
                                                     const RuntimeSource& source, MachineId machine);

/// The threads that simulated runtimes of a machine have: all of its own.
[[nodiscard]] int simulated_threads(const MachineDescription& machine);

struct SimulationRequest {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::vector<std::string> matrices{}; ///< empty: all
    ScheduleChoice schedules = SampledSchedules{};
    int threads = 1;           ///< for profiling the patterns
    bool only_missing = false; ///< what every machine has a time of is left alone, else it is renewed
};

/// A machine whose runtimes are simulated.
struct SimulatedMachine {
    MachineRecord record;
    MachineDescription description;
    /// 0: exact times. Otherwise each is drawn as a measurement with the machine's noise, by this seed.
    std::uint64_t noise_seed = 0;
};

struct UnreadableMatrix {
    std::string name;
    Error reason;
};

struct SimulationSummary {
    std::int64_t matrices = 0;
    std::int64_t runtimes = 0;  ///< of each machine
    std::int64_t too_large = 0; ///< of the runtimes: schedules whose storage exceeds the limits
    std::vector<UnreadableMatrix> unreadable{}; ///< without a pattern that can be read
};

/// Simulates the same schedules for all machines; each is profiled once, with the threads of the machine.
/// Stores matrix by matrix: what was simulated before a stop stays. Errors: an unknown matrix, a simulator
/// that starts from recorded runtimes (Fault::Input); of the workspace; Fault::Cancelled.
[[nodiscard]] Result<SimulationSummary> simulate_schedules(Workspace& workspace, const Simulator& simulator,
                                                           std::span<const SimulatedMachine> machines,
                                                           const SimulationRequest& request,
                                                           const std::stop_token& stop = {},
                                                           const ProgressSink& progress = {});

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

/// What an evaluation lacks on a simulated machine, by the mechanistic simulator and without noise. Where a
/// matrix has no runtimes there, as many schedules are drawn as for a SimulationRequest. A machine whose
/// runtimes were made from measured ones has no others.
[[nodiscard]] std::unique_ptr<const SimulatingDomain> make_sparse_simulating();

} // namespace sparsight
