// The kernel maps of WACONet's convolutions for one pattern, which depend only on its sparsity and are built
// once, and the classes of coordinates that have the same neighbours.
#pragma once

#include "base/memory.h"
#include "model/convolution/coordinate_set.h"
#include "model/convolution/neighbour_table.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sparsight {

/// Where in a weight [kernel area, channels in, channels out] the matrix of an offset lies. Row and column
/// count from 0 at the offset (−half, −half). MinkowskiEngine steps through a region with the first axis,
/// here the row, as the fastest (src/kernel_region.hpp, kernel_region_iterator::operator++); published
/// weights depend on it.
[[nodiscard]] constexpr int weight_slice(int row, int column, int kernel_size) {
    return column * kernel_size + row;
}

/// The index pairs of one weight slice, outputs ascending.
struct OffsetPairs {
    std::vector<std::int64_t> inputs;
    std::vector<std::int64_t> outputs;
};

/// The relation input = stride · output + offset of one layer. Immutable; may be shared by threads.
class KernelMap {
public:
    /// `kernel_size` is odd and at most max_kernel_size, `stride` ≥ 1; outputs = stride_cells(inputs,
    /// stride).
    KernelMap(std::shared_ptr<const CoordinateSet> inputs, std::shared_ptr<const CoordinateSet> outputs,
              int kernel_size, int stride, int threads);

    [[nodiscard]] int kernel_size() const { return kernel_size_; }
    [[nodiscard]] int kernel_area() const { return kernel_size_ * kernel_size_; }
    [[nodiscard]] int stride() const { return stride_; }
    [[nodiscard]] const CoordinateSet& inputs() const { return *inputs_; }
    [[nodiscard]] const CoordinateSet& outputs() const { return *outputs_; }
    [[nodiscard]] std::int64_t input_count() const { return static_cast<std::int64_t>(inputs_->size()); }
    [[nodiscard]] std::int64_t output_count() const { return static_cast<std::int64_t>(outputs_->size()); }
    /// Products of an input row with a weight matrix in one convolution.
    [[nodiscard]] std::int64_t pair_count() const { return inputs_of_outputs_.pair_count; }

    [[nodiscard]] const NeighbourTable& inputs_of_outputs() const { return inputs_of_outputs_; }
    /// Made when it is first asked for: only the gradient of the input needs it.
    [[nodiscard]] const NeighbourTable& outputs_of_inputs() const;

    /// One entry for each weight slice: 16 bytes a pair, for devices that work on index lists.
    [[nodiscard]] std::vector<OffsetPairs> pairs_by_slice() const;

    /// What others derive from the map and keep with it, such as its index lists on a device: made when it is
    /// first asked for by that name.
    [[nodiscard]] std::shared_ptr<const void>
    kept(const std::string& name, const std::function<std::shared_ptr<const void>()>& make) const;

private:
    std::shared_ptr<const CoordinateSet> inputs_;
    std::shared_ptr<const CoordinateSet> outputs_;
    int kernel_size_;
    int stride_;
    int threads_;
    NeighbourTable inputs_of_outputs_;
    mutable std::once_flag transposed_once_;
    mutable NeighbourTable outputs_of_inputs_;
    mutable std::mutex kept_mutex_;
    mutable std::map<std::string, std::shared_ptr<const void>> kept_;
};

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
