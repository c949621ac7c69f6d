#include "learning/training/closed_form.h"

#include "model/networks/gray_box.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <cmath>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

namespace sparsight {
namespace {

/// A head of two inputs, and a number that scales the inputs, as a network below it would.
NamedTensors head(double log_precision = 0, double log_noise = 0, double scale = 1) {
    const auto numbers = [](std::vector<double> of) {
        return at::tensor(of, at::kDouble).set_requires_grad(true);
    };
    return NamedTensors({std::string(head_weight), std::string(head_log_precision),
                         std::string(head_log_noise), std::string(head_covariance), "scale"},
                        {numbers({0, 0}), numbers({log_precision, log_precision}), numbers({log_noise}),
                         at::zeros({2, 2}, at::TensorOptions(at::kDouble)), numbers({scale})});
}

at::Tensor column(const std::vector<double>& numbers) {
    return at::tensor(numbers, at::kDouble);
}

/// Three configurations whose residuals are 2 · first input − second input + 7.
LinearTerm exact_rows() {
    return [](const NamedTensors& parameters) {
        const at::Tensor inputs = column({1, 0, 0, 1, 2, 5}).reshape({3, 2}) * parameters["scale"];
        return LinearRows{inputs, column({9, 6, 6}), column({1, 1, 1})};
    };
}

std::vector<double> numbers_of(const at::Tensor& tensor) {
    const at::Tensor whole = tensor.detach().to(at::kDouble).contiguous();
    return {whole.data_ptr<double>(), whole.data_ptr<double>() + whole.numel()};
}

TEST(ClosedForm, WithoutRowsTheHeadIsThatOfThePrior) {
    std::vector<at::Tensor> tensors = head().tensors();
    tensors[0] = column({3, 4});
    const NamedTensors found = with_posterior_head(head().with(tensors), {});
    EXPECT_EQ(numbers_of(found[head_weight]), (std::vector<double>{0, 0})) << "the simulator alone";
    EXPECT_NEAR(numbers_of(found[head_covariance])[0], std::exp(-1), 1e-12);
}

TEST(ClosedForm, FindsTheWeightsWhereThereIsLittleNoise) {
    const auto found = numbers_of(with_posterior_head(head(0, 12), std::vector{exact_rows()})[head_weight]);
    EXPECT_NEAR(found[0], 2, 1e-3);
    EXPECT_NEAR(found[1], -1, 1e-3);
}

// One input, two rows: (Φ, y) centred are ∓(½, 1), of weights ½: ΦᵀVΦ = ¼, ΦᵀVy = ½.
TEST(ClosedForm, IsRidgeRegressionAsComputedByHand) {
    const LinearTerm rows = [](const NamedTensors&) {
        return LinearRows{column({0, 0, 1, 0}).reshape({2, 2}), column({3, 5}), column({1, 1})};
    };
    const NamedTensors found = with_posterior_head(head(), std::vector{rows});
    const double precision = std::exp(1.0);
    const double noise = std::exp(2.5);
    const double variance = 1 / (precision + noise / 4);
    EXPECT_NEAR(numbers_of(found[head_weight])[0], variance * noise / 2, 1e-12);
    EXPECT_NEAR(numbers_of(found[head_weight])[1], 0, 1e-12);
    EXPECT_NEAR(numbers_of(found[head_covariance])[0], variance, 1e-12);
    EXPECT_NEAR(numbers_of(found[head_covariance])[3], 1 / precision, 1e-12) << "nothing was learned of it";
}

TEST(ClosedForm, EachWorkloadCountsTheSameHoweverManyRowsItHas) {
    const auto rows_of = [](std::size_t times) -> LinearTerm {
        return [times](const NamedTensors&) {
            std::vector<double> inputs;
            std::vector<double> residuals;
            for (std::size_t t = 0; t < times; ++t) {
                inputs.insert(inputs.end(), {0, 0, 1, 0});
                residuals.insert(residuals.end(), {3, 5});
            }
            return LinearRows{column(inputs).reshape({-1, 2}), column(residuals),
                              column(std::vector<double>(residuals.size(), 1))};
        };
    };
    EXPECT_NEAR(numbers_of(with_posterior_head(head(), std::vector{rows_of(1)})[head_weight])[0],
                numbers_of(with_posterior_head(head(), std::vector{rows_of(50)})[head_weight])[0], 1e-12);
}

TEST(ClosedForm, MoreWorkloadsLeaveLessDoubt) {
    double last = INFINITY;
    for (const std::size_t workloads : {1U, 2U, 5U}) {
        const std::vector<LinearTerm> support(workloads, exact_rows());
        const double variance = numbers_of(with_posterior_head(head(), support)[head_covariance])[0];
        EXPECT_LT(variance, last);
        last = variance;
    }
}

TEST(ClosedForm, SlowConfigurationsCountLess) {
    EXPECT_EQ(weight_of_slower(1), 1);
    EXPECT_EQ(weight_of_slower(4), 0.5);
}

/// Of a query row behind the solution.
double query_loss(const NamedTensors& parameters) {
    const NamedTensors adapted = with_posterior_head(parameters, std::vector{exact_rows()});
    const at::Tensor error = at::matmul(column({1, 1}) * adapted["scale"], adapted[head_weight]) - 0.3;
    return error.pow(2).item<double>();
}

TEST(ClosedForm, HasTheGradientThatFiniteDifferencesFind) {
    const NamedTensors at = head(0.2, -0.3, 0.8);
    const NamedTensors adapted = with_posterior_head(at, std::vector{exact_rows()});
    const at::Tensor error = at::matmul(column({1, 1}) * adapted["scale"], adapted[head_weight]) - 0.3;
    const auto found = torch::autograd::grad({error.pow(2).sum()},
                                             {at[head_log_precision], at[head_log_noise], at["scale"]});
    constexpr double step = 1e-6;
    const auto difference = [&](double precision, double noise, double scale) {
        return (query_loss(head(0.2 + precision, -0.3 + noise, 0.8 + scale)) -
                query_loss(head(0.2 - precision, -0.3 - noise, 0.8 - scale))) /
               (2 * step);
    };
    EXPECT_NEAR(found[0].sum().item<double>(), difference(step, 0, 0), 1e-6);
    EXPECT_NEAR(found[1].item<double>(), difference(0, step, 0), 1e-6);
    EXPECT_NEAR(found[2].item<double>(), difference(0, 0, step), 1e-6);
}

} // namespace
} // namespace sparsight
