#include "model/convolution/convolution_pyramid.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sparsight {

KernelMap::KernelMap(std::shared_ptr<const CoordinateSet> inputs,
                     std::shared_ptr<const CoordinateSet> outputs, int kernel_size, int stride, int threads)
    : inputs_(std::move(inputs))
    , outputs_(std::move(outputs))
    , kernel_size_(kernel_size)
    , stride_(stride)
    , threads_(threads)
    , inputs_of_outputs_(sparsight::inputs_of_outputs(*inputs_, *outputs_, kernel_size, stride, threads)) {}

const NeighbourTable& KernelMap::outputs_of_inputs() const {
    std::call_once(transposed_once_, [this] {
        outputs_of_inputs_ =
            sparsight::outputs_of_inputs(*inputs_, *outputs_, kernel_size_, stride_, threads_);
    });
    return outputs_of_inputs_;
}

std::vector<OffsetPairs> KernelMap::pairs_by_slice() const {
    std::vector<OffsetPairs> pairs(static_cast<std::size_t>(kernel_area()));
    for (std::int64_t output = 0; output < output_count(); ++output)
        for_each_neighbour(inputs_of_outputs_, output, [&](int bit, std::int32_t input) {
            const int slice = weight_slice(bit / kernel_size_, bit % kernel_size_, kernel_size_);
            OffsetPairs& list = pairs[static_cast<std::size_t>(slice)];
            list.inputs.push_back(input);
            list.outputs.push_back(output);
        });
    return pairs;
}

std::shared_ptr<const void> KernelMap::kept(const std::string& name,
                                            const std::function<std::shared_ptr<const void>()>& make) const {
    const std::scoped_lock lock(kept_mutex_);
    std::shared_ptr<const void>& place = kept_[name];
    if (!place)
        place = make();
    return place;
}

namespace {

/// The class of a mask, looked up first where a mask with the same hash was found last.
class ClassIndex {
public:
    explicit ClassIndex(NeighbourhoodClasses& classes)
        : classes_(classes) {}

    std::int32_t of(std::uint32_t mask) {
        std::int32_t& recent = recent_[(mask * 0x9E37'79B1U) >> 24U];
        if (recent < 0 || classes_.table.masks[static_cast<std::size_t>(recent)] != mask)
            recent = found(mask);
        return recent;
    }

private:
    std::int32_t found(std::uint32_t mask) {
        const auto [at, is_new] = index_.try_emplace(mask, static_cast<std::int32_t>(classes_.count()));
        if (is_new) {
            classes_.table.masks.push_back(mask);
            classes_.sizes.push_back(0);
        }
        return at->second;
    }

    NeighbourhoodClasses& classes_;
    std::unordered_map<std::uint32_t, std::int32_t> index_;
    std::vector<std::int32_t> recent_ = std::vector<std::int32_t>(256, -1);
};

} // namespace

std::shared_ptr<const NeighbourhoodClasses> neighbourhood_classes(const NeighbourTable& table,
                                                                  std::int64_t limit) {
    if (table.masks.empty())
        return nullptr;
    auto classes = std::make_shared<NeighbourhoodClasses>();
    classes->table.kernel_size = table.kernel_size;
    classes->of_centre.resize(table.masks.size());
    ClassIndex index(*classes);
    for (std::size_t centre = 0; centre < table.masks.size(); ++centre) {
        const std::int32_t own = index.of(table.masks[centre]);
        if (classes->count() > limit)
            return nullptr;
        ++classes->sizes[static_cast<std::size_t>(own)];
        classes->of_centre[centre] = own;
    }
    return classes;
}

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

ConvolutionPyramid build_convolution_pyramid(const CompressedRowsView& pattern, int threads,
                                             std::int64_t limit,
                                             std::shared_ptr<ConvolutionWorkspaces> workspaces) {
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
