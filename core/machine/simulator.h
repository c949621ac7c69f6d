// Machines that are imagined: what a schedule would take on one of them.
#pragma once

#include "base/error.h"
#include "machine/machine_description.h"
#include "matrix/pattern.h"
#include "schedule/super_schedule.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace sparsight {

/// One matrix with schedules of one operator.
struct SimulatedRuns {
    const CsrPattern* pattern = nullptr; ///< null only for a simulator that does not look at it
    std::int64_t dense = 256;            ///< ignored for SpMV
    std::span<const SuperSchedule> schedules{};
    /// What they took on a real machine, in milliseconds: one for each schedule, above 0, infinite where they
    /// failed. May be empty, but not for a simulator that starts from it.
    std::span<const double> recorded_ms{};
    int threads = 1; ///< that look at the pattern
    std::stop_token stop{};
};

/// Deterministic and without state: threads may share it.
class Simulator {
public:
    Simulator() = default;
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;
    virtual ~Simulator() = default;

    /// For users and in files: "paper-formula".
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual bool needs_pattern() const = 0;
    [[nodiscard]] virtual bool needs_recorded() const = 0;

    /// Milliseconds, one for each schedule, above 0, infinite where it could not run. Errors (Fault::Input):
    /// what the simulator needs to know of the machine and does not; recorded runtimes that are missing;
    /// Fault::Cancelled.
    [[nodiscard]] virtual Result<std::vector<double>> simulate(const MachineDescription& machine,
                                                               const SimulatedRuns& runs) const = 0;

    /// The same for several machines, in their order: what is counted of the pattern is counted once.
    [[nodiscard]] virtual Result<std::vector<std::vector<double>>>
    simulate_all(std::span<const MachineDescription> machines, const SimulatedRuns& runs) const;
};

} // namespace sparsight
