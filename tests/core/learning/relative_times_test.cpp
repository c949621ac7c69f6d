// Times as shares of the fastest, and trees that learn them.
#include "learning/tasks/relative_times.h"

#include "model/boosted_trees.h"
#include "support/results.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using testing::must;
using ::testing::SizeIs;

constexpr double gave_nothing = std::numeric_limits<double>::infinity();

TaskSet two_workloads(std::vector<double> milliseconds) {
    TaskSet set;
    set.workloads.resize(2);
    set.workloads[0].name = "one";
    set.workloads[1].name = "other";
    WorkloadRuntimes runtimes{.workload = 0, .configurations = {}, .milliseconds = milliseconds};
    runtimes.configurations.resize(milliseconds.size());
    WorkloadRuntimes nothing_ran{.workload = 1, .configurations = {}, .milliseconds = {gave_nothing}};
    nothing_ran.configurations.resize(1);
    set.tasks.push_back({"m", {}, {std::move(runtimes), std::move(nothing_ran)}});
    return set;
}

TEST(RelativeTimes, AreSharesOfTheFastestWithoutWhatNeverRan) {
    TaskSet set = two_workloads({4, 2, gave_nothing, 8});
    const FailureTimes failures = make_times_relative(set);
    EXPECT_TRUE(set.has_relative_times);
    ASSERT_THAT(set.tasks[0].runtimes, SizeIs(1)) << "on the other workload nothing ran";
    EXPECT_THAT(set.tasks[0].runtimes[0].milliseconds, ElementsAre(2, 1, gave_nothing, 4));
    // Of a part that has neither the fastest nor the slowest.
    set.tasks[0].runtimes[0].milliseconds.pop_back();
    set.workloads[0].whole = set.workloads[0].name;
    set.workloads[0].name = "a part";
    take_failures_for_slow(set, failures);
    EXPECT_THAT(set.tasks[0].runtimes[0].milliseconds, ElementsAre(2, 1, 8)) << "twice the slowest of all";
}

TEST(RelativeTimes, AreDrawnDownToTheMostThatIsWanted) {
    TaskSet set = two_workloads(std::vector<double>(50, 1.0));
    draw_measurements(set, 20, 1);
    std::size_t left = 0;
    for (const WorkloadRuntimes& runtimes : set.tasks[0].runtimes)
        left += runtimes.configurations.size();
    EXPECT_EQ(left, 20);
    draw_measurements(set, 100, 1);
    EXPECT_LE(set.tasks[0].runtimes.size(), 2U) << "fewer than the most are all kept";
}

TEST(RelativeTimes, WholeWorkloadsAreDrawnWhereFewOfEachWouldBeLeft) {
    TaskSet set;
    set.tasks.push_back({"m", {}, {}});
    for (std::size_t workload = 0; workload < 10; ++workload) {
        set.workloads.push_back({.name = std::to_string(workload)});
        set.tasks[0].runtimes.push_back(
            {.workload = workload,
             .configurations = std::vector<Configuration>(4),
             .milliseconds = std::vector<double>(4, 1.0 + static_cast<double>(workload))});
    }
    TaskSet tight = set;
    draw_measurements(tight, 3, 1);
    EXPECT_THAT(tight.workloads, SizeIs(10)) << "none of them fits as a whole";
    draw_measurements(set, 13, 1);
    ASSERT_THAT(set.workloads, SizeIs(3));
    ASSERT_THAT(set.tasks[0].runtimes, SizeIs(3));
    for (const WorkloadRuntimes& runtimes : set.tasks[0].runtimes) {
        ASSERT_THAT(runtimes.milliseconds, SizeIs(4)) << "all of it";
        EXPECT_EQ(std::to_string(static_cast<int>(runtimes.milliseconds[0]) - 1),
                  set.workloads[runtimes.workload].name);
    }
}

/// Two numbers of which the time depends, on a grid.
TreeRows grid() {
    TreeRows rows{.width = 2, .numbers = {}, .first_scores = {}, .milliseconds = {}};
    for (int x = 0; x < 16; ++x)
        for (int y = 0; y < 16; ++y) {
            rows.numbers.insert(rows.numbers.end(), {static_cast<float>(x), static_cast<float>(y)});
            rows.milliseconds.push_back(x == 5 && y == 5 ? gave_nothing
                                                         : std::exp(0.2 * x + 0.1 * std::abs(y - 8)));
        }
    return rows;
}

class TimedTrees : public ::testing::TestWithParam<bool> {};

TEST_P(TimedTrees, PredictTheLogarithmOfTheTime) {
    const TreeRows rows = grid();
    const auto trees = must(RowTrees::train(
        std::span(&rows, 1), {.goal = TreesGoal::Times, .is_leaf_wise = GetParam(), .rounds = 200}));
    EXPECT_TRUE(trees.predict_times());
    const int all_rounds = 0;
    const auto scores = must(trees.scores(rows, std::span(&all_rounds, 1))).front();
    for (std::size_t row = 0; row < scores.size(); ++row) {
        if (std::isfinite(rows.milliseconds[row])) {
            EXPECT_NEAR(scores[row], std::log(rows.milliseconds[row]), 0.05);
        }
    }
    const auto again = must(RowTrees::load(must(trees.save()), 2, "grid"));
    EXPECT_TRUE(again.predict_times());
    EXPECT_EQ(must(again.scores(rows, std::span(&all_rounds, 1))).front(), scores);
}

INSTANTIATE_TEST_SUITE_P(Growth, TimedTrees, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "leaf_wise" : "level_by_level"; });

TEST(TreesOfAnOrder, PredictNoTimes) {
    const TreeRows rows = grid();
    EXPECT_FALSE(must(RowTrees::train(std::span(&rows, 1), {.rounds = 5})).predict_times());
}

} // namespace
} // namespace sparsight
