// Simulators: how long schedules would take on another machine. Here are their interface and the simple
// formula of the meta-learning report.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/pattern.h"
#include "machine/machine_description.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace sparsight {

/// One matrix with schedules of one operator.
struct SimulatedRuns {
    const CsrPattern* pattern = nullptr; ///< null only for a simulator that does not need it
    std::int64_t dense = 256;            ///< ignored for SpMV
    std::span<const SuperSchedule> schedules{};
    /// Their times on a real machine, in milliseconds: one for each schedule, above 0, infinite where they
    /// failed. May be empty, but not for a simulator that starts from it.
    std::span<const double> recorded_ms{};
    int threads = 1; ///< for counting the pattern
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
    /// a missing fact of the machine that the simulator needs; recorded runtimes that are missing;
    /// Fault::Cancelled.
    [[nodiscard]] virtual Result<std::vector<double>> simulate(const MachineDescription& machine,
                                                               const SimulatedRuns& runs) const = 0;

    /// The same for several machines, in their order: the pattern is counted only once.
    [[nodiscard]] virtual Result<std::vector<std::vector<double>>>
    simulate_all(std::span<const MachineDescription> machines, const SimulatedRuns& runs) const;
};

/// The simulator of the meta-learning report:
///   simulated = actual / (cores · bandwidth) · latency
/// The bandwidth is in GB/s (that of all threads), the latency a factor; here it is the latency of memory
/// over 100 ns. A constant factor never changes an order, so to a ranking loss all its machines are the same
/// task: it shows how meta-learning works, and can't show that it helps.
class PaperFormula final : public Simulator {
public:
    [[nodiscard]] std::string_view name() const override { return "paper-formula"; }
    [[nodiscard]] bool needs_pattern() const override { return false; }
    [[nodiscard]] bool needs_recorded() const override { return true; }
    [[nodiscard]] Result<std::vector<double>> simulate(const MachineDescription& machine,
                                                       const SimulatedRuns& runs) const override;
};

/// The factor by which the formula multiplies runtimes: 0.003 on the report's machine A (machine_presets.h).
[[nodiscard]] Result<double> paper_factor(const MachineDescription& machine);

} // namespace sparsight
