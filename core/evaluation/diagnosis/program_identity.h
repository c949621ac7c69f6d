// Which schedules are one program on a matrix and a machine, so that no time tells them apart.
#pragma once

#include "kernel/kernel_target.h"
#include "machine/machine_parameters.h"
#include "schedule/super_schedule.h"

#include <optional>
#include <string>

namespace sparsight {

/// What our code is shaped for on a machine; absent where its kernels are not ours but such as update C in
/// memory (MachineParameter::Accumulators is 0, as of recorded machines): what those fuse is not known.
[[nodiscard]] std::optional<KernelTarget> kernel_target_of(const MachineParameters& machine);

class ProgramIdentity {
public:
    /// Without a target schedules are one program only where they mean the same.
    ProgramIdentity(const Extents& extents, std::optional<KernelTarget> target)
        : extents_(extents)
        , target_(target) {}

    /// Equal iff two valid schedules are one program, whatever their threads (kernel/program_signature.h).
    [[nodiscard]] std::string of(const SuperSchedule& schedule) const;
    [[nodiscard]] bool are_one(const SuperSchedule& one, const SuperSchedule& other) const {
        return of(one) == of(other);
    }

private:
    Extents extents_;
    std::optional<KernelTarget> target_;
};

} // namespace sparsight
