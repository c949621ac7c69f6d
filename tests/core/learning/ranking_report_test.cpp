#include "domains/sparse/encoder/sparse_learning.h"
#include "learning/training/learning_method.h"
#include "learning/training/ranking_report.h"
#include "learning/training/tree_training.h"
#include "synthetic_tasks.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numeric>
#include <string>

namespace sparsight {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::Optional;
using testing::SyntheticMachine;

constexpr Loss loss = Loss::PairwiseLogistic;

class RankingReports : public ::testing::Test {
protected:
    RankingReports() {
        network_.architecture = Architecture::StatisticsNet;
        network_.schedules = schedule_layout(Operator::SpMM, ScheduleTables::Full);
        network_.standardisation = standardise(network_.architecture, tasks_, all_);
    }

    [[nodiscard]] NamedTensors weights() const { return to_tensors(initial_weights(network_, 3)); }
    /// All schedules are equally good to it.
    [[nodiscard]] NamedTensors indifferent() const {
        const NamedTensors like = weights();
        std::vector<at::Tensor> zeros;
        for (const at::Tensor& tensor : like.tensors())
            zeros.push_back(at::zeros_like(tensor));
        return like.with(std::move(zeros));
    }
    [[nodiscard]] RankingReport report(const NamedTensors& of, const std::vector<std::size_t>& matrices) {
        ExampleStore examples(tasks_, sparse_encoder(network_), 1);
        return report_ranking(examples, of, loss, 0, matrices).value();
    }
    [[nodiscard]] WorkloadRuntimes& runtimes(std::size_t matrix) { return tasks_.tasks[0].runtimes[matrix]; }
    void forget_fixed_csr(std::size_t matrix) {
        WorkloadRuntimes& of = runtimes(matrix);
        const auto place = static_cast<std::ptrdiff_t>(*of.baseline);
        of.configurations.erase(of.configurations.begin() + place);
        of.milliseconds.erase(of.milliseconds.begin() + place);
        of.baseline.reset();
    }
    [[nodiscard]] double fixed_csr_time(std::size_t matrix) {
        const WorkloadRuntimes& of = runtimes(matrix);
        return of.milliseconds[*of.baseline];
    }

    std::vector<std::size_t> all_{0, 1, 2, 3, 4, 5};
    TaskSet tasks_ = testing::synthetic_tasks(std::array<SyntheticMachine, 1>{SyntheticMachine{1, 1}}, 6, 30);
    NetworkDescription network_;
};

TEST_F(RankingReports, AreWhatTheDefinitionsSay) {
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    PairCounts pairs;
    double accuracy = 0;
    double tau = 0;
    std::array<double, 3> regret{};
    std::array<double, 3> log_speedup{};
    for (std::size_t matrix = 0; matrix < 6; ++matrix) {
        const at::Tensor found = examples.scores(weights(), 0, matrix).value().contiguous();
        const std::span<const float> scores(found.data_ptr<float>(), 31);
        const WorkloadRuntimes& of = runtimes(matrix);
        pairs += count_pairs(scores, of.milliseconds);
        accuracy += ordered_pair_accuracy(count_pairs(scores, of.milliseconds)).value() / 6;
        tau += kendall_tau_b(count_pairs(scores, of.milliseconds)).value() / 6;
        std::vector<std::size_t> order(31);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::sort(order, {}, [&](std::size_t s) { return scores[s]; });
        const double best = std::ranges::min(of.milliseconds);
        const double fixed = fixed_csr_time(matrix);
        for (std::size_t k = 0; k < 3; ++k) {
            double answer = std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < top_counts[k]; ++i)
                answer = std::min(answer, of.milliseconds[order[i]]);
            regret[k] += (answer / best - 1) / 6;
            log_speedup[k] += std::log(fixed / answer) / 6;
        }
    }
    const RankingReport of_all = report_ranking(examples, weights(), loss, 0, all_).value();
    EXPECT_EQ(of_all.workloads, 6);
    EXPECT_EQ(of_all.counts.pairs, pairs);
    EXPECT_THAT(of_all.ordered_pair_accuracy, Optional(DoubleNear(accuracy, 1e-12)));
    EXPECT_THAT(of_all.kendall_tau, Optional(DoubleNear(tau, 1e-12)));
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_THAT(of_all.regret[k], Optional(DoubleNear(regret[k], 1e-12)));
        EXPECT_THAT(of_all.speedup[k], Optional(DoubleNear(std::exp(log_speedup[k]), 1e-12)));
    }
}

