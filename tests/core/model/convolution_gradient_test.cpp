// First and second derivatives of the convolution: our kernels, LibTorch's operations and finite differences
// agree.
#include "core/model/dense_reference.h"

#include "model/convolution_functions.h"
#include "model/sparse_convolution.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <ATen/ops/zeros.h>
#include <functional>
#include <gmock/gmock.h>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {
namespace {

using testing::awkward_patterns;
using testing::map_of;
using testing::NamedPattern;
using testing::scattered;
using torch::autograd::grad;
using torch::autograd::variable_list;

using Convolution = std::function<at::Tensor(const at::Tensor& features, const at::Tensor& weight)>;

/// A loss with non-zero derivatives of every order in both operands.
at::Tensor loss_of(const Convolution& convolve, const at::Tensor& features, const at::Tensor& weight) {
    const at::Tensor out = convolve(features, weight);
    return (out * out * out).sum() + (features * features).sum() * (weight * weight).sum();
}

/// The change of the loss along a direction, as a function that can be differentiated once more.
at::Tensor slope_of(const Convolution& convolve, const at::Tensor& features, const at::Tensor& weight,
                    const at::Tensor& along_features, const at::Tensor& along_weight) {
    const variable_list gradients =
        grad({loss_of(convolve, features, weight)}, {features, weight}, {}, true, /*create_graph=*/true);
    return (gradients[0] * along_features).sum() + (gradients[1] * along_weight).sum();
}

struct Operands {
    at::Tensor features;
    at::Tensor weight;
    at::Tensor along_features;
    at::Tensor along_weight;
};

Operands random_operands(const KernelMap& map, std::int64_t in, std::int64_t out) {
    const at::Tensor features = at::randn({map.input_count(), in}, at::kDouble);
    const at::Tensor weight = at::randn({map.kernel_area(), in, out}, at::kDouble);
    return {features.requires_grad_(), weight.requires_grad_(), at::randn_like(features),
            at::randn_like(weight)};
}

Convolution own_kernels(const std::shared_ptr<const KernelMap>& map) {
    return [map](const at::Tensor& features, const at::Tensor& weight) {
        return convolve_on_cpu(features, weight, map);
    };
}

TEST(ConvolutionGradient, OfFirstAndSecondOrderAgreesWithLibTorchsOperations) {
    for (const NamedPattern& sample : awkward_patterns())
        for (const auto& [kernel_size, stride] : {std::pair{5, 1}, {3, 2}}) {
            const auto map = map_of(sample.pattern, kernel_size, stride);
            const Operands at = random_operands(*map, 3, 4);
            const Convolution operations = [&](const at::Tensor& features, const at::Tensor& weight) {
                return sparse_convolution_by_operations(features, weight, *map);
            };
            variable_list ours;
            variable_list theirs;
            for (auto [convolve, gradients] : {std::pair{own_kernels(map), &ours}, {operations, &theirs}}) {
                *gradients = grad({loss_of(convolve, at.features, at.weight)}, {at.features, at.weight});
                const variable_list second =
                    grad({slope_of(convolve, at.features, at.weight, at.along_features, at.along_weight)},
                         {at.features, at.weight});
                gradients->insert(gradients->end(), second.begin(), second.end());
            }
            ASSERT_EQ(ours.size(), 4U);
            for (std::size_t i = 0; i < ours.size(); ++i)
                EXPECT_TRUE(at::allclose(ours[i], theirs[i], 1e-11, 1e-11))
                    << sample.name << ", gradient " << i;
        }
}

/// (f(+h) − f(−h)) / 2h along the operands' direction.
double central_difference(const Operands& at,
                          const std::function<at::Tensor(const at::Tensor&, const at::Tensor&)>& f) {
    const double h = 1e-5;
    const auto value = [&](double step) {
        return f((at.features + step * at.along_features).detach().requires_grad_(),
                 (at.weight + step * at.along_weight).detach().requires_grad_())
            .item<double>();
    };
    return (value(h) - value(-h)) / (2 * h);
}

TEST(ConvolutionGradient, IsTheLimitOfFiniteDifferences) {
    const auto map = map_of(scattered(9, 8, 0.4, 1), 3, 2);
    const Operands at = random_operands(*map, 2, 3);
    const double slope =
        slope_of(own_kernels(map), at.features, at.weight, at.along_features, at.along_weight).item<double>();
    const double difference =
        central_difference(at, [&](const at::Tensor& features, const at::Tensor& weight) {
            return loss_of(own_kernels(map), features, weight);
        });
    EXPECT_NEAR(slope, difference, 1e-6 * std::abs(slope));
}

TEST(ConvolutionGradient, OfSecondOrderIsTheLimitOfFiniteDifferencesOfTheFirst) {
    const auto map = map_of(scattered(9, 8, 0.4, 2), 3, 2);
    const Operands at = random_operands(*map, 2, 3);
    const at::Tensor toward_features = at::randn_like(at.features);
    const at::Tensor toward_weight = at::randn_like(at.weight);
    const auto slope = [&](const at::Tensor& features, const at::Tensor& weight) {
        return slope_of(own_kernels(map), features, weight, toward_features, toward_weight);
    };
    const variable_list second = grad({slope(at.features, at.weight)}, {at.features, at.weight});
    const double curvature =
        ((second[0] * at.along_features).sum() + (second[1] * at.along_weight).sum()).item<double>();
    EXPECT_NEAR(curvature, central_difference(at, slope), 1e-6 * std::abs(curvature));
}

TEST(ConvolutionGradient, IsTheSameBitsForAnyNumberOfThreads) {
    const auto map = map_of(scattered(400, 400, 0.15, 3), 3, 1);
    const at::Tensor features = at::randn({map->input_count(), 32}).requires_grad_();
    const at::Tensor weight = at::randn({9, 32, 32}).requires_grad_();
    const int before = at::get_num_threads();
    std::vector<variable_list> gradients;
    for (const int threads : {1, 2, 3}) {
        at::set_num_threads(threads);
        const at::Tensor out = sparse_convolution(features, weight, map);
        gradients.push_back(grad({out}, {features, weight}, {out.detach()}));
        gradients.back().push_back(out.detach());
    }
    at::set_num_threads(before);
    for (std::size_t run = 1; run < gradients.size(); ++run)
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_TRUE(at::equal(gradients[run][i], gradients[0][i])) << run << ", " << i;
}

} // namespace
} // namespace sparsight
