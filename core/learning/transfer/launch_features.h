// What the decisions of a GPU kernel mean on a machine: threads, shared memory and the share of a
// multiprocessor that is busy. Decisions and data sheets apart tell a model little of a machine that it never
// saw, as it has only seen few sheets. Their ratios mean the same on every machine.
#pragma once

#include "learning/transfer/machine_likeness.h"
#include "learning/transfer/timed_space.h"

#include <array>
#include <cstddef>
#include <vector>

namespace sparsight {

/// What one configuration launches.
struct Launch {
    double threads = 1; ///< of a block
    double work = 1;    ///< results of a thread
    double shared = 0;  ///< bytes of shared memory of a block, without the rim of a stencil
};

/// Of each configuration, by the names that Kernel Tuner's examples (block_size_x, tile_size_x, use_shmem)
/// and CLBlast (MWG, MDIMC, SA …) give their decisions. Empty where there are no such decisions.
[[nodiscard]] std::vector<Launch> launches_of(const TimedSpace& space);

inline constexpr std::size_t launch_feature_count = 7;
/// Threads and work; shared memory over that of a multiprocessor; the share of its last warp that a block
/// fills; the blocks that a multiprocessor holds, and the share of its threads that they are (occupancy, as
/// in NVIDIA's CUDA occupancy calculator); the logarithm of the work that the whole machine holds. A fact
/// that the sheet does not say is that of usual GPUs.
[[nodiscard]] std::array<float, launch_feature_count> launch_features(const Launch& launch,
                                                                      const MachineSheet& sheet);

} // namespace sparsight
