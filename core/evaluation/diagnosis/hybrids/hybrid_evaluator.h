// What a hybrid takes: measured on this computer, or simulated on any machine.
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
    /// How far off it may be, but for one time in twenty: about two standard errors
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

    /// Equal for schedules that are one program there, whose times are one, too.
    [[nodiscard]] virtual std::string program(const SuperSchedule& schedule) const = 0;

    /// Of a valid, canonical schedule; asked again, or for the same program, it answers the same, at once.
    /// What can't be built is a time that is absent, no error. Errors: Fault::Cancelled; of the workspace;
    /// this computer is short of memory.
    [[nodiscard]] virtual Result<HybridTime> time(const SuperSchedule& schedule) = 0;
    /// Tells that time() will be asked for these: what can be done for all at once is done now.
    [[nodiscard]] virtual Result<void> prepare(std::span<const SuperSchedule> schedules,
                                               const std::stop_token& stop) = 0;
    /// From now on what takes longer is hopeless: it may be stopped, and its time is then at least what it
    /// ran.
    virtual void set_limit(double milliseconds) { static_cast<void>(milliseconds); }

    /// Whether another measurement of the same says more: simulated times are what they are.
    [[nodiscard]] virtual bool varies() const { return false; }
    /// Measures a schedule once more, whose time() is from then on that of all its turns. The time of this
    /// turn; absent where it has none, or was stopped. Errors: those of time().
    [[nodiscard]] virtual Result<std::optional<Milliseconds>> measure_again(const SuperSchedule& schedule) {
        static_cast<void>(schedule);
        return std::nullopt;
    }
};

// Which schedules are one program on a matrix and a machine, so that no time tells them apart.

/// What our code is shaped for on a machine; absent where its kernels are not ours but such as update C in
/// memory (MachineParameter::Accumulators is 0, as of recorded machines): what those fuse is not known.
[[nodiscard]] std::optional<KernelTarget> kernel_target_of(const MachineParameters& machine);

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
