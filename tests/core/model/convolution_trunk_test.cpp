// The fused pass through all layers against the layers one by one.
#include "core/model/dense_reference.h"

#include "model/convolution_trunk.h"
#include "model/torch_part_runner.h"
#include "model/trunk.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <c10/util/Exception.h>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {
namespace {

using testing::awkward_patterns;
using testing::NamedPattern;
using testing::pattern_of;
using testing::scattered;
using torch::autograd::grad;
using torch::autograd::variable_list;

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
    const at::Tensor means = trunk_means(weights, pyramid);
    const at::Tensor exact_means = trunk_means_by_layers(exact_weights, pyramid);
    EXPECT_TRUE(at::allclose(as_double(means), exact_means, 1e-4, 1e-5));
    if (pyramid.coordinate_count() == 0)
        return;
    const variable_list gradients = grad({loss_of(means)}, weights);
    const variable_list exact = grad({loss_of(exact_means)}, exact_weights);
    for (std::size_t layer = 0; layer < exact.size(); ++layer)
        EXPECT_LT(relative_difference(gradients[layer], exact[layer]), 1e-4) << "layer " << layer + 1;
}

TEST(TrunkMeans, AndTheirGradientsAreThoseOfTheLayersOneByOne) {
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

TEST(TrunkMeans, AndTheirGradientsAreThoseOfTheLayersOneByOneWhereCoordinatesFallIntoClasses) {
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

TEST(TrunkMeans, AndTheirGradientsAreZeroForAnEmptyPattern) {
    const ConvolutionPyramid pyramid = build_convolution_pyramid(pattern_of(4, 4, {}), 1);
    const variable_list weights = random_weights(32, at::kFloat);
    const at::Tensor means = trunk_means(weights, pyramid);
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

TEST(TrunkMeans, HaveSecondDerivatives) {
    const ConvolutionPyramid pyramid = build_convolution_pyramid(scattered(40, 40, 0.2, 1), 1);
    const variable_list weights = random_weights(8, at::kFloat);
    const variable_list exact_weights = in_double(weights);
    const variable_list ours = gradients_of_gradient_length(trunk_means(weights, pyramid), weights);
    const variable_list exact =
        gradients_of_gradient_length(trunk_means_by_layers(exact_weights, pyramid), exact_weights);
    for (std::size_t layer = 0; layer < exact.size(); ++layer) {
        EXPECT_GT(exact[layer].norm().item().toDouble(), 0) << layer;
        EXPECT_LT(relative_difference(ours[layer], exact[layer]), 1e-4) << layer;
    }
}

TEST(TrunkMeans, GiveGradientsToThoseWeightsThatWantThem) {
    const ConvolutionPyramid pyramid = build_convolution_pyramid(scattered(40, 40, 0.2, 1), 1);
    variable_list weights = random_weights(8, at::kFloat);
    weights[3] = weights[3].detach();
    const variable_list wanted{weights[0], weights[13]};
    EXPECT_EQ(grad({loss_of(trunk_means(weights, pyramid))}, wanted).size(), 2U);
    EXPECT_EQ(grad({loss_of(trunk_means(weights, pyramid))}, wanted, {}, true, /*create_graph=*/true).size(),
              2U);
}

TEST(TrunkMeans, AreTheSameBitsForAnyNumberOfThreads) {
    for (const CsrPattern& pattern : {scattered(600, 600, 0.1, 1), band(4000, 20)}) {
        const ConvolutionPyramid pyramid = build_convolution_pyramid(pattern, 2);
        const variable_list weights = random_weights(32, at::kFloat);
        const int before = at::get_num_threads();
        std::vector<variable_list> runs;
        for (const int threads : {1, 2, 3}) {
            at::set_num_threads(threads);
            const at::Tensor means = trunk_means(weights, pyramid);
            runs.push_back(grad({loss_of(means)}, weights));
            runs.back().push_back(means.detach());
        }
        at::set_num_threads(before);
        for (std::size_t run = 1; run < runs.size(); ++run)
            for (std::size_t i = 0; i < runs[run].size(); ++i)
                EXPECT_TRUE(at::equal(runs[run][i], runs[0][i])) << run << ", " << i;
    }
}

TEST(TrunkMeans, OfTwoPatternsAtOnceDoNotShareTheirWorkspace) {
    const auto workspaces = std::make_shared<TrunkWorkspaces>();
    const auto pyramid_of = [&](std::uint64_t seed) {
        return build_convolution_pyramid(scattered(50, 50, 0.1, seed), 1, default_coordinate_limit,
                                         workspaces);
    };
    const ConvolutionPyramid one = pyramid_of(1);
    const ConvolutionPyramid other = pyramid_of(2);
    const variable_list weights = random_weights(32, at::kFloat);
    const variable_list alone_one = grad({loss_of(trunk_means(weights, one))}, weights);
    const variable_list alone_other = grad({loss_of(trunk_means(weights, other))}, weights);
    const variable_list together =
        grad({loss_of(trunk_means(weights, one)) + loss_of(trunk_means(weights, other))}, weights);
    for (std::size_t layer = 0; layer < together.size(); ++layer)
        EXPECT_TRUE(at::allclose(together[layer], alone_one[layer] + alone_other[layer], 1e-4, 1e-5))
            << layer;
}

TEST(TrunkMeans, SayWhichWeightDoesNotFit) {
    const ConvolutionPyramid pyramid = build_convolution_pyramid(scattered(9, 9, 0.5, 1), 1);
    variable_list weights = random_weights(8, at::kFloat);
    weights.pop_back();
    EXPECT_THROW((void)trunk_means(weights, pyramid), c10::Error);
    weights.push_back(at::zeros({9, 8, 9}));
    EXPECT_THROW((void)trunk_means(weights, pyramid), c10::Error);
}

TEST(TrunkWorkspaces, LendAWorkspaceAgainOnceItIsBack) {
    TrunkWorkspaces workspaces;
    TrunkWorkspace* first = nullptr;
    {
        const auto one = workspaces.take();
        first = one.get();
        EXPECT_NE(workspaces.take().get(), first);
    }
    const auto again = workspaces.take();
    const auto another = workspaces.take();
    EXPECT_TRUE(again.get() == first || another.get() == first);
}

TEST(Trunk, GivesNearlyTheSameOnEveryInstructionSet) {
    const ConvolutionPyramid pyramid = build_convolution_pyramid(scattered(80, 90, 0.15, 1), 1);
    const variable_list weights = random_weights(32, at::kFloat);
    TrunkWeights pointers{};
    for (std::size_t layer = 0; layer < pointers.size(); ++layer)
        pointers[layer] = weights[layer].data_ptr<float>();
    const at::Tensor expected = trunk_means_by_layers(in_double(weights), pyramid);
    for (const VectorSet set : supported_vector_sets()) {
        TrunkWorkspace workspace;
        const at::Tensor means = at::zeros({14, 32});
        trunk_forward(pyramid, 32, pointers, workspace, means.data_ptr<float>(), set, torch_part_runner());
        EXPECT_TRUE(at::allclose(as_double(means), expected, 1e-4, 1e-5)) << name_of(set);
    }
}

} // namespace
} // namespace sparsight
