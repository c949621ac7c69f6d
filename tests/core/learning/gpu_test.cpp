// A GPU computes what the processor computes. Where LibTorch finds none, these skip.
#include "domains/sparse/encoder/sparse_learning.h"
#include "learning/training/closed_form.h"
#include "learning/training/example_store.h"
#include "learning/training/learning_method.h"
#include "model/networks/gray_box.h"
#include "model/tensors/torch_runtime.h"
#include "synthetic_tasks.h"

#include <ATen/core/Tensor.h>
#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace sparsight {
namespace {

/// Sums come in another order there.
constexpr double tolerance = 1e-3;

::testing::AssertionResult alike(const at::Tensor& there, const at::Tensor& here) {
    const at::Tensor copied = there.detach().to(at::Device(at::kCPU), at::kDouble);
    const at::Tensor known = here.detach().to(at::kDouble);
    if (copied.sizes() != known.sizes())
        return ::testing::AssertionFailure() << "another shape";
    if (copied.allclose(known, tolerance, tolerance))
        return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "differs by " << copied.sub(known).abs().max().item<double>();
}

class Gpu : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        const auto found = usable_device("cuda");
        if (!found)
            GTEST_SKIP() << found.error().message;
        gpu_ = *found;
    }

    [[nodiscard]] NamedTensors weights(at::Device device) const {
        return to_tensors(draw_weights(encoder_->parameters(), 1), true, at::kFloat, device);
    }
    [[nodiscard]] ExampleStore examples(at::Device device) const {
        return {tasks_, encoder_, 1, default_kept_coordinates, device};
    }

    at::Device gpu_ = at::Device(at::kCPU);
    TaskSet tasks_ = testing::synthetic_tasks(
        std::array<testing::SyntheticMachine, 1>{testing::SyntheticMachine{1, 1}}, 6, 12);
    std::vector<std::size_t> train_{0, 1, 2, 3};
    std::shared_ptr<const Encoder> encoder_ =
        SparseLearning().new_encoder({GetParam(), false, tasks_, train_});
    std::vector<std::size_t> configurations_{0, 1, 2, 3, 4, 5, 6, 7};
};

TEST_P(Gpu, ScoresLikeTheProcessor) {
    ExampleStore there = examples(gpu_);
    ExampleStore here = examples(at::Device(at::kCPU));
    const auto scores = there.scores(weights(gpu_), 0, 0);
    ASSERT_TRUE(scores.has_value()) << scores.error().text();
    EXPECT_EQ(scores->device().type(), gpu_.type());
    EXPECT_TRUE(alike(*scores, here.scores(weights(at::Device(at::kCPU)), 0, 0).value()));
}

TEST_P(Gpu, DifferentiatesEveryLossLikeTheProcessor) {
    ExampleStore there = examples(gpu_);
    ExampleStore here = examples(at::Device(at::kCPU));
    for (const Loss loss : {Loss::PairwiseMargin, Loss::PairwiseLogistic, Loss::ListMle,
                            Loss::LogSquaredError, Loss::TopPairs}) {
        const auto term = there.term(loss, 0, {1, configurations_});
        ASSERT_TRUE(term.has_value()) << term.error().text();
        const Gradient found = gradient({*term}, weights(gpu_));
        const Gradient known =
            gradient({here.term(loss, 0, {1, configurations_}).value()}, weights(at::Device(at::kCPU)));
        EXPECT_NEAR(found.value, known.value, tolerance) << name(loss);
        for (std::size_t p = 0; p < known.tensors.size(); ++p)
            EXPECT_TRUE(alike(found.tensors[p], known.tensors[p]))
                << name(loss) << ": " << encoder_->parameters()[p].tensor.name;
    }
}

TEST_P(Gpu, SolvesForTheHeadLikeTheProcessor) {
    if (encoder_->gray_box() == nullptr)
        GTEST_SKIP() << "only a gray box has such a head";
    ExampleStore there = examples(gpu_);
    ExampleStore here = examples(at::Device(at::kCPU));
    const std::vector<ExampleChoice> support{{0, configurations_}, {2, configurations_}};
    const auto rows = there.linear_terms(0, support);
    ASSERT_TRUE(rows.has_value()) << rows.error().text();
    const NamedTensors found = with_posterior_head(weights(gpu_), *rows);
    const NamedTensors known =
        with_posterior_head(weights(at::Device(at::kCPU)), here.linear_terms(0, support).value());
    EXPECT_TRUE(alike(found[head_weight], known[head_weight]));
    EXPECT_TRUE(alike(found[head_covariance], known[head_covariance]));
}

INSTANTIATE_TEST_SUITE_P(Of, Gpu,
                         ::testing::Values("statistics", "waconet", std::string(gray_box_architecture)),
                         [](const auto& instance) {
                             std::string name = instance.param;
                             std::erase_if(name, [](char letter) { return letter == '-' || letter == ' '; });
                             return name;
                         });

} // namespace
} // namespace sparsight