TEST_F(RankingReports, OfEqualScoresAreMeansOverChoosingAtRandom) {
    const double fixed = fixed_csr_time(2);
    double regret = 0;
    double log_speedup = 0;
    const double best = std::ranges::min(runtimes(2).milliseconds);
    for (const double milliseconds : runtimes(2).milliseconds) { // each is the answer equally often
        regret += (milliseconds / best - 1) / 31;
        log_speedup += std::log(fixed / milliseconds) / 31;
    }
    const RankingReport guessed = report(indifferent(), {2});
    EXPECT_THAT(guessed.ordered_pair_accuracy, Optional(DoubleNear(0.5, 1e-12)));
    EXPECT_EQ(guessed.kendall_tau, std::nullopt);
    EXPECT_EQ(guessed.counts.kendall_tau, 0);
    EXPECT_THAT(guessed.regret[0], Optional(DoubleNear(regret, 1e-9)));
    EXPECT_THAT(guessed.speedup[0], Optional(DoubleNear(std::exp(log_speedup), 1e-9)));
    std::ranges::reverse(runtimes(2).configurations);
    std::ranges::reverse(runtimes(2).milliseconds);
    runtimes(2).baseline = runtimes(2).milliseconds.size() - 1 - *runtimes(2).baseline;
    EXPECT_THAT(report(indifferent(), {2}).speedup[0], Optional(DoubleNear(*guessed.speedup[0], 1e-9)));
}

TEST_F(RankingReports, OfAModelThatChoosesBadlySaySo) {
    // Everything but fixed CSR is slower, and the model, which knows nothing, takes it with one chance in 31.
    WorkloadRuntimes& of = runtimes(2);
    for (std::size_t s = 0; s < of.milliseconds.size(); ++s)
        of.milliseconds[s] = s == of.baseline ? 1 : 2;
    const RankingReport guessed = report(indifferent(), {2});
    EXPECT_THAT(guessed.regret[0], Optional(DoubleNear(30.0 / 31, 1e-9)));
    EXPECT_THAT(guessed.speedup[0], Optional(DoubleNear(std::pow(0.5, 30.0 / 31), 1e-9)));
}

TEST_F(RankingReports, DoNotPraiseAModelOfWhoseChoicesNoneRan) {
    // Fixed CSR is the fastest; of the others one is slower, and the rest failed.
    WorkloadRuntimes& of = runtimes(2);
    const std::size_t fixed = *of.baseline;
    const std::size_t slower = fixed == 0 ? 1 : 0;
    std::ranges::fill(of.milliseconds, std::numeric_limits<double>::infinity());
    of.milliseconds[fixed] = 1;
    of.milliseconds[slower] = 4;
    const auto scorer = [&](std::size_t) -> Result<std::vector<float>> {
        std::vector<float> scores(of.configurations.size(), 0); // what failed comes first
        scores[fixed] = 1;
        scores[slower] = 2;
        return scores;
    };
    const RankingReport failed =
        report_scores(tasks_, scorer, loss, false, 0, std::array<std::size_t, 1>{2}).value();
    for (std::size_t k = 0; k < 3; ++k) { // all of the top k failed, fixed CSR is best
        EXPECT_THAT(failed.regret[k], Optional(DoubleNear(3, 1e-9)));
        EXPECT_THAT(failed.speedup[k], Optional(DoubleNear(0.25, 1e-9)));
    }
}

TEST_F(RankingReports, OfPartsOfAWorkloadTellTheRegretAmongAllOfThem) {
    // The fastest of each part is found at once, and that of all by a model that orders nothing else.
    for (std::size_t part = 0; part < 4; ++part) {
        tasks_.workloads[part].whole = "whole";
        std::vector<double>& times = runtimes(part).milliseconds;
        for (std::size_t s = 0; s < times.size(); ++s)
            times[s] = s == 0 ? static_cast<double>(1 + part) : 10;
        runtimes(part).baseline = part == 0 ? std::optional<std::size_t>(1) : std::nullopt;
    }
    const auto scorer = [&](std::size_t part) -> Result<std::vector<float>> {
        std::vector<float> scores(runtimes(part).configurations.size(), 100);
        scores[0] = -static_cast<float>(part); // the slowest of the four comes first
        return scores;
    };
    const auto report_on = [&](const std::vector<std::size_t>& parts) {
        return report_scores(tasks_, scorer, loss, false, 0, parts).value();
    };
    const RankingReport tested = report_on({1, 2, 3});
    EXPECT_EQ(tested.workloads, 3);
    EXPECT_EQ(tested.counts.regret[0], 1);
    EXPECT_THAT(tested.regret[0], Optional(DoubleNear(1, 1e-9))); // 4 ms, not 2
    EXPECT_THAT(tested.regret[1], Optional(DoubleNear(0, 1e-9)));
    EXPECT_THAT(tested.speedup[0], Optional(DoubleNear(2.5, 1e-9))); // over the baseline of another part
    EXPECT_THAT(report_on({0, 1, 2, 3}).regret[0], Optional(DoubleNear(3, 1e-9)));

    tasks_.has_regret_of_all = true;
    const RankingReport of_all = report_on({1, 2, 3});
    EXPECT_THAT(of_all.regret[0], Optional(DoubleNear(3, 1e-9))) << "the fastest, of 1 ms, is not tested";
    EXPECT_THAT(of_all.regret[1], Optional(DoubleNear(1, 1e-9)));
}

