#include "core/model/dense_reference.h"
#include "model/convolution/convolution_pass.h"
#include "model/convolution/part_runner.h"
#include "model/convolution/sparse_convolution.h"
#include "model/tensors/torch_runtime.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <c10/util/Exception.h>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {

// The convolution against a dense one and against finite differences, in double precision.
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

// First and second derivatives of the convolution: our kernels, LibTorch's operations and finite differences
// agree.
namespace {

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

// The fused pass through all layers against the layers one by one.
namespace {

using testing::pattern_of;

/// Scaled so that the layers neither fade nor explode.
variable_list random_weights(std::int64_t channels, at::ScalarType type) {
    at::manual_seed(1);
    variable_list weights;
    for (int layer = 0; layer < pyramid_layers; ++layer) {
        const std::int64_t area = layer == 0 ? 25 : 9;
        const std::int64_t in = layer == 0 ? 1 : channels;
        weights.push_back(
            (at::randn({area, in, channels}, at::kDouble) * (1.0 / std::sqrt(2.0 * static_cast<double>(in))))
                .to(type)
                .requires_grad_());
    }
    return weights;
}

variable_list in_double(const variable_list& weights) {
    variable_list copies;
    for (const at::Tensor& weight : weights)
        copies.push_back(weight.detach().to(at::kDouble).requires_grad_());
    return copies;
}

at::Tensor as_double(const at::Tensor& tensor) {
    return tensor.detach().to(at::kDouble);
}

/// ‖a − b‖ / ‖b‖, 0 when both are zero.
double relative_difference(const at::Tensor& a, const at::Tensor& b) {
    const double difference = (as_double(a) - as_double(b)).norm().item().toDouble();
    return difference == 0 ? 0 : difference / as_double(b).norm().item().toDouble();
}

/// Not linear in the means, so that second derivatives are not zero.
at::Tensor loss_of(const at::Tensor& means) {
    return (means * means * (means + 1)).sum();
}

/// Compares the means and all gradients with those of the layers one by one in double precision.
void expect_the_layers_one_by_one(const char* name, const ConvolutionPyramid& pyramid,
                                  std::int64_t channels) {
    SCOPED_TRACE(fmt::format("{}, {} channels", name, channels));
    const variable_list weights = random_weights(channels, at::kFloat);
    const variable_list exact_weights = in_double(weights);
    const at::Tensor means = convolution_means(weights, pyramid);
    const at::Tensor exact_means = convolution_means_by_layers(exact_weights, pyramid);
    EXPECT_TRUE(at::allclose(as_double(means), exact_means, 1e-4, 1e-5));
    if (pyramid.coordinate_count() == 0)
        return;
    const variable_list gradients = grad({loss_of(means)}, weights);
    const variable_list exact = grad({loss_of(exact_means)}, exact_weights);
    for (std::size_t layer = 0; layer < exact.size(); ++layer)
        EXPECT_LT(relative_difference(gradients[layer], exact[layer]), 1e-4) << "layer " << layer + 1;
}

TEST(ConvolutionMeans, AndTheirGradientsAreThoseOfTheLayersOneByOne) {
    for (const NamedPattern& sample : awkward_patterns())
        for (const std::int64_t channels : {32, 5}) {
            const ConvolutionPyramid pyramid = build_convolution_pyramid(sample.pattern, 1);
            EXPECT_EQ(pyramid.classes, nullptr) << sample.name;
            expect_the_layers_one_by_one(sample.name, pyramid, channels);
        }
}

/// Places whose distance from the diagonal is at most `half_width`.
CsrPattern band(std::int64_t size, std::int64_t half_width) {
    std::set<testing::Coordinate> coordinates;
    for (std::int64_t row = 0; row < size; ++row)
        for (std::int64_t col = std::max<std::int64_t>(row - half_width, 0);
             col <= std::min(row + half_width, size - 1); ++col)
            coordinates.emplace(row, col);
    return pattern_of(size, size, coordinates);
}

TEST(ConvolutionMeans, AndTheirGradientsAreThoseOfTheLayersOneByOneWhereCoordinatesFallIntoClasses) {
    const std::vector<NamedPattern> samples{{"full", scattered(70, 50, 1.1, 1)},
                                            {"band", band(200, 7)},
                                            {"diagonal", band(500, 0)},
                                            {"points", scattered(700, 800, 0.005, 2)}};
    for (const NamedPattern& sample : samples)
        for (const std::int64_t channels : {32, 5}) {
            const ConvolutionPyramid pyramid = build_convolution_pyramid(sample.pattern, 1);
            ASSERT_NE(pyramid.classes, nullptr) << sample.name;
            expect_the_layers_one_by_one(sample.name, pyramid, channels);
        }
}

TEST(ConvolutionMeans, AndTheirGradientsAreZeroForAnEmptyPattern) {
    const ConvolutionPyramid pyramid = build_convolution_pyramid(pattern_of(4, 4, {}), 1);
    const variable_list weights = random_weights(32, at::kFloat);
    const at::Tensor means = convolution_means(weights, pyramid);
    EXPECT_TRUE(at::equal(means, at::zeros({14, 32})));
    for (const at::Tensor& gradient : grad({loss_of(means)}, weights))
        EXPECT_EQ(gradient.abs().max().item().toDouble(), 0.0);
}

/// The derivative of the length of the gradient, which has second derivatives of the means in it.
variable_list gradients_of_gradient_length(const at::Tensor& means, const variable_list& weights) {
    const variable_list first = grad({loss_of(means)}, weights, {}, true, /*create_graph=*/true);
    at::Tensor length = at::zeros({}, weights.front().options().requires_grad(false));
    for (const at::Tensor& gradient : first)
        length = length + (gradient * gradient).sum();
    return grad({length}, weights);
}

TEST(ConvolutionMeans, HaveSecondDerivatives) {
    const ConvolutionPyramid pyramid = build_convolution_pyramid(scattered(40, 40, 0.2, 1), 1);
    const variable_list weights = random_weights(8, at::kFloat);
    const variable_list exact_weights = in_double(weights);
    const variable_list ours = gradients_of_gradient_length(convolution_means(weights, pyramid), weights);
    const variable_list exact =
        gradients_of_gradient_length(convolution_means_by_layers(exact_weights, pyramid), exact_weights);
    for (std::size_t layer = 0; layer < exact.size(); ++layer) {
        EXPECT_GT(exact[layer].norm().item().toDouble(), 0) << layer;
        EXPECT_LT(relative_difference(ours[layer], exact[layer]), 1e-4) << layer;
    }
}

TEST(ConvolutionMeans, GiveGradientsToThoseWeightsThatWantThem) {
    const ConvolutionPyramid pyramid = build_convolution_pyramid(scattered(40, 40, 0.2, 1), 1);
    variable_list weights = random_weights(8, at::kFloat);
    weights[3] = weights[3].detach();
    const variable_list wanted{weights[0], weights[13]};
    EXPECT_EQ(grad({loss_of(convolution_means(weights, pyramid))}, wanted).size(), 2U);
    EXPECT_EQ(
        grad({loss_of(convolution_means(weights, pyramid))}, wanted, {}, true, /*create_graph=*/true).size(),
        2U);
}

TEST(ConvolutionMeans, AreTheSameBitsForAnyNumberOfThreads) {
    for (const CsrPattern& pattern : {scattered(600, 600, 0.1, 1), band(4000, 20)}) {
        const ConvolutionPyramid pyramid = build_convolution_pyramid(pattern, 2);
        const variable_list weights = random_weights(32, at::kFloat);
        const int before = at::get_num_threads();
        std::vector<variable_list> runs;
        for (const int threads : {1, 2, 3}) {
            at::set_num_threads(threads);
            const at::Tensor means = convolution_means(weights, pyramid);
            runs.push_back(grad({loss_of(means)}, weights));
            runs.back().push_back(means.detach());
        }
        at::set_num_threads(before);
        for (std::size_t run = 1; run < runs.size(); ++run)
            for (std::size_t i = 0; i < runs[run].size(); ++i)
                EXPECT_TRUE(at::equal(runs[run][i], runs[0][i])) << run << ", " << i;
    }
}

TEST(ConvolutionMeans, OfTwoPatternsAtOnceDoNotShareTheirWorkspace) {
    const auto workspaces = std::make_shared<ConvolutionWorkspaces>();
    const auto pyramid_of = [&](std::uint64_t seed) {
        return build_convolution_pyramid(scattered(50, 50, 0.1, seed), 1, default_coordinate_limit,
                                         workspaces);
    };
    const ConvolutionPyramid one = pyramid_of(1);
    const ConvolutionPyramid other = pyramid_of(2);
    const variable_list weights = random_weights(32, at::kFloat);
    const variable_list alone_one = grad({loss_of(convolution_means(weights, one))}, weights);
    const variable_list alone_other = grad({loss_of(convolution_means(weights, other))}, weights);
    const variable_list together = grad(
        {loss_of(convolution_means(weights, one)) + loss_of(convolution_means(weights, other))}, weights);
    for (std::size_t layer = 0; layer < together.size(); ++layer)
        EXPECT_TRUE(at::allclose(together[layer], alone_one[layer] + alone_other[layer], 1e-4, 1e-5))
            << layer;
}

TEST(ConvolutionMeans, SayWhichWeightDoesNotFit) {
    const ConvolutionPyramid pyramid = build_convolution_pyramid(scattered(9, 9, 0.5, 1), 1);
    variable_list weights = random_weights(8, at::kFloat);
    weights.pop_back();
    EXPECT_THROW((void)convolution_means(weights, pyramid), c10::Error);
    weights.push_back(at::zeros({9, 8, 9}));
    EXPECT_THROW((void)convolution_means(weights, pyramid), c10::Error);
}

TEST(ConvolutionWorkspaces, LendAWorkspaceAgainOnceItIsBack) {
    ConvolutionWorkspaces workspaces;
    ConvolutionWorkspace* first = nullptr;
    {
        const auto one = workspaces.take();
        first = one.get();
        EXPECT_NE(workspaces.take().get(), first);
    }
    const auto again = workspaces.take();
    const auto another = workspaces.take();
    EXPECT_TRUE(again.get() == first || another.get() == first);
}

TEST(ConvolutionPass, GivesNearlyTheSameOnEveryInstructionSet) {
    const ConvolutionPyramid pyramid = build_convolution_pyramid(scattered(80, 90, 0.15, 1), 1);
    const variable_list weights = random_weights(32, at::kFloat);
    PassWeights pointers{};
    for (std::size_t layer = 0; layer < pointers.size(); ++layer)
        pointers[layer] = weights[layer].data_ptr<float>();
    const at::Tensor expected = convolution_means_by_layers(in_double(weights), pyramid);
    for (const VectorInstructions set : supported_vector_instructions()) {
        ConvolutionWorkspace workspace;
        const at::Tensor means = at::zeros({14, 32});
        forward_pass(pyramid, 32, pointers, workspace, means.data_ptr<float>(), set, torch_part_runner());
        EXPECT_TRUE(at::allclose(as_double(means), expected, 1e-4, 1e-5)) << name_of(set);
    }
}

} // namespace

// How LibTorch runs in this process.
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(TorchRuntime, SetsTheThreadsAndMeasuresBothRates) {
    const int before = at::get_num_threads();
    const auto runtime = prepare_torch(2);
    ASSERT_TRUE(runtime) << runtime.error().text();
    EXPECT_EQ(runtime->threads, 2);
    EXPECT_EQ(at::get_num_threads(), 2);
    EXPECT_GT(runtime->product_rate.value, 0);
    EXPECT_GT(runtime->kernel_rate.value, 0);
    EXPECT_EQ(runtime->warning, blas_warning(runtime->product_rate, runtime->kernel_rate));
    EXPECT_EQ(prepare_torch(0).value().threads, 1);
    at::set_num_threads(before);
}

TEST(TorchRuntime, WarnsOfASlowBlasAndSaysWhatHelps) {
    EXPECT_THAT(blas_warning(GigaflopsPerSecond{7}, GigaflopsPerSecond{158}),
                AllOf(HasSubstr("7 GFLOP/s"), HasSubstr("158"), HasSubstr("libopenblas0-openmp"),
                      HasSubstr("OPENBLAS_CORETYPE")));
    EXPECT_THAT(blas_warning(GigaflopsPerSecond{32}, GigaflopsPerSecond{158}), HasSubstr("32 GFLOP/s"));
    EXPECT_THAT(blas_warning(GigaflopsPerSecond{85}, GigaflopsPerSecond{158}), IsEmpty());
    EXPECT_THAT(blas_warning(GigaflopsPerSecond{200}, GigaflopsPerSecond{158}), IsEmpty());
}

} // namespace

} // namespace sparsight
