// The mechanistic simulator predicts a runtime from the pattern, the schedule and the machine alone, as a
// sum of terms. Each term has machine parameters of its own, so another machine may prefer another schedule.
// The formula is in mechanistic_formula.h.
#pragma once

#include "base/random.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "domains/sparse/simulator/simulator.h"
#include "machine/machine_parameters.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sparsight {

/// The parts of a simulated runtime: the what-if page stacks them and the diagnosis compares them.
enum class TimeTerm : std::uint8_t {
    Compute,       ///< instructions for entries that are there
    FillIn,        ///< instructions for explicit zeros
    L2Traffic,     ///< lines that come from the second level cache
    L3Traffic,     ///< … from the last level cache
    MemoryTraffic, ///< … from memory
    Latency,       ///< waiting for lines that no prefetcher foresaw
    Imbalance,     ///< cores that wait for the last one
    Regions,       ///< opening parallel regions
    Chunks,        ///< handing out chunks
};
inline constexpr std::size_t time_term_count = static_cast<std::size_t>(TimeTerm::Chunks) + 1;

[[nodiscard]] std::span<const TimeTerm> all_time_terms();
/// In files: "fill_in", "l2_traffic".
[[nodiscard]] std::string_view name(TimeTerm term);

/// Milliseconds; the parts add up to the total.
template <typename Scalar>
struct BasicSimulatedTime {
    std::array<Scalar, time_term_count> parts{};

    [[nodiscard]] const Scalar& operator[](TimeTerm term) const {
        return parts[static_cast<std::size_t>(term)];
    }
    [[nodiscard]] Scalar& operator[](TimeTerm term) { return parts[static_cast<std::size_t>(term)]; }
    [[nodiscard]] Scalar total() const {
        Scalar sum = parts[0];
        for (std::size_t t = 1; t < parts.size(); ++t)
            sum += parts[t];
        return sum;
    }
};
using SimulatedTime = BasicSimulatedTime<double>;

/// The instructions that the compiler generates for the profile's loops with the machine's vectors and
/// registers.
[[nodiscard]] InstructionCounts instructions_on(const MachineParameters& machine,
                                                const ScheduleProfile& profile);

/// A few microseconds. Deterministic: without the machine's noise.
[[nodiscard]] SimulatedTime simulate(const MachineParameters& machine, const ScheduleProfile& profile);
/// As if a term cost nothing: the difference to the full time is the term's contribution.
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

/// The time of one measurement, for simulations that shall look like measurements: log-normal about
/// `milliseconds` with σ = sigma, and one time in ten disturbed, which only makes it longer. Such
/// heavy-tailed noise is that of repeats on shared machines (their ratios have a median of 1.05 to 1.3 and a
/// ninth decile of 2 to 3.7). sigma 0 gives the time itself.
[[nodiscard]] double noisy_runtime(double milliseconds, double sigma, Random& random);

} // namespace sparsight