TEST_F(RankingReports, LookAtTheMatricesThatAreWantedAndMeasured) {
    EXPECT_EQ(report(weights(), {1, 3}).workloads, 2);
    EXPECT_EQ(report(weights(), {}).workloads, 0);
    EXPECT_TRUE(report(weights(), {}).by_name().contains("loss"));
    EXPECT_FALSE(report(weights(), {}).by_name().contains("ordered_pair_accuracy"));
    EXPECT_TRUE(report(weights(), {1}).by_name().contains("speedup_at_20"));
}

TEST_F(RankingReports, WithoutFixedCsrHaveNoSpeedup) {
    forget_fixed_csr(1);
    EXPECT_EQ(report(weights(), {1}).speedup[0], std::nullopt);
    EXPECT_EQ(report(weights(), {1}).counts.speedup[0], 0);
    EXPECT_NE(report(weights(), {1}).regret[0], std::nullopt);
    EXPECT_EQ(report(weights(), {1, 2}).counts.speedup[0], 1);
    EXPECT_EQ(report(weights(), {1, 2}).counts.regret[0], 2);
}

TEST_F(RankingReports, OfMatricesWhereNothingRanHaveNoRegret) {
    std::ranges::fill(runtimes(4).milliseconds, std::numeric_limits<double>::infinity());
    const RankingReport failed = report(weights(), {4});
    EXPECT_EQ(failed.workloads, 1);
    EXPECT_EQ(failed.regret[0], std::nullopt);
    EXPECT_EQ(failed.speedup[0], std::nullopt);
    EXPECT_EQ(failed.ordered_pair_accuracy, std::nullopt);
}

TEST_F(RankingReports, CountEveryMatrixOnceHoweverManySchedulesItHas) {
    runtimes(5).configurations.resize(8);
    runtimes(5).milliseconds.resize(8);
    runtimes(5).baseline.reset();
    const double large = report(weights(), {0}).ordered_pair_accuracy.value();
    const double small = report(weights(), {5}).ordered_pair_accuracy.value();
    EXPECT_THAT(report(weights(), {0, 5}).ordered_pair_accuracy,
                Optional(DoubleNear((large + small) / 2, 1e-12)));
}

TEST_F(RankingReports, TellPairsBeyondNoiseAndTheLogarithmOfRegret) {
    const double noiseless = report(weights(), {2}).ordered_pairs_beyond_noise.value();
    EXPECT_EQ(noiseless, report(weights(), {2}).ordered_pair_accuracy);
    const RankingReport exact = report(weights(), {2});
    EXPECT_THAT(exact.log_regret[0], Optional(DoubleNear(std::log1p(*exact.regret[0]), 1e-9)));
    const double slowest = std::ranges::max(runtimes(2).milliseconds);
    runtimes(2).spreads.assign(runtimes(2).milliseconds.size(), slowest);
    const RankingReport noisy = report(weights(), {2});
    EXPECT_EQ(noisy.ordered_pair_accuracy, exact.ordered_pair_accuracy);
    EXPECT_EQ(noisy.ordered_pairs_beyond_noise, std::nullopt) << "nothing differs by more than its noise";
    EXPECT_EQ(noisy.loss, 0) << "by the same rule";
}

TEST_F(RankingReports, CombinedAreThoseOfAllTheirMatricesTogether) {
    forget_fixed_csr(1);
    runtimes(5).configurations.resize(8); // fewer pairs than the others
    runtimes(5).milliseconds.resize(8);
    runtimes(5).baseline.reset(); // it was the last one
    const RankingReport together = report(weights(), all_);
    const RankingReport combined = combine(std::array{report(weights(), {0, 1}), report(weights(), {5}),
                                                      report(weights(), {}), report(weights(), {2, 3, 4})});
    EXPECT_EQ(combined.workloads, 6);
    EXPECT_EQ(combined.counts, together.counts);
    ASSERT_EQ(combined.by_name().size(), together.by_name().size());
    for (const auto& [metric, value] : together.by_name())
        EXPECT_NEAR(combined.by_name().at(metric), value, 1e-12) << metric;
    EXPECT_EQ(combine({}), RankingReport{});
}

