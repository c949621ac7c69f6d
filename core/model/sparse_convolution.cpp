#include "model/sparse_convolution.h"

#include "model/convolution_functions.h"

#include <c10/util/Exception.h>

namespace sparsight {

at::Tensor sparse_convolution(const at::Tensor& features, const at::Tensor& weight,
                              const std::shared_ptr<const KernelMap>& map) {
    TORCH_CHECK(features.dim() == 2 && features.size(0) == map->input_count(),
                "sparse_convolution: features are ", features.sizes(), ", expected [", map->input_count(),
                ", channels in]");
    TORCH_CHECK(weight.dim() == 3 && weight.size(0) == map->kernel_area() &&
                    weight.size(1) == features.size(1),
                "sparse_convolution: the weight is ", weight.sizes(), ", expected [", map->kernel_area(),
                ", ", features.size(1), ", channels out]");
    TORCH_CHECK(weight.scalar_type() == features.scalar_type() && weight.device() == features.device(),
                "sparse_convolution: features are ", features.toString(), ", the weight is ",
                weight.toString());
    const bool has_kernels = features.scalar_type() == at::kFloat || features.scalar_type() == at::kDouble;
    if (features.is_cpu() && has_kernels)
        return convolve_on_cpu(features, weight, map);
    return sparse_convolution_by_operations(features, weight, *map);
}

} // namespace sparsight
