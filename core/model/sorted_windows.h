// The rows of a kernel around one output after the other, each a window of a sorted coordinate set, eight
// coordinates at a time: how many lie before the window and which are inside are both seen by a subtraction,
// so that scattered coordinates give the processor next to nothing to guess.
#pragma once

#include "model/coordinate_set.h"
#include "model/neighbour_table.h"
#include "model/part_runner.h"
#include "model/vector_set.h"

#include <array>
#include <cstdint>

namespace sparsight {

/// Where in the inputs each row of the kernel is: no input before it lies at or after the row's leftmost
/// place.
using KernelWalk = std::array<std::int64_t, max_kernel_size>;

/// Fills masks and first of `table` for the centres from `centres.begin` on, as inputs_of_outputs does,
/// moving `walk` along. Stops before the first centre that needs one of the last eight inputs, and returns
/// it; that is centres.begin where `set` or the layer has no such code.
[[nodiscard]] std::int64_t walk_sorted_windows(const CoordinateSet& inputs, const CoordinateSet& outputs,
                                               int stride, CentreRange centres, VectorSet set,
                                               KernelWalk& walk, NeighbourTable& table);

} // namespace sparsight