TEST_F(RankingReports, OfPredictedTimesSayHowFarTheyAreOffAndRankMatrices) {
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    runtimes(3).milliseconds[5] = std::numeric_limits<double>::infinity();
    tasks_.workloads[1].whole = tasks_.workloads[0].name; // two parts of one matrix
    double error = 0;
    std::vector<double> predicted(5, 0.0);
    std::vector<double> measured(5, 0.0);
    for (std::size_t matrix = 0; matrix < 6; ++matrix) {
        const at::Tensor found = examples.scores(weights(), 0, matrix).value().contiguous();
        const std::size_t whole = matrix == 0 ? 0 : matrix - 1;
        const double count = whole == 0 ? 62 : matrix == 3 ? 30 : 31;
        for (std::size_t place = 0; place < 31; ++place) {
            const double milliseconds = runtimes(matrix).milliseconds[place];
            if (std::isinf(milliseconds))
                continue;
            const auto score = static_cast<double>(found.data_ptr<float>()[place]);
            error += std::abs(score - std::log(milliseconds)) / 185;
            predicted[whole] += score / count;
            measured[whole] += std::log(milliseconds) / count;
        }
    }
    const auto of_all = report_ranking(examples, weights(), Loss::LogSquaredError, 0, all_).value();
    EXPECT_THAT(of_all.log_time_error, Optional(DoubleNear(error, 1e-9)));
    EXPECT_EQ(of_all.counts.log_time_error, 185);
    EXPECT_EQ(of_all.workload_tau, kendall_tau_b(count_pairs(predicted, measured)));
    EXPECT_TRUE(of_all.by_name().contains("log_time_error"));
    EXPECT_TRUE(of_all.by_name().contains("workload_kendall_tau"));

    const auto of_one = report_ranking(examples, weights(), Loss::LogSquaredError, 0, {{2}}).value();
    EXPECT_EQ(of_one.workload_tau, std::nullopt) << "there is nothing to compare it with";
    const RankingReport both = combine(std::array{of_all, of_one});
    EXPECT_EQ(both.workload_tau, of_all.workload_tau);
    EXPECT_THAT(both.log_time_error,
                Optional(DoubleNear((185 * error + 31 * *of_one.log_time_error) / 216, 1e-9)));
}

TEST_F(RankingReports, OfPredictedTimesTellTheErrorOfTheSpeed) {
    WorkloadRuntimes& of = runtimes(2);
    std::ranges::fill(of.milliseconds, 4.0); // a speed of ½
    of.milliseconds[0] = 2;
    const auto report_of = [&](double predicted_ms) {
        const auto scorer = [&](std::size_t) -> Result<std::vector<float>> {
            return std::vector<float>(of.configurations.size(), static_cast<float>(std::log(predicted_ms)));
        };
        return report_scores(tasks_, scorer, loss, true, 0, std::array<std::size_t, 1>{2}).value();
    };
    EXPECT_THAT(report_of(4).speed_error, Optional(DoubleNear(0.5 / std::sqrt(31), 1e-6)))
        << "off by ½ on the fastest alone";
    EXPECT_THAT(report_of(1).speed_error, Optional(DoubleNear(0.5 * std::sqrt(30.0 / 31), 1e-6)))
        << "no speed is above 1";
    const RankingReport both = combine(std::array{report_of(4), report_of(1)});
    EXPECT_THAT(both.speed_error, Optional(DoubleNear(std::sqrt(0.125), 1e-6)));
}

TEST_F(RankingReports, OfScoresThatAreNoTimesSayNothingOfThem) {
    const RankingReport of_all = report(weights(), all_);
    EXPECT_EQ(of_all.log_time_error, std::nullopt);
    EXPECT_EQ(of_all.speed_error, std::nullopt);
    EXPECT_EQ(of_all.workload_tau, std::nullopt);
    EXPECT_FALSE(of_all.by_name().contains("log_time_error"));
    EXPECT_FALSE(of_all.by_name().contains("workload_kendall_tau"));
}

