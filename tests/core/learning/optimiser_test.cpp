#include "learning/optimiser.h"

#include <ATen/ops/tensor.h>
#include <cmath>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

NamedTensors one_parameter(double value) {
    return NamedTensors({"w"}, {at::tensor({value}, at::kDouble)});
}

/// The moments written out for one number (Kingma and Ba 2015, algorithm 1).
double adam_by_hand(double weight, const std::vector<double>& gradients, double rate, double decay) {
    double first = 0;
    double second = 0;
    for (std::size_t t = 1; t <= gradients.size(); ++t) {
        const double g = gradients[t - 1];
        first = 0.9 * first + 0.1 * g;
        second = 0.999 * second + 0.001 * g * g;
        const double unbiased_first = first / (1 - std::pow(0.9, static_cast<double>(t)));
        const double unbiased_second = second / (1 - std::pow(0.999, static_cast<double>(t)));
        weight = weight * (1 - rate * decay) - rate * unbiased_first / (std::sqrt(unbiased_second) + 1e-8);
    }
    return weight;
}

TEST(Adam, StepsAsThePaperSays) {
    for (const double decay : {0.0, 0.1}) {
        AdamOptions options;
        options.weight_decay = decay;
        NamedTensors weights = one_parameter(2);
        AdamState state = initial_adam(weights);
        const std::vector<double> gradients{0.5, -3, 0.25, 0};
        for (const double g : gradients) {
            AdamStep step =
                adam_step(options, 0.01, weights, std::vector{at::tensor({g}, at::kDouble)}, state);
            weights = step.parameters;
            state = step.state;
        }
        EXPECT_NEAR(weights["w"].item<double>(), adam_by_hand(2, gradients, 0.01, decay), 1e-12);
        EXPECT_TRUE(weights["w"].requires_grad());
        EXPECT_TRUE(weights["w"].is_leaf());
    }
}

TEST(Adam, LeavesItsArgumentsAlone) {
    const NamedTensors weights = one_parameter(2);
    const AdamState state = initial_adam(weights);
    const AdamStep step = adam_step({}, 0.1, weights, std::vector{at::tensor({1.0}, at::kDouble)}, state);
    EXPECT_EQ(weights["w"].item<double>(), 2);
    EXPECT_EQ(state.first[0].item<double>(), 0);
    EXPECT_EQ(state.steps, 0);
    EXPECT_EQ(step.state.steps, 1);
}

TEST(ClippedGradients, KeepTheirDirection) {
    std::vector<at::Tensor> gradients{at::tensor({3.0, 0.0}, at::kDouble), at::tensor({4.0}, at::kDouble)};
    EXPECT_DOUBLE_EQ(clip_gradients(gradients, 10), 5) << "short enough";
    EXPECT_DOUBLE_EQ(gradients[1].item<double>(), 4);
    EXPECT_DOUBLE_EQ(clip_gradients(gradients, 1), 5);
    EXPECT_NEAR(gradients[0][0].item<double>(), 0.6, 1e-15);
    EXPECT_NEAR(gradients[1].item<double>(), 0.8, 1e-15);
    EXPECT_DOUBLE_EQ(clip_gradients(gradients, 0), 1) << "0: never";
}

} // namespace
} // namespace sparsight
