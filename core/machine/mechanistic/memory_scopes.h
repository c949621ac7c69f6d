// What the parts of a loop nest touch, from the pattern's own reuse: the basis of layer conditions.
//
// A scope is one execution of everything below some loop, of the whole nest, or of a window of a loop's
// iterations. Where what a scope touches fits into a cache, each of its lines is fetched once per scope; so
// the traffic into that cache is that of the outermost scope that fits (Wolf and Lam, PLDI 1991; the layer
// condition of Kerncraft, Hammer et al., 2017).
#pragma once

#include "kernel/storage_size.h"
#include "machine/mechanistic/visited_coordinates.h"
#include "schedule/super_schedule.h"

#include <array>
#include <vector>

namespace sparsight {

inline constexpr double cache_line_bytes = 64;

/// How an operand relates to the threads of a parallel loop.
enum class Sharing : std::uint8_t {
    Divided, ///< each thread touches its own part
    Common,  ///< all may touch all of it
};

/// What all executions of a scope touch of one operand, each line once per execution.
struct OperandVolume {
    double bytes = 0; ///< of whole cache lines; those written count twice, as they are read before
    double segments =
        0; ///< how many far apart pieces it is fetched in, where no prefetcher foresees the next
    Sharing sharing = Sharing::Divided;
};

struct MemoryScope {
    double executions = 1;
    bool inside_parallel = false;            ///< one thread executes it
    std::array<OperandVolume, 4> operands{}; ///< A, B, D, C
};

/// Outermost first; the first is the whole nest, the last one iteration of the innermost loop.
[[nodiscard]] std::vector<MemoryScope> memory_scopes(const SuperSchedule& schedule, const Extents& extents,
                                                     const StorageFormat& storage, const StorageSize& size,
                                                     const VisitedCoordinates& visited);

} // namespace sparsight