TEST_F(RankingReports, RefuseScoresThatAreNoNumbers) {
    const NamedTensors like = weights();
    std::vector<at::Tensor> tensors = like.tensors();
    tensors.back() = at::full_like(tensors.back(), std::numeric_limits<float>::quiet_NaN());
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    const auto diverged =
        report_ranking(examples, like.with(std::move(tensors)), loss, 0, std::array<std::size_t, 1>{0});
    ASSERT_FALSE(diverged.has_value());
    EXPECT_THAT(diverged.error().text(), HasSubstr("the scores of uniform-0 are no finite numbers"));
}

TEST_F(RankingReports, TellHowFarTheyAreAndStopWhenAsked) {
    ExampleStore examples(tasks_, sparse_encoder(network_), 1);
    std::stop_source source;
    std::vector<std::uint64_t> done;
    const auto stopped =
        report_ranking(examples, weights(), loss, 0, all_, source.get_token(), [&](const Progress& progress) {
            EXPECT_EQ(progress.total, 6U);
            done.push_back(progress.done);
            if (done.size() == 3)
                source.request_stop();
        });
    ASSERT_FALSE(stopped.has_value());
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
    EXPECT_EQ(done, (std::vector<std::uint64_t>{0, 1, 2}));
}

class TreeTraining : public ::testing::Test {
protected:
    TaskSet tasks_ =
        testing::synthetic_tasks(std::array<SyntheticMachine, 1>{SyntheticMachine{1.0, 1.0}}, 12, 24);
    WorkloadSplit split_ = testing::synthetic_split(tasks_);
};

TEST_F(TreeTraining, RanksSchedulesOfMatricesItNeverSawBetterThanChance) {
    const auto trees = train_trees(tasks_, schedule_features(Operator::SpMM), split_.train, {.rounds = 40});
    ASSERT_TRUE(trees) << trees.error().text();
    const auto report = report_trees(tasks_, *trees, Loss::PairwiseLogistic, split_.validation);
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->workloads, static_cast<int>(split_.validation.size()));
    EXPECT_GT(report->ordered_pair_accuracy.value(), 0.75);
}

TEST_F(TreeTraining, TheTraceEndsWithWhatAllTreesAreWorth) {
    const auto trees = train_trees(tasks_, schedule_features(Operator::SpMM), split_.train, {.rounds = 40});
    ASSERT_TRUE(trees) << trees.error().text();
    const auto trace = trace_trees(tasks_, *trees, Loss::PairwiseLogistic, split_.train, split_.validation);
    ASSERT_TRUE(trace) << trace.error().text();
    ASSERT_EQ(trace->size(), 10U);
    EXPECT_EQ(trace->front().rounds, 4);
    EXPECT_EQ(trace->back().rounds, 40);
    EXPECT_LT(trace->back().training_loss, trace->front().training_loss) << "on what they learned from";
    EXPECT_EQ(trace->back().overall,
              report_trees(tasks_, *trees, Loss::PairwiseLogistic, split_.validation).value());
    const auto unseen = trace_trees(tasks_, *trees, Loss::PairwiseLogistic, split_.train, {});
    ASSERT_TRUE(unseen) << unseen.error().text();
    EXPECT_TRUE(unseen->back().tasks.empty()) << "nothing to validate with is no validation";
}

TEST_F(TreeTraining, TellsItsWorkloadsAndItsRounds) {
    std::map<std::string, std::vector<std::uint64_t>> told; // by stage
    ASSERT_TRUE(train_trees(tasks_, schedule_features(Operator::SpMM), split_.train, {.rounds = 5}, {},
                            [&](const Progress& now) { told[std::string(now.stage)].push_back(now.done); }));
    EXPECT_EQ(told["training trees"], (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
    std::size_t looked_at = 0;
    for (const Task& task : tasks_.tasks)
        looked_at += task.runtimes.size();
    EXPECT_EQ(told["looking at " + tasks_.words.workload.many].size(), looked_at);
}

TEST_F(TreeTraining, NeedsMatricesThatWereMeasured) {
    tasks_.tasks[0].runtimes.clear();
    const auto trees = train_trees(tasks_, schedule_features(Operator::SpMM), split_.train, {});
    ASSERT_FALSE(trees);
    EXPECT_THAT(trees.error().text(), HasSubstr("nothing to train trees on"));
}

TEST_F(TreeTraining, StopsWhenItIsAskedTo) {
    std::stop_source stop;
    stop.request_stop();
    const auto trees =
        train_trees(tasks_, schedule_features(Operator::SpMM), split_.train, {}, stop.get_token());
    ASSERT_FALSE(trees);
    EXPECT_EQ(trees.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight
