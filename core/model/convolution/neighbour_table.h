// The neighbours that each coordinate of a layer has in another layer, in a few bytes each: the compact form
// of a kernel map. Neighbours in one row of the kernel are consecutive in a sorted coordinate set, so the
// index of the first and a bit for each offset determine them all (16 bytes for a 3×3 kernel, against 72 as
// index pairs).
#pragma once

#include "model/convolution/coordinate_set.h"
#include "model/convolution/part_runner.h"
#include "model/vector_instructions.h"

#include <array>
#include <bit>
#include <cstdint>

namespace sparsight {

/// Largest kernel whose offsets fit the 32 bits of a mask.
inline constexpr int max_kernel_size = 5;

/// The neighbours of each of count() centres. Bit `row · kernel_size + column` of a mask stands for the
/// offset (row − kernel_size / 2, column − kernel_size / 2) from the centre; kernel_size is odd.
struct NeighbourTable {
    int kernel_size = 1;
    MapBuffer<std::uint32_t> masks; ///< which neighbours exist
    std::int64_t pair_count = 0;    ///< bits in all masks
    MapBuffer<std::int32_t>
        first; ///< [count, kernel_size]: the first existing neighbour in each row of the kernel

    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(masks.size()); }
};

/// Calls use(bit, neighbour) for every neighbour of `centre`, bits ascending.
template <typename Use>
void for_each_neighbour(const NeighbourTable& table, std::int64_t centre, Use&& use) {
    const std::uint32_t row_mask = (1U << table.kernel_size) - 1;
    const std::int32_t* first = table.first.data() + centre * table.kernel_size;
    std::uint32_t mask = table.masks[static_cast<std::size_t>(centre)];
    for (int row = 0; mask != 0; ++row, mask >>= table.kernel_size) {
        std::int32_t neighbour = first[row];
        for (std::uint32_t rest = mask & row_mask; rest != 0; rest &= rest - 1)
            use(row * table.kernel_size + std::countr_zero(rest), neighbour++);
    }
}

/// The inputs around each output: input = stride · output + offset. Linear: one walk over the inputs for each
/// row of the kernel. Sets hold fewer than 2^31 coordinates. The result does not depend on the vector
/// instructions.
[[nodiscard]] NeighbourTable inputs_of_outputs(const CoordinateSet& inputs, const CoordinateSet& outputs,
                                               int kernel_size, int stride, int threads,
                                               VectorInstructions set = widest_vector_instructions());

/// The same relation from the other side: stride · output = input + offset. Its offsets are those of
/// inputs_of_outputs with the opposite sign: bit b here is bit kernel_size² − 1 − b there.
[[nodiscard]] NeighbourTable outputs_of_inputs(const CoordinateSet& inputs, const CoordinateSet& outputs,
                                               int kernel_size, int stride, int threads);

/// The position in the inputs of each row of the kernel: every input before it lies before the row's
/// leftmost place.
using KernelWalk = std::array<std::int64_t, max_kernel_size>;

/// Fills masks and first of `table` for the centres from `centres.begin` on, as inputs_of_outputs does,
/// moving `walk` along. Each row of the kernel is a window of a sorted coordinate set, read eight
/// coordinates at a time: a subtraction shows how many lie before the window and which are inside, so that
/// scattered coordinates cause almost no branch mispredictions. Stops before the first centre that needs one
/// of the last eight inputs, and returns it; that is centres.begin where `set` or the layer has no such
/// code.
[[nodiscard]] std::int64_t walk_sorted_windows(const CoordinateSet& inputs, const CoordinateSet& outputs,
                                               int stride, CentreRange centres, VectorInstructions set,
                                               KernelWalk& walk, NeighbourTable& table);

} // namespace sparsight
