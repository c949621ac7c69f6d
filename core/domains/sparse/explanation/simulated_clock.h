// Times of schedules on an imagined machine, by the mechanistic simulator.
#pragma once

#include "domains/sparse/simulator/schedule_profile.h"
#include "domains/sparse/simulator/simulator.h"
#include "machine/machine_parameters.h"
#include "study/clock.h"

#include <string>
#include <unordered_map>

namespace sparsight {

/// By term, in the order of all_time_terms().
[[nodiscard]] TermVector terms_of(const SimulatedTime& time);
/// Of terms_of(); a term that is not there is 0.
[[nodiscard]] SimulatedTime simulated_time_of(const TermVector& terms);

class SimulatedClock final : public Clock {
public:
    /// The pattern must outlive it. `dense` is ignored for SpMV; `threads` of its own count the pattern.
    SimulatedClock(const ProfiledPattern& pattern, std::int64_t dense, const MachineParameters& machine,
                   int threads = 1);

    [[nodiscard]] std::string_view name() const override { return "simulated"; }
    [[nodiscard]] std::string program(const Configuration& configuration) const override;
    /// The spread is such that two times differ beyond both by twice the noise that measurements on the
    /// machine would have, and never by less than what a simulation can't tell apart
    /// (evaluation/time_differences.h). Storage beyond the default PackingLimits can't be built.
    [[nodiscard]] Result<ClockTime> time(const Configuration& configuration) override;
    [[nodiscard]] Result<void> prepare(std::span<const Configuration> configurations,
                                       const std::stop_token& stop) override;

private:
    [[nodiscard]] Result<ClockTime> simulate_one(const SuperSchedule& schedule) const;

    const ProfiledPattern& pattern_;
    std::int64_t dense_;
    MachineParameters machine_;
    int threads_;
    std::unordered_map<std::string, ClockTime> known_; ///< by program
};

} // namespace sparsight
