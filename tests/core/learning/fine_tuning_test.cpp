#include "domains/sparse/encoder/sparse_learning.h"
#include "learning/fine_tuning/shot_curve.h"
#include "learning/training/ranking_report.h"
#include "synthetic_tasks.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>
#include <array>
#include <cmath>
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
        for (std::size_t m = 0; m < tasks_.workloads.size(); ++m)
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
    WorkloadSplit split_;
    NetworkDescription network_;
    FineTuningOptions options_;
};

TEST_F(FineTuning, MakesAModelBetterOnTheNewMachineByEitherRule) {
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    const double before = accuracy(examples, scratch(3).weights);
    for (const FineTuningRule rule : {FineTuningRule::InnerSteps, FineTuningRule::Adam}) {
        options_.rule = rule;
        const auto tuned = fine_tune(examples, 0, split_.train, options_, scratch(3));
        ASSERT_TRUE(tuned.has_value()) << tuned.error().text();
        EXPECT_GT(accuracy(examples, *tuned), before + 0.1) << name(rule);
    }
}

TEST_F(FineTuning, OnNoMatricesLeavesTheWeightsAsTheyAre) {
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    const MetaParameters start = scratch(3);
    const auto tuned = fine_tune(examples, 0, {}, options_, start);
    ASSERT_TRUE(tuned.has_value());
    for (std::size_t p = 0; p < start.weights.size(); ++p)
        EXPECT_TRUE(tuned->tensors()[p].equal(start.weights.tensors()[p]));
}

TEST_F(FineTuning, OfAnilMovesThePredictorAlone) {
    options_.method = Method::Anil;
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
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
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
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
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    EXPECT_THAT(fine_tune(examples, 0, split_.train, options_, scratch(3)).error().text(),
                HasSubstr("fine-tuning diverged in epoch 1 (the loss became no finite number): the rate of "
                          "1e+30 is probably too high"));
}

TEST_F(FineTuning, WhoseLastStepDivergesSaysSo) {
    options_.inner_rate = 1e45; // the loss before the only step is still finite
    options_.epochs = 1;
    const std::array<std::size_t, 1> one{split_.train.front()};
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    const auto tuned = fine_tune(examples, 0, one, options_, scratch(3));
    ASSERT_FALSE(tuned.has_value());
    EXPECT_THAT(tuned.error().text(), HasSubstr("the inner rate of 1e+45 is probably too high"));
}

TEST_F(FineTuning, ReportsWhatLibTorchThrowsAsAnError) {
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
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

class ShotCurve : public FineTuning {
protected:
    [[nodiscard]] ShotContender fresh() const {
        return tuned_network("from scratch", [this](std::uint64_t seed) { return scratch(seed); }, options_);
    }
};

TEST_F(ShotCurve, TellsEachFamilyOfTestMatricesWhereThatIsAsked) {
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    const auto points =
        shot_curve(examples, 0, split_, std::array{fresh()}, {.shots = {0}, .seeds = 2, .by_family = true});
    ASSERT_TRUE(points.has_value()) << points.error().text();
    const ShotPoint& point = points->front();
    ASSERT_EQ(point.families.size(), 2U) << "of each seed";
    int workloads = 0;
    for (const auto& [family, report] : point.families[0])
        workloads += report.workloads;
    EXPECT_EQ(workloads, point.seeds[0].workloads);
    const auto plain = shot_curve(examples, 0, split_, std::array{fresh()}, {.shots = {0}, .seeds = 1});
    EXPECT_TRUE(plain->front().families.empty());
}

TEST_F(ShotCurve, FromAModelOfTheMachineNeedsFewerMatricesThanFromScratch) {
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    const auto known = fine_tune(examples, 0, split_.train, options_, scratch(9));
    ASSERT_TRUE(known.has_value());
    const ShotContender pretrained = tuned_network(
        "pre-trained", [&](std::uint64_t) { return MetaParameters{*known, std::nullopt}; }, options_);
    std::vector<std::pair<std::string, std::size_t>> seen;
    std::vector<std::uint64_t> done;
    const auto points = shot_curve(
        examples, 0, split_, std::array{pretrained, fresh()}, {{0, 2, 100, 200}, 3},
        [&](const ShotPoint& point) { seen.emplace_back(point.contender, point.shots); }, {},
        [&](const Progress& progress) {
            EXPECT_EQ(progress.total, 18U);
            done.push_back(progress.done);
        });
    ASSERT_TRUE(points.has_value()) << points.error().text();
    EXPECT_EQ(seen, (std::vector<std::pair<std::string, std::size_t>>{{"pre-trained", 0},
                                                                      {"from scratch", 0},
                                                                      {"pre-trained", 2},
                                                                      {"from scratch", 2},
                                                                      {"pre-trained", 6},
                                                                      {"from scratch", 6}}))
        << "there are six matrices to learn from, so 200 is no other point than 100";
    EXPECT_EQ(done.size(), 19U);
    EXPECT_EQ(done.back(), 18U);
    const auto mean = [](const ShotPoint& point) {
        return confidence_interval(point, "ordered_pair_accuracy").value().mean;
    };
    EXPECT_GT(mean((*points)[0]), mean((*points)[3])) << "without any matrix against two";
}

TEST_F(ShotCurve, OfTheSameContenderTwiceIsTheSameTwice) {
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    const auto points = shot_curve(examples, 0, split_, std::array{fresh(), fresh()}, {{3}, 2});
    ASSERT_TRUE(points.has_value());
    EXPECT_EQ((*points)[0].seeds, (*points)[1].seeds) << "the seeds draw the same matrices for both";
    EXPECT_NE((*points)[0].seeds[0], (*points)[0].seeds[1]);
}

TEST_F(ShotCurve, StopsWhenAskedAlsoWhileItEvaluates) {
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    std::stop_source source;
    const auto stopped = shot_curve(
        examples, 0, split_, std::array{fresh()}, {{0, 1}, 2},
        [&](const ShotPoint& point) {
            EXPECT_EQ(point.shots, 0U);
            source.request_stop(); // the next fine-tuning has a step to stop before
        },
        source.get_token());
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
    source = {};
    source.request_stop();
    const auto at_once =
        shot_curve(examples, 0, split_, std::array{fresh()}, {{0}, 1}, {}, source.get_token());
    ASSERT_FALSE(at_once.has_value()) << "without a matrix to tune on, the evaluation is what is stopped";
    EXPECT_EQ(at_once.error().fault, Fault::Cancelled);
}

TEST_F(ShotCurve, ReportsWhatAContenderThrowsAsAnError) {
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    const ShotContender broken =
        tuned_network("broken", [](std::uint64_t) -> MetaParameters { throw std::bad_alloc(); }, options_);
    const auto points = shot_curve(examples, 0, split_, std::array{broken}, {{1}, 1});
    ASSERT_FALSE(points.has_value());
    EXPECT_EQ(points.error().fault, Fault::Limit);
}

TEST(ConfidenceInterval, IsStudentsT) {
    const Interval interval = confidence_interval(std::array{1.0, 2.0, 3.0});
    EXPECT_DOUBLE_EQ(interval.mean, 2);
    EXPECT_NEAR(interval.high.value() - interval.mean, 4.303 / std::sqrt(3.0), 1e-12);
    EXPECT_NEAR(interval.mean - interval.low.value(), 4.303 / std::sqrt(3.0), 1e-12);
}

TEST(ConfidenceInterval, OfOneOrTwoValuesIsNotKnown) {
    EXPECT_EQ(confidence_interval(std::array{5.0}), (Interval{5, std::nullopt, std::nullopt}));
    EXPECT_EQ(confidence_interval(std::array{4.0, 6.0}), (Interval{5, std::nullopt, std::nullopt}))
        << "with Student's t of 12.7 it would say nothing";
}

TEST(ConfidenceInterval, EndsWhereTheMetricEnds) {
    ShotPoint point;
    for (const double accuracy : {0.9, 0.99, 0.99}) { // t of three seeds is 4.3: 0.96 ± 0.13
        point.seeds.emplace_back();
        point.seeds.back().ordered_pair_accuracy = accuracy;
        point.seeds.back().kendall_tau = 2 * accuracy - 1;
        point.seeds.back().regret[0] = 1 - accuracy;
    }
    const Interval accuracy = confidence_interval(point, "ordered_pair_accuracy").value();
    EXPECT_EQ(accuracy.high, 1);
    EXPECT_NEAR(*accuracy.low, 0.96 - 4.303 * 0.03, 1e-12) << "what is within stays";
    EXPECT_EQ(confidence_interval(point, "kendall_tau")->high, 1);
    EXPECT_EQ(confidence_interval(point, "regret_at_1")->low, 0);
    EXPECT_GT(confidence_interval(std::array{0.9, 0.99, 0.99}).high, 1) << "of numbers that are no metric";
}

TEST(ConfidenceInterval, OfAMetricIsOverTheSeedsThatHaveIt) {
    ShotPoint point;
    for (const double tau : {0.25, 0.5, 0.75}) {
        point.seeds.emplace_back();
        point.seeds.back().kendall_tau = tau;
    }
    point.seeds.emplace_back();
    EXPECT_EQ(confidence_interval(point, "kendall_tau"),
              confidence_interval(std::array{0.25, 0.5, 0.75}, range_of("kendall_tau")));
    EXPECT_EQ(confidence_interval(point, "speedup_at_1"), std::nullopt);
}

} // namespace
} // namespace sparsight
