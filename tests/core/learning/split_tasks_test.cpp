#include "learning/tasks/split_tasks.h"

#include "support/digit_space.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <map>
#include <set>

namespace sparsight {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::SizeIs;
using testing::word;

/// Three digits below 8.
std::vector<Configuration> all_words() {
    std::vector<Configuration> words;
    for (int number = 0; number < 512; ++number)
        words.push_back(word(fmt::format("{:03o}", number)));
    return words;
}

/// Workloads that were measured with all words, or those that a machine lacks left out.
TaskSet exhaustive(std::vector<std::string> workloads, const std::vector<std::string>& machines) {
    TaskSet set;
    set.setting = {"words", ""};
    for (std::string& name : workloads)
        set.workloads.push_back({.name = name, .family = "all the same"});
    for (std::size_t machine = 0; machine < machines.size(); ++machine) {
        Task task{machines[machine], {}, {}};
        task.description.name = machines[machine].substr(0, machines[machine].find(" ("));
        for (std::size_t place = 0; place < set.workloads.size(); ++place) {
            WorkloadRuntimes runtimes{place, {}, {}};
            for (const Configuration& each : all_words()) {
                runtimes.configurations.push_back(each);
                runtimes.milliseconds.push_back(1 + static_cast<double>(runtimes.milliseconds.size()));
            }
            runtimes.baseline = 0;
            task.runtimes.push_back(std::move(runtimes));
        }
        set.tasks.push_back(std::move(task));
    }
    return set;
}

std::set<Configuration> on_side(const SplitTasks& found, std::size_t task,
                                const std::vector<std::size_t>& side) {
    const std::set<std::size_t> wanted(side.begin(), side.end());
    std::set<Configuration> configurations;
    for (const WorkloadRuntimes& runtimes : found.set.tasks[task].runtimes)
        if (wanted.contains(runtimes.workload))
            configurations.insert(runtimes.configurations.begin(), runtimes.configurations.end());
    return configurations;
}

TEST(SplitByWorkload, IsTheOneOfWorkloads) {
    TaskSet set = exhaustive({"a", "b", "c"}, {"m"});
    for (TaskWorkload& workload : set.workloads)
        workload.family.clear();
    const auto found = split_tasks(set, {.seed = 5}).value();
    const auto expected = split_workloads(set.workloads, {}, 5).value();
    EXPECT_EQ(found.split.train, expected.train);
    EXPECT_EQ(found.split.test, expected.test);
    EXPECT_EQ(found.set.workloads.size(), 3U);
}

TEST(SplitByRow, PutsEachConfigurationOnOneSideThatIsTheSameOnEveryMachine) {
    const auto found =
        split_tasks(exhaustive({"gemm"}, {"A", "B"}), {.by = SplitBy::Row, .rows_per_group = 16}).value();
    const auto train = on_side(found, 0, found.split.train);
    const auto validation = on_side(found, 0, found.split.validation);
    const auto test = on_side(found, 0, found.split.test);
    EXPECT_EQ(train.size() + validation.size() + test.size(), 512U) << "each is there once";
    EXPECT_NEAR(static_cast<double>(train.size()), 0.8 * 512, 16);
    EXPECT_THAT(validation, SizeIs(AllOf(Ge(32U), Le(64U))));
    EXPECT_EQ(on_side(found, 1, found.split.train), train);
    EXPECT_EQ(on_side(found, 1, found.split.test), test);
}

TEST(SplitByRow, MakesGroupsOfAboutTheSameSize) {
    const auto found =
        split_tasks(exhaustive({"gemm"}, {"A"}), {.by = SplitBy::Row, .rows_per_group = 20}).value();
    EXPECT_THAT(found.set.workloads, SizeIs(26));
    for (const WorkloadRuntimes& runtimes : found.set.tasks[0].runtimes)
        EXPECT_THAT(runtimes.configurations, SizeIs(AllOf(Ge(19U), Le(20U))));
    EXPECT_EQ(found.set.workloads[2].name, "gemm #3");
    EXPECT_EQ(found.set.workloads[2].whole_name(), "gemm");
}

TEST(SplitByRow, CutsASmallTableIntoSmallerGroups) {
    const auto found = split_tasks(exhaustive({"gemm"}, {"A"}), {.by = SplitBy::Row, .rows_per_group = 512});
    EXPECT_THAT(found.value().set.workloads, SizeIs(Ge(20U)));
}

TEST(SplitByRow, IsNotGluedByFamilies) {
    const auto found = split_tasks(exhaustive({"a", "b"}, {"A"}), {.by = SplitBy::Row}).value();
    EXPECT_THAT(leaks(found.split, found.set.workloads), IsEmpty());
    EXPECT_THAT(found.split.test, Not(IsEmpty()));
}

TEST(SplitByRow, KeepsTimesWithTheirConfigurations) {
    TaskSet set = exhaustive({"a"}, {"A"});
    std::map<Configuration, double> times;
    auto& whole = set.tasks[0].runtimes[0];
    for (std::size_t row = 0; row < 512; ++row) {
        times[whole.configurations[row]] = whole.milliseconds[row];
        whole.spreads.push_back(whole.milliseconds[row] / 10);
    }
    const auto found = split_tasks(std::move(set), {.by = SplitBy::Row}).value();
    int baselines = 0;
    for (const WorkloadRuntimes& runtimes : found.set.tasks[0].runtimes) {
        for (std::size_t row = 0; row < runtimes.configurations.size(); ++row) {
            EXPECT_EQ(runtimes.milliseconds[row], times.at(runtimes.configurations[row]));
            EXPECT_EQ(runtimes.spreads[row], runtimes.milliseconds[row] / 10);
        }
        if (runtimes.baseline) {
            ++baselines;
            EXPECT_EQ(runtimes.configurations[*runtimes.baseline], word("000"));
        }
    }
    EXPECT_EQ(baselines, 1);
}

TEST(SplitByRow, LeavesOutGroupsWithoutAnOrder) {
    TaskSet set = exhaustive({"a", "b"}, {"A"});
    std::ranges::fill(set.tasks[0].runtimes[0].milliseconds, std::numeric_limits<double>::infinity());
    const auto found = split_tasks(std::move(set), {.by = SplitBy::Row}).value();
    for (const TaskWorkload& workload : found.set.workloads)
        EXPECT_EQ(workload.whole_name(), "b");
    for (const WorkloadRuntimes& runtimes : found.set.tasks[0].runtimes)
        EXPECT_LT(runtimes.workload, found.set.workloads.size());
}

TEST(SplitByRow, IsTheSameForASeed) {
    const SplitRequest request{.by = SplitBy::Row, .seed = 3};
    const auto one = split_tasks(exhaustive({"a"}, {"A", "B"}), request).value();
    const auto again = split_tasks(exhaustive({"a"}, {"A", "B"}), request).value();
    EXPECT_EQ(on_side(one, 0, one.split.test), on_side(again, 1, again.split.test));
    const auto other = split_tasks(exhaustive({"a"}, {"A"}), {.by = SplitBy::Row, .seed = 4}).value();
    EXPECT_NE(on_side(one, 0, one.split.test), on_side(other, 0, other.split.test));
}

TEST(SplitByRow, NeedsAGroupForEachSide) {
    TaskSet set = exhaustive({"a"}, {"A"});
    set.tasks[0].runtimes[0].configurations.resize(3);
    set.tasks[0].runtimes[0].milliseconds.resize(3);
    EXPECT_THAT(split_tasks(set, {.by = SplitBy::Row}).error().message, HasSubstr("3 sides"));
    EXPECT_THAT(split_tasks(set, {.by = SplitBy::Row, .rows_per_group = 1}).error().message,
                HasSubstr("1 configuration has no order"));
}

TEST(SplitByMachine, PutsTheTimesOfAMachineOnOneSide) {
    const auto found =
        split_tasks(exhaustive({"a", "b"}, {"A", "B", "C", "D", "E"}), {.by = SplitBy::Machine}).value();
    std::map<std::string, int> tasks_on;
    for (std::size_t task = 0; task < 5; ++task)
        for (const auto& [side, name] :
             {std::pair(&found.split.train, "train"), std::pair(&found.split.validation, "validation"),
              std::pair(&found.split.test, "test")})
            if (const auto rows = on_side(found, task, *side); !rows.empty()) {
                EXPECT_EQ(rows.size(), 512U);
                ++tasks_on[name];
            }
    EXPECT_EQ(tasks_on, (std::map<std::string, int>{{"train", 3}, {"validation", 1}, {"test", 1}}));
    EXPECT_THAT(leaks(found.split, found.set.workloads), IsEmpty());
    EXPECT_EQ(found.set.workloads[found.split.test[0]].name, "a (test machines)");
    EXPECT_EQ(found.set.workloads[found.split.test[0]].whole_name(), "a");
    EXPECT_EQ(found.set.workloads[found.split.train[0]].name, "a (training machines) #1");
}

TEST(SplitByMachine, TrainsOnGroupsOfALargeTable) {
    const auto found = split_tasks(exhaustive({"a"}, {"A", "B"}),
                                   {.by = SplitBy::Machine, .shares = {1, 0, 1}, .rows_per_group = 64})
                           .value();
    EXPECT_THAT(found.split.train, SizeIs(8)) << "else it were a single step of an epoch";
    EXPECT_EQ(found.set.workloads[found.split.train[0]].whole_name(), "a");
    EXPECT_THAT(found.split.test, SizeIs(1));
}

TEST(SplitByMachine, KeepsTwoInstallationsOfAMachineTogether) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto found = split_tasks(exhaustive({"a"}, {"A (run=1)", "B", "A (run=2)"}),
                                       {.by = SplitBy::Machine, .shares = {1, 0, 1}, .seed = seed})
                               .value();
        EXPECT_EQ(on_side(found, 0, found.split.test), on_side(found, 2, found.split.test));
        EXPECT_NE(on_side(found, 0, found.split.test), on_side(found, 1, found.split.test));
    }
}

TEST(SplitByMachine, NeedsAMachineForEachSide) {
    EXPECT_THAT(split_tasks(exhaustive({"a"}, {"A (run=1)", "A (run=2)"}),
                            {.by = SplitBy::Machine, .shares = {1, 0, 1}})
                    .error()
                    .message,
                HasSubstr("1 machine can't be split into 2 parts"));
}

TEST(SplitBy, IsFoundByItsName) {
    for (const SplitBy by : {SplitBy::Workload, SplitBy::Row, SplitBy::Machine})
        EXPECT_EQ(parse_split_by(name(by)), by);
    EXPECT_EQ(parse_split_by("column"), std::nullopt);
}

} // namespace
} // namespace sparsight
