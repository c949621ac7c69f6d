// The sparse convolution as a differentiable operation on our own kernels. It is bilinear, so it and its two
// gradients are closed under differentiation: three Functions serve every order.
//
//   forward          out[o] = Σ f[i] · W[k]        its gradients: by f the input gradient, by W the weight
//   gradient input gradient   u[i] = Σ g[o] · W[k]ᵀ         its gradients: by g the forward, by W the weight
//   gradient weight gradient  V[k] = Σ f[i]ᵀ · g[o]         its gradients: by f the input gradient, by g the
//   forward
#pragma once

#include "model/kernel_map.h"
#include "model/vector_set.h"

#include <ATen/core/Tensor.h>
#include <memory>

namespace sparsight {

/// As sparse_convolution(), for single and double precision on the CPU.
[[nodiscard]] at::Tensor convolve_on_cpu(const at::Tensor& features, const at::Tensor& weight,
                                         const std::shared_ptr<const KernelMap>& map,
                                         VectorSet set = widest_vector_set());

} // namespace sparsight
