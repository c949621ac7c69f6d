#include "model/sparse_convolution.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_add.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>
#include <memory>
#include <string>
#include <vector>

namespace sparsight {

namespace {

/// The pairs of one weight slice on a device.
struct SliceIndices {
    std::int64_t slice = 0;
    at::Tensor inputs;
    at::Tensor outputs;
};
using MapIndices = std::vector<SliceIndices>;

at::Tensor copied_to(at::Device device, std::vector<std::int64_t>& indices) {
    const auto count = static_cast<std::int64_t>(indices.size());
    return at::from_blob(indices.data(), {count}, at::TensorOptions(at::kLong))
        .to(device, at::kLong, false, true);
}

/// Making them takes longer than a convolution on a fast device, so that they stay with the map.
std::shared_ptr<const MapIndices> indices_on(at::Device device, const KernelMap& map) {
    const auto kept = map.kept("index lists on " + device.str(), [&] {
        auto indices = std::make_shared<MapIndices>();
        std::vector<OffsetPairs> slices = map.pairs_by_slice();
        for (std::size_t slice = 0; slice < slices.size(); ++slice)
            if (!slices[slice].inputs.empty())
                indices->push_back({static_cast<std::int64_t>(slice), copied_to(device, slices[slice].inputs),
                                    copied_to(device, slices[slice].outputs)});
        return indices;
    });
    return std::static_pointer_cast<const MapIndices>(kept);
}

} // namespace

at::Tensor sparse_convolution_by_operations(const at::Tensor& features, const at::Tensor& weight,
                                            const KernelMap& map) {
    at::Tensor sum = at::zeros({map.output_count(), weight.size(2)}, features.options().requires_grad(false));
    const std::shared_ptr<const MapIndices> indices = indices_on(features.device(), map);
    for (const auto& [slice, inputs, outputs] : *indices)
        sum = at::index_add(sum, 0, outputs,
                            at::mm(at::index_select(features, 0, inputs), weight.select(0, slice)));
    return sum;
}

} // namespace sparsight
