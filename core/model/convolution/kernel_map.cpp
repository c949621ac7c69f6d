#include "model/convolution/kernel_map.h"

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

} // namespace sparsight
