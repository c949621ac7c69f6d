// Which SuperSchedules are one program: on matrices of one size and for one processor the generated code, the
// storage of A and the way in which threads share the work are the same. What is measured of such schedules
// differs by noise alone.
#pragma once

#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "machine/machine_parameters.h"

#include <optional>
#include <string>

namespace sparsight {

/// Equal iff two loop nests are one program, but for the names of variables. Levels of A that change nothing
/// (one coordinate, uncompressed) are left out, both parts of an index that are stored as one are one level,
/// and a chunk larger than its loop is as large as that. The number of threads is none of it.
[[nodiscard]] std::string program_signature(const LoopNest& nest);

/// The same of what a valid schedule lowers to.
[[nodiscard]] std::string program_signature(const SuperSchedule& schedule, const Extents& extents,
                                            const KernelTarget& target);

/// The shape of our kernels on a machine; absent where its kernels are not ours but update C in memory
/// (MachineParameter::Accumulators is 0, as for recorded machines), since it is not known what those fuse.
[[nodiscard]] std::optional<KernelTarget> kernel_target_of(const MachineParameters& machine);

/// Which schedules are one program on a matrix and a machine.
class ProgramIdentity {
public:
    /// Without a target schedules are one program only where they mean the same.
    ProgramIdentity(const Extents& extents, std::optional<KernelTarget> target)
        : extents_(extents)
        , target_(target) {}

    /// Equal iff two valid schedules are one program, whatever their threads.
    [[nodiscard]] std::string of(const SuperSchedule& schedule) const;
    [[nodiscard]] bool are_one(const SuperSchedule& one, const SuperSchedule& other) const {
        return of(one) == of(other);
    }

private:
    Extents extents_;
    std::optional<KernelTarget> target_;
};

} // namespace sparsight
