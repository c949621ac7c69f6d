#include "model/sparse_convolution.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/index_add.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <vector>

namespace sparsight {

namespace {

/// A copy of the indices on the device of `like`.
at::Tensor index_tensor(std::vector<std::int64_t>& indices, const at::Tensor& like) {
    const auto count = static_cast<std::int64_t>(indices.size());
    return at::from_blob(indices.data(), {count}, at::TensorOptions(at::kLong))
        .to(like.device(), at::kLong, false, true);
}

} // namespace

at::Tensor sparse_convolution_by_operations(const at::Tensor& features, const at::Tensor& weight,
                                            const KernelMap& map) {
    at::Tensor sum = at::zeros({map.output_count(), weight.size(2)}, features.options());
    std::vector<OffsetPairs> slices = map.pairs_by_slice();
    for (std::size_t slice = 0; slice < slices.size(); ++slice) {
        if (slices[slice].inputs.empty())
            continue;
        const at::Tensor inputs = index_tensor(slices[slice].inputs, features);
        const at::Tensor outputs = index_tensor(slices[slice].outputs, features);
        const at::Tensor products =
            at::mm(at::index_select(features, 0, inputs), weight.select(0, static_cast<std::int64_t>(slice)));
        sum = at::index_add(sum, 0, outputs, products);
    }
    return sum;
}

} // namespace sparsight
