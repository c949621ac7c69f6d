// The simulator of the meta-learning report:
//   simulated = actual / (cores · bandwidth) · latency
// The bandwidth is in GB/s (that of all threads), the latency a factor; here it is the latency of memory over
// 100 ns. A constant factor never changes an order, so to a ranking loss all its machines are the same task:
// it shows how meta-learning works, and can't show that it helps.
#pragma once

#include "machine/simulator.h"

namespace sparsight {

/// A latency of 1 in the formula. The report gives no unit; this makes its machines plausible ones.
inline constexpr Nanoseconds latency_unit{100};

class PaperFormula final : public Simulator {
public:
    [[nodiscard]] std::string_view name() const override { return "paper-formula"; }
    [[nodiscard]] bool needs_pattern() const override { return false; }
    [[nodiscard]] bool needs_recorded() const override { return true; }
    [[nodiscard]] Result<std::vector<double>> simulate(const MachineDescription& machine,
                                                       const SimulatedRuns& runs) const override;
};

/// What the formula multiplies runtimes by: 0.003 on the report's machine A (machine_presets.h).
[[nodiscard]] Result<double> paper_factor(const MachineDescription& machine);

} // namespace sparsight
