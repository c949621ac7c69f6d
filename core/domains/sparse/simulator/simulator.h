// Simulators: how long schedules would take on another machine. Here are their interface, the simple formula
// of the meta-learning report, and the mechanistic simulator.
#pragma once

#include "base/error.h"
#include "base/random.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "domains/sparse/tensor/pattern.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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
