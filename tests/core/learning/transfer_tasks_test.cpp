#include "learning/tasks/transfer_tasks.h"

#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/tasks/splits.h"
#include "synthetic_tasks.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <set>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::SyntheticMachine;

/// Two machines with all matrices, and a third that has the transposed forms of some of them alone.
TaskSet three_machines() {
    TaskSet set =
        testing::synthetic_tasks(std::array{SyntheticMachine{1, 1}, SyntheticMachine{-1, 0.2}}, 12, 8);
    Task third{"third", {}, {}};
    for (std::size_t matrix = 0; matrix < 6; ++matrix) {
        TaskWorkload form = set.workloads[matrix];
        form.name += "_transposed";
        PatternStatistics transposed = pattern_statistics(form.statistics);
        std::swap(transposed.rows, transposed.cols);
        std::swap(transposed.row_length, transposed.column_length);
        form.statistics = statistics_vector(transposed);
        form.family_key = family_key(transposed);
        WorkloadRuntimes runtimes = set.tasks[0].runtimes[matrix];
        runtimes.workload = set.workloads.size();
        third.runtimes.push_back(std::move(runtimes));
        set.workloads.push_back(std::move(form));
    }
    set.tasks.push_back(std::move(third));
    return set;
}

TEST(TransferSplit, NoSourceMayLearnFromATestMatrixOrASiblingOfOne) {
    const TaskSet set = three_machines();
    std::set<std::vector<std::size_t>> tests;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const auto split = transfer_split(set, 0, 0.3, seed);
        ASSERT_TRUE(split.has_value()) << split.error().text();
        EXPECT_THAT(leaks(*split, set.workloads), IsEmpty());
        EXPECT_THAT(split->validation, IsEmpty());
        EXPECT_GE(split->test.size(), 3U);
        for (const std::size_t test : split->test) {
            EXPECT_LT(test, 12U) << "measured on the target";
            if (test < 6) {
                EXPECT_EQ(std::ranges::count(split->train, test + 12), 0) << "its transposed form, elsewhere";
            }
        }
        EXPECT_GT(split->train.size(), 8U) << "what was measured elsewhere alone is learned from, too";
        tests.insert(split->test);
    }
    EXPECT_GT(tests.size(), 1U) << "each seed has its own";
}

TEST(TransferSplit, SaysWhatToDoWhereATargetHasTooFewMatrices) {
    TaskSet set = three_machines();
    set.tasks[2].runtimes.resize(3);
    const auto split = transfer_split(set, 2, 0.3, 1);
    ASSERT_FALSE(split.has_value());
    EXPECT_THAT(split.error().message,
                HasSubstr("third has runtimes of 3 matrices that can be learned from"));
    EXPECT_THAT(split.error().message, HasSubstr("expected 4 or more"));
    EXPECT_THAT(split.error().message, HasSubstr("import-runtimes"));
}

TEST(MetaSource, HoldsNothingOfTheTarget) {
    const TaskSet set = three_machines();
    const std::vector<Task> paper{{"A", {}, {}}, {"B", {}, {}}};
    const std::vector<Task> family{{"sampled", {}, {}}};
    const auto names = [&](MetaSource source, std::size_t target) {
        std::vector<std::string> machines;
        for (const Task& task : tasks_of(source, set, target, paper, family).tasks)
            machines.push_back(task.machine);
        return machines;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(names(MetaSource::Scratch, 0), Names{});
    EXPECT_EQ(names(MetaSource::Paper, 0), (Names{"A", "B"}));
    EXPECT_EQ(names(MetaSource::Family, 0), Names{"sampled"});
    EXPECT_EQ(names(MetaSource::Real, 1), (Names{"machine 0", "third"}));
    EXPECT_EQ(names(MetaSource::FamilyAndReal, 2), (Names{"sampled", "machine 0", "machine 1"}));
    EXPECT_EQ(schedule_donor(set, 0), 1U);
    EXPECT_EQ(schedule_donor(set, 1), 0U) << "never the target itself, though it has as many matrices";
    for (const MetaSource source : all_meta_sources)
        EXPECT_EQ(parse_meta_source(name(source)), source);
    EXPECT_EQ(parse_meta_source("everything"), std::nullopt);
}

} // namespace
} // namespace sparsight
