// A simulator that predicts from the pattern, the schedule and the machine alone, by a closed sum of terms
// each of which has machine parameters of its own: that is what lets another machine prefer another schedule.
// The formula: mechanistic_formula.h.
#pragma once

#include "machine/machine_parameters.h"
#include "machine/mechanistic/schedule_profile.h"
#include "machine/mechanistic/simulated_time.h"
#include "machine/simulator.h"

#include <optional>

namespace sparsight {

/// What the compiler makes of the profile's loops for the machine's vectors and registers.
[[nodiscard]] InstructionCounts instructions_on(const MachineParameters& machine,
                                                const ScheduleProfile& profile);

/// A few microseconds. Deterministic: without the machine's noise.
[[nodiscard]] SimulatedTime simulate(const MachineParameters& machine, const ScheduleProfile& profile);
/// As if a term cost nothing: what it contributes is what is worse without it.
[[nodiscard]] SimulatedTime simulate(const MachineParameters& machine, const ScheduleProfile& profile,
                                     std::optional<TimeTerm> without);

/// Whether the storage of A would exceed the default PackingLimits, so that the schedule is never run.
[[nodiscard]] bool is_too_large(const CsrPattern& pattern, const SuperSchedule& schedule,
                                const ScheduleProfile& profile);

class MechanisticSimulator final : public Simulator {
public:
    [[nodiscard]] std::string_view name() const override { return "mechanistic"; }
    [[nodiscard]] bool needs_pattern() const override { return true; }
    [[nodiscard]] bool needs_recorded() const override { return false; }
    /// Infinite where the storage of A would exceed the default PackingLimits.
    [[nodiscard]] Result<std::vector<double>> simulate(const MachineDescription& machine,
                                                       const SimulatedRuns& runs) const override;
    [[nodiscard]] Result<std::vector<std::vector<double>>>
    simulate_all(std::span<const MachineDescription> machines, const SimulatedRuns& runs) const override;
};

} // namespace sparsight
