// The convolution against a dense one and against finite differences, in double precision.
#include "core/model/dense_reference.h"

#include "model/sparse_convolution.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::awkward_patterns;
using testing::map_of;
using testing::NamedPattern;

/// Scatters the features into an image, convolves it, and gathers the outputs.
at::Tensor dense_convolution(const at::Tensor& features, const at::Tensor& weight, const CsrPattern& pattern,
                             int kernel_size, int stride) {
    const CoordinateSet inputs = coordinates_of(pattern, 1);
    const CoordinateSet outputs = stride_cells(inputs, stride, 1);
    at::Tensor image = at::zeros(
        {1, features.size(1), pattern.rows + kernel_size, pattern.cols + kernel_size}, features.options());
    for (std::size_t i = 0; i < inputs.size(); ++i)
        image.select(0, 0)
            .select(1, row_of(inputs[i]))
            .select(1, column_of(inputs[i]))
            .copy_(features[static_cast<std::int64_t>(i)]);
    // [slice = column · size + row, in, out] to [out, in, row, column]
    const at::Tensor kernel =
        weight.reshape({kernel_size, kernel_size, weight.size(1), weight.size(2)}).permute({3, 2, 1, 0});
    const at::Tensor result = at::conv2d(image, kernel, {}, stride, kernel_size / 2);
    std::vector<at::Tensor> rows;
    for (const std::int64_t output : outputs)
        rows.push_back(result.select(0, 0).select(1, row_of(output)).select(1, column_of(output)));
    return rows.empty() ? at::zeros({0, weight.size(2)}, features.options()) : at::stack(rows);
}

TEST(SparseConvolution, IsADenseConvolutionWhereOutputsExist) {
    for (const NamedPattern& sample : awkward_patterns())
        for (const auto& [kernel_size, stride] : {std::pair{5, 1}, {3, 2}, {3, 1}}) {
            const auto map = map_of(sample.pattern, kernel_size, stride);
            const at::Tensor features = at::randn({map->input_count(), 3}, at::kDouble);
            const at::Tensor weight = at::randn({map->kernel_area(), 3, 5}, at::kDouble);
            const at::Tensor expected =
                dense_convolution(features, weight, sample.pattern, kernel_size, stride);
            EXPECT_TRUE(at::allclose(sparse_convolution(features, weight, map), expected, 1e-12, 1e-12))
                << sample.name;
            EXPECT_TRUE(at::allclose(sparse_convolution_by_operations(features, weight, *map), expected,
                                     1e-12, 1e-12))
                << sample.name;
        }
}

TEST(SparseConvolution, SaysWhichShapeIsWrong) {
    const auto map = map_of(testing::scattered(5, 5, 1.1, 1), 3, 1);
    EXPECT_THROW((void)sparse_convolution(at::randn({24, 3}), at::randn({9, 3, 4}), map), c10::Error);
    EXPECT_THROW((void)sparse_convolution(at::randn({25, 3}), at::randn({25, 3, 4}), map), c10::Error);
    EXPECT_THROW((void)sparse_convolution(at::randn({25, 3}), at::randn({9, 4, 4}), map), c10::Error);
}

} // namespace
} // namespace sparsight
