#include "learning/common_state.h"

#include "model/torch_errors.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <cstring>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

std::vector<NamedShape> shapes_of(const NamedTensors& weights) {
    std::vector<NamedShape> shapes;
    for (std::size_t p = 0; p < weights.size(); ++p)
        shapes.push_back({weights.names()[p], weights.tensors()[p].sizes().vec()});
    return shapes;
}

/// A sum to which the others add zeros.
at::Tensor from_first(const ProcessGroup& group, at::Tensor numbers) {
    std::vector<at::Tensor> message{std::move(numbers)};
    group.add_up(message);
    return message.front();
}

} // namespace

Result<TrainingState> common_state(const ProcessGroup& group, TrainingState mine) {
    if (group.count() == 1)
        return mine;
    return guarded([&]() -> Result<TrainingState> {
        const bool is_first = group.rank() == 0;
        std::vector<std::byte> bytes = is_first ? training_state_bytes(mine) : std::vector<std::byte>();
        const at::Tensor size = from_first(group, at::tensor({static_cast<std::int64_t>(bytes.size())}));
        at::Tensor content = at::zeros({size.item<std::int64_t>()}, at::TensorOptions(at::kByte));
        if (is_first)
            std::memcpy(content.data_ptr(), bytes.data(), bytes.size());
        content = from_first(group, std::move(content));
        if (is_first)
            return mine;
        bytes.resize(static_cast<std::size_t>(content.numel()));
        std::memcpy(bytes.data(), content.data_ptr(), bytes.size());
        const NamedTensors& weights = mine.parameters.weights;
        return parse_training_state(bytes, mine.method, shapes_of(weights),
                                    weights.tensors().front().device());
    });
}

} // namespace sparsight
