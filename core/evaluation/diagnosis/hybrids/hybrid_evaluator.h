// How long a hybrid takes: measured on this computer, or simulated on any machine. Schedules that become one
// program there have one time.
#pragma once

#include "base/error.h"
#include "base/quantity.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "machine/machine_parameters.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace sparsight {

struct HybridTime {
    std::optional<double> milliseconds; ///< absent: it can't be built or run, and `reason` says why
    /// The error of the time, exceeded one time in twenty: about two standard errors
    /// (evaluation/diagnosis/paired_measurement.h).
    double spread_ms = 0;
    int turns = 1;            ///< measurements whose median it is
    bool is_at_least = false; ///< it was stopped after that long
    std::string reason{};
    std::optional<SimulatedTime> parts{}; ///< where it was simulated
};

/// Used by one thread at a time.
class HybridEvaluator {
public:
    HybridEvaluator() = default;
    HybridEvaluator(const HybridEvaluator&) = delete;
    HybridEvaluator& operator=(const HybridEvaluator&) = delete;
    virtual ~HybridEvaluator() = default;

    /// "simulated", "measured".
    [[nodiscard]] virtual std::string_view name() const = 0;

    /// Equal for schedules that are one program there and so have one time.
    [[nodiscard]] virtual std::string program(const SuperSchedule& schedule) const = 0;

    /// The time of a valid, canonical schedule; a repeated call, or one for the same program, gives the same
    /// answer at once. A schedule that can't be built has an absent time, which is not an error. Errors:
    /// Fault::Cancelled; of the workspace; this computer is short of memory.
    [[nodiscard]] virtual Result<HybridTime> time(const SuperSchedule& schedule) = 0;
    /// Announces that time() will be called for these schedules, so that shared work is done at once.
    [[nodiscard]] virtual Result<void> prepare(std::span<const SuperSchedule> schedules,
                                               const std::stop_token& stop) = 0;
    /// From now on a run that takes longer is hopeless: it may be stopped, and its time is then at least the
    /// time it ran.
    virtual void set_limit(double milliseconds) { static_cast<void>(milliseconds); }

    /// Whether repeating a measurement gives new information; simulated times never change.
    [[nodiscard]] virtual bool varies() const { return false; }
    /// Measures a schedule once more; time() then covers all of its turns. Returns the time of this turn;
    /// absent where it has none, or was stopped. Errors: those of time().
    [[nodiscard]] virtual Result<std::optional<Milliseconds>> measure_again(const SuperSchedule& schedule) {
        static_cast<void>(schedule);
        return std::nullopt;
    }
};

/// The shape of our kernels on a machine; absent where its kernels are not ours but update C in memory
/// (MachineParameter::Accumulators is 0, as for recorded machines), since it is not known what those fuse.
[[nodiscard]] std::optional<KernelTarget> kernel_target_of(const MachineParameters& machine);

/// Which schedules are one program on a matrix and a machine, so that no time distinguishes them.
class ProgramIdentity {
public:
    /// Without a target schedules are one program only where they mean the same.
    ProgramIdentity(const Extents& extents, std::optional<KernelTarget> target)
        : extents_(extents)
        , target_(target) {}

    /// Equal iff two valid schedules are one program, whatever their threads
    /// (domains/sparse/kernel/lowering/program_signature.h).
    [[nodiscard]] std::string of(const SuperSchedule& schedule) const;
    [[nodiscard]] bool are_one(const SuperSchedule& one, const SuperSchedule& other) const {
        return of(one) == of(other);
    }

private:
    Extents extents_;
    std::optional<KernelTarget> target_;
};

} // namespace sparsight
