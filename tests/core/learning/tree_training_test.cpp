#include "learning/tree_training.h"

#include "synthetic_tasks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using testing::SyntheticMachine;

class TreeTraining : public ::testing::Test {
protected:
    TaskSet tasks_ =
        testing::synthetic_tasks(std::array<SyntheticMachine, 1>{SyntheticMachine{1.0, 1.0}}, 12, 24);
    MatrixSplit split_ = testing::synthetic_split(tasks_);
};

TEST_F(TreeTraining, RanksSchedulesOfMatricesItNeverSawBetterThanChance) {
    const auto trees = train_trees(tasks_, split_.train, {.rounds = 40});
    ASSERT_TRUE(trees) << trees.error().text();
    const auto report = report_trees(tasks_, *trees, Loss::PairwiseLogistic, split_.validation);
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->matrices, static_cast<int>(split_.validation.size()));
    EXPECT_GT(report->ordered_pair_accuracy.value(), 0.75);
}

TEST_F(TreeTraining, TheTraceEndsWithWhatAllTreesAreWorth) {
    const auto trees = train_trees(tasks_, split_.train, {.rounds = 40});
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

TEST_F(TreeTraining, TellsItsRounds) {
    std::vector<std::uint64_t> told;
    ASSERT_TRUE(train_trees(tasks_, split_.train, {.rounds = 5}, {}, [&](const Progress& now) {
        EXPECT_EQ(now.total, 5U);
        told.push_back(now.done);
    }));
    EXPECT_EQ(told, (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
}

TEST_F(TreeTraining, NeedsMatricesThatWereMeasured) {
    tasks_.tasks[0].runtimes.clear();
    const auto trees = train_trees(tasks_, split_.train, {});
    ASSERT_FALSE(trees);
    EXPECT_THAT(trees.error().text(), HasSubstr("nothing to train trees on"));
}

TEST_F(TreeTraining, StopsWhenItIsAskedTo) {
    std::stop_source stop;
    stop.request_stop();
    const auto trees = train_trees(tasks_, split_.train, {}, stop.get_token());
    ASSERT_FALSE(trees);
    EXPECT_EQ(trees.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight
