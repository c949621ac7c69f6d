#include "learning/training/training_plan.h"
#include "synthetic_tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

std::string defect(std::string_view json) {
    const auto parsed = parse_training_options(json);
    return parsed ? "" : parsed.error().text();
}

TEST(TrainingOptions, RoundTripThroughJson) {
    TrainingOptions options;
    options.method = Method::MetaSgd;
    options.loss = Loss::ListMle;
    options.epochs = 7;
    options.rate = 3e-4;
    options.rate_schedule = RateSchedule::Cosine;
    options.weight_decay = 0.01;
    options.longest_gradient = 5;
    options.inner = {3, 0.02};
    options.patience = 4;
    options.seed = UINT64_MAX;
    const auto parsed = parse_training_options(to_json(options));
    ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
    EXPECT_EQ(*parsed, options);
    EXPECT_EQ(parsed->seed, UINT64_MAX);
    EXPECT_EQ(parsed->inner.steps, 3);
}

TEST(TrainingOptions, LeftOutKeepTheirDefaults) {
    const auto parsed = parse_training_options(R"({"epochs": 5})");
    TrainingOptions expected;
    expected.epochs = 5;
    EXPECT_EQ(parsed.value(), expected);
}

TEST(TrainingOptions, ThatCannotBeAreNamedWithWhatWasExpected) {
    EXPECT_THAT(defect(R"({"epoch": 5})"), HasSubstr("'epoch' is no option"));
    EXPECT_THAT(
        defect(R"({"method": "mamal"})"),
        HasSubstr("method is \"mamal\"; expected supervised, maml, fomaml, reptile, anil, meta-sgd or "
                  "report"));
    EXPECT_THAT(defect(R"({"loss": "hinge"})"),
                HasSubstr("expected margin, logistic, listmle or log-squared"));
    EXPECT_THAT(defect(R"({"rate_schedule": "step"})"), HasSubstr("expected constant or cosine"));
    EXPECT_THAT(defect(R"({"rate": -1})"), HasSubstr("rate is -1.0; expected a positive number"));
    EXPECT_THAT(defect(R"({"inner_steps": 0})"), HasSubstr("inner_steps is 0; expected at least 1"));
    EXPECT_THAT(defect(R"({"epochs": 99999999999})"), HasSubstr("epochs is 99999999999"));
    EXPECT_THAT(defect(R"({"seed": -1})"), HasSubstr("seed is -1"));
    EXPECT_THAT(defect(R"({"epochs": 18446744073709551615})"), HasSubstr("epochs is 18446744073709551615"));
    EXPECT_THAT(defect(R"({"schedules_per_matrix": 1})"), HasSubstr("at least 2"));
    EXPECT_THAT(defect("[]"), HasSubstr("not a JSON object"));
    EXPECT_THAT(defect("{"), HasSubstr("not a JSON object"));
}

TEST(CosineRate, FallsFromTheFullRateTowardsNone) {
    TrainingOptions options;
    options.rate = 1;
    options.epochs = 10;
    EXPECT_EQ(rate_of_epoch(options, 9), 1) << "constant";
    options.rate_schedule = RateSchedule::Cosine;
    EXPECT_DOUBLE_EQ(rate_of_epoch(options, 0), 1);
    EXPECT_NEAR(rate_of_epoch(options, 5), 0.5, 1e-12);
    EXPECT_LT(rate_of_epoch(options, 9), 0.03);
    EXPECT_GT(rate_of_epoch(options, 9), 0);
}

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
            found.insert(tasks_.tasks[task].runtimes[choice.runtimes].workload);
        return found;
    }

    TaskSet tasks_ = testing::synthetic_tasks(std::array<testing::SyntheticMachine, 3>{}, 16, 20);
    WorkloadSplit split_ = testing::synthetic_split(tasks_);
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
