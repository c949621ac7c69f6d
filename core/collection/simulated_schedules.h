// Runtimes of a simulated machine that nothing had to be measured for: schedules are chosen as for a
// collection, and simulated from the pattern.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "collection/schedule_choice.h"
#include "machine/simulator.h"
#include "store/machines.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

/// What simulated runtimes are stored as, beside "adaptive" and "waco".
inline constexpr std::string_view simulated_protocol = "simulated";

struct SimulationRequest {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::vector<std::string> matrices{}; ///< empty: all
    ScheduleChoice schedules = SampledSchedules{};
    /// 0: exact times. Otherwise each is drawn as a measurement with the machine's noise, by this seed.
    std::uint64_t noise_seed = 0;
};

struct SimulationSummary {
    std::int64_t matrices = 0;
    std::int64_t runtimes = 0;
    std::int64_t too_large = 0;    ///< of the runtimes: schedules whose storage exceeds the limits
    std::vector<Error> unreadable; ///< matrices without a pattern that can be read, each with the reason
};

/// Stores matrix by matrix: what was simulated before it was stopped stays. A time that is there already is
/// renewed. Errors: an unknown matrix, a simulator that starts from recorded runtimes (Fault::Input); of the
/// workspace; Fault::Cancelled.
[[nodiscard]] Result<SimulationSummary>
simulate_schedules(Workspace& workspace, const Simulator& simulator, const MachineRecord& machine,
                   const MachineDescription& description, const SimulationRequest& request,
                   const std::stop_token& stop = {}, const ProgressSink& progress = {});

} // namespace sparsight
