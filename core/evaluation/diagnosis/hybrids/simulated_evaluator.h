// Hybrids on an imagined machine, by the mechanistic simulator.
#pragma once

#include "domains/sparse/simulator/schedule_profile.h"
#include "evaluation/diagnosis/hybrids/hybrid_evaluator.h"
#include "machine/machine_parameters.h"

#include <string>
#include <unordered_map>

namespace sparsight {

class SimulatedEvaluator final : public HybridEvaluator {
public:
    /// The pattern must outlive it. `dense` is ignored for SpMV; `threads` of its own count the pattern.
    SimulatedEvaluator(const ProfiledPattern& pattern, std::int64_t dense, const MachineParameters& machine,
                       int threads = 1);

    [[nodiscard]] std::string_view name() const override { return "simulated"; }
    [[nodiscard]] std::string program(const SuperSchedule& schedule) const override;
    /// The spread is such that two times differ beyond both by twice the noise that measurements on the
    /// machine would have, and never by less than what a simulation can't tell apart
    /// (evaluation/time_differences.h). Storage beyond the default PackingLimits can't be built.
    [[nodiscard]] Result<HybridTime> time(const SuperSchedule& schedule) override;
    [[nodiscard]] Result<void> prepare(std::span<const SuperSchedule> schedules,
                                       const std::stop_token& stop) override;

    [[nodiscard]] Result<ScheduleProfile> profile(const SuperSchedule& schedule) const;
    [[nodiscard]] const MachineParameters& machine() const { return machine_; }

private:
    [[nodiscard]] Result<HybridTime> simulate_one(const SuperSchedule& schedule) const;

    const ProfiledPattern& pattern_;
    std::int64_t dense_;
    MachineParameters machine_;
    int threads_;
    std::unordered_map<std::string, HybridTime> known_; ///< by program
};

} // namespace sparsight
