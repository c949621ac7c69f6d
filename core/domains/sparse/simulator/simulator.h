// How long schedules would take on another machine: by the simple formula of the meta-learning report, and by
// the mechanistic simulator.
#pragma once

#include "base/error.h"
#include "base/random.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "domains/sparse/tensor/pattern.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"
#include "study/simulator.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sparsight {

/// The simulator of the meta-learning report:
///   simulated = actual / (cores · bandwidth) · latency
/// The bandwidth is in GB/s (that of all threads), the latency a factor; here it is the latency of memory
/// over 100 ns. A constant factor never changes an order, so to a ranking loss all its machines are the same
/// task: it shows how meta-learning works, and can't show that it helps.
class PaperFormula final : public Simulator {
public:
    /// `scale` multiplies what the formula says.
    explicit PaperFormula(std::string_view name = "paper-formula", double scale = 1)
        : name_(name)
        , scale_(scale) {}

    [[nodiscard]] std::string_view name() const override { return name_; }
    [[nodiscard]] bool needs_data() const override { return false; }
    [[nodiscard]] bool needs_recorded() const override { return true; }
    [[nodiscard]] Result<std::unique_ptr<const SimulationProfile>>
    profile(const SimulatedRuns& runs) const override;

private:
    std::string_view name_;
    double scale_;
};

/// The factor by which the formula multiplies runtimes: 0.003 on the report's machine A (machine_presets.h).
[[nodiscard]] Result<double> paper_factor(const MachineDescription& machine);

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

[[nodiscard]] PlacedInstructions instructions_by_place(const MachineParameters& machine,
                                                       const ScheduleProfile& profile);
/// How loop nests are to be lowered for a machine.
[[nodiscard]] KernelTarget kernel_target(const MachineParameters& machine);

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
    [[nodiscard]] std::span<const std::string_view> terms() const override; ///< of all_time_terms()
    [[nodiscard]] bool needs_data() const override { return true; }
    [[nodiscard]] bool needs_recorded() const override { return false; }
    /// Times are infinite where the storage of A would exceed the default PackingLimits.
    [[nodiscard]] Result<std::unique_ptr<const SimulationProfile>>
    profile(const SimulatedRuns& runs) const override;
};

/// The time of one measurement, for simulations that shall look like measurements: log-normal about
/// `milliseconds` with σ = sigma, and one time in ten disturbed, which only makes it longer. Such
/// heavy-tailed noise is that of repeats on shared machines (their ratios have a median of 1.05 to 1.3 and a
/// ninth decile of 2 to 3.7). sigma 0 gives the time itself.
[[nodiscard]] double noisy_runtime(double milliseconds, double sigma, Random& random);

} // namespace sparsight
