#include "model/tensors/named_tensors.h"

#include <ATen/ops/empty.h>
#include <algorithm>
#include <utility>

namespace sparsight {

NamedTensors::NamedTensors(std::vector<std::string> names, std::vector<at::Tensor> tensors)
    : tensors_(std::move(tensors)) {
    auto index = std::make_shared<Names>();
    for (std::size_t i = 0; i < names.size(); ++i)
        index->places.emplace(names[i], i);
    index->in_order = std::move(names);
    names_ = std::move(index);
}

const at::Tensor& NamedTensors::operator[](std::string_view name) const {
    return tensors_[names_->places.find(name)->second];
}

NamedTensors NamedTensors::with(std::vector<at::Tensor> tensors) const {
    NamedTensors other = *this;
    other.tensors_ = std::move(tensors);
    return other;
}

NamedTensors to_tensors(std::span<const NamedArray> arrays, bool requires_grad, at::ScalarType type,
                        at::Device device) {
    std::vector<std::string> names;
    std::vector<at::Tensor> tensors;
    for (const NamedArray& array : arrays) {
        at::Tensor tensor = at::empty(array.shape, at::TensorOptions(at::kFloat));
        std::ranges::copy(array.values, tensor.data_ptr<float>());
        names.push_back(array.name);
        tensors.push_back(tensor.to(device, type).set_requires_grad(requires_grad));
    }
    return {std::move(names), std::move(tensors)};
}

std::vector<NamedArray> to_arrays(const NamedTensors& tensors) {
    std::vector<NamedArray> arrays;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const at::Tensor numbers =
            tensors.tensors()[i].detach().to(at::Device(at::kCPU), at::kFloat).contiguous();
        const float* first = numbers.data_ptr<float>();
        arrays.push_back(
            {tensors.names()[i], numbers.sizes().vec(), std::vector<float>(first, first + numbers.numel())});
    }
    return arrays;
}

} // namespace sparsight
