// The kernel maps of WACONet's convolutions for one pattern, which depend only on its sparsity and are built
// once, and the classes of coordinates that have the same neighbours.
#pragma once

#include "base/memory.h"
#include "model/convolution/coordinate_set.h"
#include "model/convolution/kernel_map.h"
#include "model/convolution/neighbour_table.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sparsight {

class ConvolutionWorkspaces;

/// Coordinates that have the same neighbours. A layer whose input is 1 everywhere gives all coordinates of a
/// class the same output, and bands, blocks and scattered points have a few dozen classes among a million
/// coordinates.
struct NeighbourhoodClasses {
    NeighbourTable
        table; ///< which neighbours a class has, in the order of their first coordinates; masks only
    std::vector<std::int64_t> sizes; ///< number of coordinates of each class
    IndexBuffer of_centre;           ///< the class of each coordinate

    [[nodiscard]] std::int64_t count() const { return table.count(); }
};

/// nullptr when there are more classes than `limit`, or no coordinates.
[[nodiscard]] std::shared_ptr<const NeighbourhoodClasses> neighbourhood_classes(const NeighbourTable& table,
                                                                                std::int64_t limit);

/// Above this number of coordinates a pattern is coarsened: training on 2 million scattered coordinates, the
/// worst case, takes 3 GiB.
inline constexpr std::int64_t default_coordinate_limit = 2'000'000;

/// WACONet has one 5×5 convolution of stride 1 and then 13 of 3×3 and stride 2.
inline constexpr int pyramid_layers = 14;

struct ConvolutionPyramid {
    std::vector<std::shared_ptr<const KernelMap>>
        maps; ///< pyramid_layers; each one's outputs are the next one's inputs
    /// How often the coordinates were halved before the first layer, as the pattern had more than the limit:
    /// 0 when the network sees the pattern itself.
    int halvings = 0;
    /// Of the coordinates, by their neighbours in the first layer; nullptr when there are too many to be of
    /// use.
    std::shared_ptr<const NeighbourhoodClasses> classes;
    /// The source of the memory for passes through the pyramid; nullptr: the system each time.
    std::shared_ptr<ConvolutionWorkspaces> workspaces;

    [[nodiscard]] std::int64_t coordinate_count() const { return maps.front()->input_count(); }
};

/// Linear in the non-zeros. `limit` ≥ 1. Pyramids that are used one after the other should share workspaces.
[[nodiscard]] ConvolutionPyramid
build_convolution_pyramid(const CompressedRowsView& pattern, int threads,
                          std::int64_t limit = default_coordinate_limit,
                          std::shared_ptr<ConvolutionWorkspaces> workspaces = nullptr);

} // namespace sparsight
