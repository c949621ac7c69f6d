// An imagined machine as the workspace knows machines: what was measured on a real one, as a simulator makes
// it out to be.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "collection/schedule_choice.h"
#include "domains/sparse/simulator/simulator.h"
#include "store/machines.h"
#include "store/runtimes.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

/// Its fingerprint, "simulated:…", tells simulator and source, so that nothing simulated from another machine
/// mixes in.
[[nodiscard]] Result<MachineId> record_simulated_machine(Workspace& workspace, const Simulator& simulator,
                                                         const MachineDescription& machine,
                                                         const MachineRecord& source);

/// Everything that was measured at the source, simulated for the machine, with the source's protocol; spreads
/// grow with the times. What failed there fails here. Again after more was measured: it is all renewed.
/// Returns how many. Errors: those of the simulator, with the matrix, and of patterns where it needs them.
[[nodiscard]] Result<std::int64_t> simulate_runtimes(Workspace& workspace, const Simulator& simulator,
                                                     const RuntimeSource& source, MachineId machine);

// Runtimes of a simulated machine that nothing had to be measured for: schedules are chosen as for a
// collection, and simulated from the pattern.

/// What simulated runtimes are stored as, beside "adaptive" and "waco".
inline constexpr std::string_view simulated_protocol = "simulated";

struct SimulationRequest {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::vector<std::string> matrices{}; ///< empty: all
    ScheduleChoice schedules = SampledSchedules{};
    int threads = 1; ///< that look at the patterns
};

/// Whose runtimes they are.
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

/// The same schedules for all machines, each looked at once, with the threads of the machine. Stores matrix
/// by matrix: what was simulated before it was stopped stays. A time that is there already is renewed.
/// Errors: an unknown matrix, a simulator that starts from recorded runtimes (Fault::Input); of the
/// workspace; Fault::Cancelled.
[[nodiscard]] Result<SimulationSummary> simulate_schedules(Workspace& workspace, const Simulator& simulator,
                                                           std::span<const SimulatedMachine> machines,
                                                           const SimulationRequest& request,
                                                           const std::stop_token& stop = {},
                                                           const ProgressSink& progress = {});

} // namespace sparsight
