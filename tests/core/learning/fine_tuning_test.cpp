#include "learning/fine_tuning.h"

#include "learning/ranking_report.h"
#include "model/network_parameters.h"
#include "synthetic_tasks.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using testing::SyntheticMachine;

class FineTuning : public ::testing::Test {
protected:
    FineTuning() {
        network_.architecture = Architecture::StatisticsNet;
        network_.schedules = schedule_layout(Operator::SpMM, ScheduleTables::Full);
        for (std::size_t m = 0; m < tasks_.matrices.size(); ++m)
            (m % 2 == 0 ? split_.train : split_.test).push_back(m);
        network_.standardisation = standardise(network_.architecture, tasks_, split_.train);
        options_.loss = Loss::PairwiseLogistic;
        options_.rule = FineTuningRule::InnerSteps;
        options_.epochs = 5;
        options_.inner_rate = 0.05;
    }

    [[nodiscard]] MetaParameters scratch(std::uint64_t seed) const {
        return {to_tensors(initial_weights(network_, seed), true), std::nullopt};
    }
    [[nodiscard]] double accuracy(ExampleStore& examples, const NamedTensors& weights) const {
        return report_ranking(examples, weights, options_.loss, 0, split_.test)
            ->ordered_pair_accuracy.value();
    }

    TaskSet tasks_ =
        testing::synthetic_tasks(std::array<SyntheticMachine, 1>{SyntheticMachine{1, 1}}, 12, 24);
    MatrixSplit split_;
    NetworkDescription network_;
    FineTuningOptions options_;
};

TEST_F(FineTuning, MakesAModelBetterOnTheNewMachineByEitherRule) {
    ExampleStore examples(tasks_, network_, 1);
    const double before = accuracy(examples, scratch(3).weights);
    for (const FineTuningRule rule : {FineTuningRule::InnerSteps, FineTuningRule::Adam}) {
        options_.rule = rule;
        const auto tuned = fine_tune(examples, 0, split_.train, options_, scratch(3));
        ASSERT_TRUE(tuned.has_value()) << tuned.error().text();
        EXPECT_GT(accuracy(examples, *tuned), before + 0.1) << name(rule);
    }
}

TEST_F(FineTuning, OnNoMatricesLeavesTheWeightsAsTheyAre) {
    ExampleStore examples(tasks_, network_, 1);
    const MetaParameters start = scratch(3);
    const auto tuned = fine_tune(examples, 0, {}, options_, start);
    ASSERT_TRUE(tuned.has_value());
    for (std::size_t p = 0; p < start.weights.size(); ++p)
        EXPECT_TRUE(tuned->tensors()[p].equal(start.weights.tensors()[p]));
}

TEST_F(FineTuning, OfAnilMovesThePredictorAlone) {
    options_.method = Method::Anil;
    ExampleStore examples(tasks_, network_, 1);
    const MetaParameters start = scratch(3);
    const auto tuned = fine_tune(examples, 0, split_.train, options_, start);
    ASSERT_TRUE(tuned.has_value());
    for (std::size_t p = 0; p < start.weights.size(); ++p)
        if (!start.weights.names()[p].starts_with("final.")) {
            EXPECT_TRUE(tuned->tensors()[p].equal(start.weights.tensors()[p])) << start.weights.names()[p];
        }
    EXPECT_FALSE((*tuned)["final.0.weight"].equal(start.weights["final.0.weight"]));
}

TEST_F(FineTuning, IsTheSameForASeedAndStopsWhenAsked) {
    ExampleStore examples(tasks_, network_, 1);
    const auto one = fine_tune(examples, 0, split_.train, options_, scratch(3));
    const auto other = fine_tune(examples, 0, split_.train, options_, scratch(3));
    for (std::size_t p = 0; p < one->size(); ++p)
        EXPECT_TRUE(one->tensors()[p].equal(other->tensors()[p]));
    std::stop_source source;
    int epochs = 0;
    const auto stopped = fine_tune(
        examples, 0, split_.train, options_, scratch(3),
        [&](int, double) {
            ++epochs;
            source.request_stop();
        },
        source.get_token());
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
    EXPECT_EQ(epochs, 1);
}

TEST_F(FineTuning, ThatDivergesSaysSo) {
    options_.rule = FineTuningRule::Adam;
    options_.adam_rate = 1e30;
    ExampleStore examples(tasks_, network_, 1);
    EXPECT_THAT(fine_tune(examples, 0, split_.train, options_, scratch(3)).error().text(),
                HasSubstr("fine-tuning diverged in epoch 1 (the loss became no finite number): the rate of "
                          "1e+30 is probably too high"));
}

TEST_F(FineTuning, WhoseLastStepDivergesSaysSo) {
    options_.inner_rate = 1e45; // the loss before the only step is still finite
    options_.epochs = 1;
    const std::array<std::size_t, 1> one{split_.train.front()};
    ExampleStore examples(tasks_, network_, 1);
    const auto tuned = fine_tune(examples, 0, one, options_, scratch(3));
    ASSERT_FALSE(tuned.has_value());
    EXPECT_THAT(tuned.error().text(), HasSubstr("the inner rate of 1e+45 is probably too high"));
}

TEST_F(FineTuning, ReportsWhatLibTorchThrowsAsAnError) {
    ExampleStore examples(tasks_, network_, 1);
    const MetaParameters wrong_shapes = [&] {
        MetaParameters start = scratch(3);
        std::vector<at::Tensor> tensors = start.weights.tensors();
        tensors.back() = at::zeros({7, 7}).set_requires_grad(true);
        start.weights = start.weights.with(tensors);
        return start;
    }();
    const auto tuned = fine_tune(examples, 0, split_.train, options_, wrong_shapes);
    ASSERT_FALSE(tuned.has_value());
    EXPECT_EQ(tuned.error().fault, Fault::Internal);
    EXPECT_THAT(tuned.error().text(), HasSubstr("LibTorch: "));
}

} // namespace
} // namespace sparsight
