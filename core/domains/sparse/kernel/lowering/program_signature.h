// Which SuperSchedules are one program: on matrices of one size and for one processor the generated code, the
// storage of A and the way in which threads share the work are the same. What is measured of such schedules
// differs by noise alone.
#pragma once

#include "domains/sparse/kernel/lowering/loop_nest.h"

#include <string>

namespace sparsight {

/// Equal iff two loop nests are one program, but for the names of variables. Levels of A that change nothing
/// (one coordinate, uncompressed) are left out, both parts of an index that are stored as one are one level,
/// and a chunk larger than its loop is as large as that. The number of threads is none of it.
[[nodiscard]] std::string program_signature(const LoopNest& nest);

/// The same of what a valid schedule lowers to.
[[nodiscard]] std::string program_signature(const SuperSchedule& schedule, const Extents& extents,
                                            const KernelTarget& target);

} // namespace sparsight
