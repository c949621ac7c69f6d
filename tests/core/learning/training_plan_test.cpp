#include "learning/training_plan.h"

#include "synthetic_tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace sparsight {
namespace {

using ::testing::Each;
using ::testing::IsSubsetOf;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

constexpr std::array meta_methods{Method::Maml, Method::Fomaml, Method::Reptile, Method::Anil,
                                  Method::MetaSgd};

class TrainingPlan : public ::testing::Test {
protected:
    TrainingPlan() {
        options_.support_matrices = 3;
        options_.query_matrices = 2;
        options_.tasks_per_step = 2;
        options_.schedules_per_matrix = 8;
    }

    std::set<std::size_t> matrices(std::size_t task, const std::vector<ExampleChoice>& choices) const {
        std::set<std::size_t> found;
        for (const ExampleChoice& choice : choices)
            found.insert(tasks_.tasks[task].runtimes[choice.runtimes].matrix);
        return found;
    }

    TaskSet tasks_ = testing::synthetic_tasks(std::array<testing::SyntheticMachine, 3>{}, 16, 20);
    MatrixSplit split_ = testing::synthetic_split(tasks_);
    TrainingOptions options_;
};

TEST_F(TrainingPlan, KeepsSupportAndQueryMatricesApartAndToThoseOfTheTrainingSet) {
    for (const Method method : meta_methods) {
        options_.method = method;
        for (int epoch = 0; epoch < 5; ++epoch)
            for (const StepPlan& step : plan_epoch(tasks_, split_.train, options_, epoch))
                for (const EpisodePlan& episode : step) {
                    const auto support = matrices(episode.task, episode.support);
                    const auto query = matrices(episode.task, episode.query);
                    EXPECT_THAT(support, SizeIs(3));
                    EXPECT_THAT(query, SizeIs(2));
                    std::set<std::size_t> all = support;
                    all.insert(query.begin(), query.end());
                    EXPECT_THAT(all, SizeIs(5)) << "no matrix in both";
                    EXPECT_THAT(std::vector<std::size_t>(all.begin(), all.end()), IsSubsetOf(split_.train));
                }
    }
}

TEST_F(TrainingPlan, TakesEachTaskOnceAStep) {
    options_.method = Method::Maml;
    const auto steps = plan_epoch(tasks_, split_.train, options_, 0);
    EXPECT_THAT(steps, SizeIs(2)) << "12 matrices, 5 an episode";
    for (const StepPlan& step : steps) {
        ASSERT_THAT(step, SizeIs(2));
        EXPECT_NE(step[0].task, step[1].task);
    }
}

TEST_F(TrainingPlan, ShrinksTheEpisodesOfATaskWithFewMatrices) {
    options_.method = Method::Maml;
    options_.support_matrices = 30;
    options_.query_matrices = 10;
    const auto episode = plan_epoch(tasks_, split_.train, options_, 0).front().front();
    EXPECT_THAT(episode.support, SizeIs(9));
    EXPECT_THAT(episode.query, SizeIs(3));
    EXPECT_TRUE(plan_epoch(tasks_, {split_.train.front()}, options_, 0).empty())
        << "one matrix makes no episode";
}

TEST_F(TrainingPlan, OfSupervisedTrainingTakesEveryMatrixOfEveryMachineOnce) {
    std::multiset<std::pair<std::size_t, std::size_t>> seen;
    for (const StepPlan& step : plan_epoch(tasks_, split_.train, options_, 3)) {
        ASSERT_THAT(step, SizeIs(1));
        EXPECT_TRUE(step[0].support.empty());
        for (const std::size_t matrix : matrices(step[0].task, step[0].query))
            seen.emplace(step[0].task, matrix);
    }
    std::multiset<std::pair<std::size_t, std::size_t>> wanted;
    for (std::size_t task = 0; task < 3; ++task)
        for (const std::size_t matrix : split_.train)
            wanted.emplace(task, matrix);
    EXPECT_EQ(seen, wanted);
}

TEST_F(TrainingPlan, OfTheReportTakesAMatrixOnEveryMachineAtOnce) {
    options_.method = Method::Report;
    const auto steps = plan_epoch(tasks_, split_.train, options_, 0);
    EXPECT_THAT(steps, SizeIs(split_.train.size()));
    for (const StepPlan& step : steps) {
        ASSERT_THAT(step, SizeIs(3));
        for (const EpisodePlan& episode : step) {
            EXPECT_EQ(episode.support, episode.query);
            EXPECT_EQ(matrices(episode.task, episode.query), matrices(step[0].task, step[0].query));
        }
    }
}

TEST_F(TrainingPlan, DrawsSchedulesAnewInEveryEpochAndTheSameInTheSameOne) {
    const auto first = plan_epoch(tasks_, split_.train, options_, 0);
    EXPECT_EQ(first, plan_epoch(tasks_, split_.train, options_, 0));
    EXPECT_NE(first, plan_epoch(tasks_, split_.train, options_, 1));
    TrainingOptions other = options_;
    other.seed = 2;
    EXPECT_NE(first, plan_epoch(tasks_, split_.train, other, 0));
    for (const StepPlan& step : first)
        EXPECT_THAT(std::set(step[0].query[0].schedules.begin(), step[0].query[0].schedules.end()),
                    SizeIs(8));
}

TEST_F(TrainingPlan, ValidatesWithASupportSetOfTrainingMatricesThatStays) {
    EXPECT_TRUE(plan_validation_support(tasks_, 0, split_.train, options_).empty()) << "no inner loop";
    options_.method = Method::Maml;
    const auto support = plan_validation_support(tasks_, 1, split_.train, options_);
    EXPECT_EQ(support, plan_validation_support(tasks_, 1, split_.train, options_));
    const auto found = matrices(1, support);
    EXPECT_THAT(std::vector<std::size_t>(found.begin(), found.end()), IsSubsetOf(split_.train));
}

} // namespace
} // namespace sparsight
