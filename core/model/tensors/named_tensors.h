// The parameters of a network as one ordered list of tensors with names. Networks are pure functions of such
// a list, so that a training step can be differentiated through: MAML evaluates them at parameters that are
// themselves results of a gradient step.
#pragma once

#include "model/checkpoints/named_arrays.h"

#include <ATen/core/Tensor.h>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// A cheap value: copies share the tensors and the names.
class NamedTensors {
public:
    NamedTensors() = default;
    /// As many tensors as names; names are unique.
    NamedTensors(std::vector<std::string> names, std::vector<at::Tensor> tensors);

    /// Of a name that is there.
    [[nodiscard]] const at::Tensor& operator[](std::string_view name) const;
    [[nodiscard]] std::size_t size() const { return tensors_.size(); }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_->in_order; }
    [[nodiscard]] const std::vector<at::Tensor>& tensors() const { return tensors_; }

    /// Other tensors by the same names.
    [[nodiscard]] NamedTensors with(std::vector<at::Tensor> tensors) const;

private:
    struct Names {
        std::vector<std::string> in_order;
        std::map<std::string, std::size_t, std::less<>> places;
    };

    std::shared_ptr<const Names> names_;
    std::vector<at::Tensor> tensors_;
};

/// New leaves of the autograd graph; float32 on the CPU unless said otherwise.
[[nodiscard]] NamedTensors to_tensors(std::span<const NamedArray> arrays, bool requires_grad = false,
                                      at::ScalarType type = at::kFloat,
                                      at::Device device = at::Device(at::kCPU));

/// Copies of their numbers, as float32.
[[nodiscard]] std::vector<NamedArray> to_arrays(const NamedTensors& tensors);

} // namespace sparsight
