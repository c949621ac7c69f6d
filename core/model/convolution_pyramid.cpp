#include "model/convolution_pyramid.h"

#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

struct LayerShape {
    int kernel_size;
    int stride;
};

constexpr LayerShape layer_shape(int layer) {
    return layer == 0 ? LayerShape{5, 1} : LayerShape{3, 2};
}

/// Few enough that the products of every class with every matrix of the second layer stay in the second
/// cache, and that making them costs little beside the coordinates.
constexpr std::int64_t class_limit(std::int64_t coordinates) {
    return std::min<std::int64_t>(1024, coordinates / 32);
}

} // namespace

ConvolutionPyramid build_convolution_pyramid(const CsrPattern& pattern, int threads, std::int64_t limit,
                                             std::shared_ptr<TrunkWorkspaces> workspaces) {
    ConvolutionPyramid pyramid;
    pyramid.workspaces = std::move(workspaces);
    CoordinateSet finest = coordinates_of(pattern, threads);
    while (static_cast<std::int64_t>(finest.size()) > limit) {
        finest = stride_cells(finest, 2, threads);
        ++pyramid.halvings;
    }
    auto inputs = std::make_shared<const CoordinateSet>(std::move(finest));
    for (int layer = 0; layer < pyramid_layers; ++layer) {
        const auto [kernel_size, stride] = layer_shape(layer);
        auto outputs = stride == 1
                           ? inputs
                           : std::make_shared<const CoordinateSet>(stride_cells(*inputs, stride, threads));
        pyramid.maps.push_back(
            std::make_shared<const KernelMap>(std::move(inputs), outputs, kernel_size, stride, threads));
        inputs = std::move(outputs);
    }
    pyramid.classes = neighbourhood_classes(pyramid.maps.front()->inputs_of_outputs(),
                                            class_limit(pyramid.coordinate_count()));
    return pyramid;
}

} // namespace sparsight
