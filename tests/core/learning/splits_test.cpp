// Splits for training and test: of matrices, and of tasks by workload, row or machine.
#include "core/store/store_fixture.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/tasks/split_tasks.h"
#include "learning/tasks/splits.h"
#include "toy/digit_space.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <map>
#include <set>

namespace sparsight {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_text;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using testing::must;
using ::testing::SizeIs;
using testing::word;

TaskWorkload matrix(const std::string& name, const CsrPattern& pattern) {
    return task_workload(name, compute_statistics(pattern, 1), [pattern] { return pattern; });
}

CsrPattern random_pattern(std::uint64_t seed) {
    return *generate_matrix("power-law", {{"scale", 6}}, seed);
}

/// No two of them are siblings.
std::vector<TaskWorkload> strangers(std::size_t count) {
    std::vector<TaskWorkload> matrices;
    for (std::size_t i = 0; i < count; ++i)
        matrices.push_back(matrix(fmt::format("m{}", i), random_pattern(i)));
    return matrices;
}

std::set<std::size_t> as_set(const std::vector<std::size_t>& places) {
    return {places.begin(), places.end()};
}

TEST(NameStem, LeavesOutWhatTellsOfAnotherForm) {
    EXPECT_EQ(name_stem("nemspmm1_16x4_0"), "nemspmm1");
    EXPECT_EQ(name_stem("t2dal_a_8x4_3"), "t2dal_a");
    EXPECT_EQ(name_stem("hugebubbles-00010_4x2_0"), "hugebubbles-00010");
    EXPECT_EQ(name_stem("cage8_transposed"), "cage8");
    EXPECT_EQ(name_stem("cage8_T"), "cage8");
    EXPECT_EQ(name_stem("cage8_16x4_0_t"), "cage8");
    EXPECT_EQ(name_stem("conf5_0-4x4-18"), "conf5_0-4x4-18");
    EXPECT_EQ(name_stem("c-46"), "c-46");
    EXPECT_EQ(name_stem("young_16x4"), "young_16x4");
    EXPECT_EQ(name_stem("_16x4_0"), "_16x4_0");
    EXPECT_EQ(name_stem(""), "");
}

TEST(Siblings, AreResizedFormsByTheirNames) {
    const std::vector matrices{matrix("Trec6_16x16_9", random_pattern(1)), matrix("other", random_pattern(2)),
                               matrix("Trec6", random_pattern(3)), matrix("Trec6_2x2_0", random_pattern(4))};
    EXPECT_THAT(workload_families(matrices), ElementsAre(0, 1, 0, 0));
}

TEST(Siblings, AreTransposedPaddedAndEqualPatternsUnderAnyName) {
    const CsrPattern pattern = *generate_matrix("power-law", {{"scale", 6}}, 1);
    CsrPattern wide = pattern;
    wide.cols += 100;
    const std::vector matrices{matrix("a", pattern), matrix("b", transpose(pattern)), matrix("c", wide),
                               matrix("d", transpose(wide)), matrix("e", pattern)};
    EXPECT_THAT(workload_families(matrices), ElementsAre(0, 0, 0, 0, 0));
}

TEST(Siblings, AreThoseOfSiblings) {
    const CsrPattern pattern = random_pattern(1);
    const std::vector matrices{matrix("a_2x2_0", random_pattern(2)), matrix("b", transpose(pattern)),
                               matrix("a", pattern)};
    EXPECT_THAT(workload_families(matrices), ElementsAre(0, 0, 0));
}

TEST(MatrixSplitting, PutsEachMatrixOnOneSideByTheShares) {
    const auto matrices = strangers(50);
    const auto split = split_workloads(matrices, {.train = 3, .validation = 1, .test = 1}, 7).value();
    EXPECT_EQ(split.train.size(), 30U);
    EXPECT_EQ(split.validation.size(), 10U);
    EXPECT_EQ(split.test.size(), 10U);
    std::set<std::size_t> all;
    for (const auto* side : {&split.train, &split.validation, &split.test}) {
        EXPECT_TRUE(std::ranges::is_sorted(*side));
        all.insert(side->begin(), side->end());
    }
    EXPECT_EQ(all.size(), 50U);
}

TEST(MatrixSplitting, FollowsTheSeed) {
    const auto matrices = strangers(50);
    const auto test_of = [&](std::uint64_t seed) { return split_workloads(matrices, {}, seed)->test; };
    EXPECT_EQ(test_of(1), test_of(1));
    EXPECT_NE(test_of(1), test_of(2));
}

TEST(MatrixSplitting, LeavesNoMatrixOfTheTestNorASiblingInTraining) {
    std::vector<TaskWorkload> matrices;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const CsrPattern pattern = random_pattern(seed);
        matrices.push_back(matrix(fmt::format("m{}", seed), pattern));
        matrices.push_back(matrix(fmt::format("m{}_16x4_0", seed), random_pattern(100 + seed)));
        matrices.push_back(matrix(fmt::format("turned{}", seed), transpose(pattern)));
    }
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto split = split_workloads(matrices, {}, seed).value();
        EXPECT_THAT(leaks(split, matrices), IsEmpty());
        for (const std::size_t tested : split.test)
            for (const std::size_t trained : split.train)
                EXPECT_NE(tested / 3, trained / 3) << matrices[tested].name << ", " << matrices[trained].name;
        EXPECT_FALSE(split.test.empty());
        EXPECT_FALSE(split.validation.empty());
    }
}

TEST(MatrixSplitting, GivesEverySideWithAShareAFamily) {
    std::vector<TaskWorkload> matrices = strangers(3);
    for (int i = 0; i < 40; ++i)
        matrices.push_back(matrix(fmt::format("m0_2x2_{}", i), random_pattern(1000)));
    const auto split = split_workloads(matrices, {}, 1).value();
    EXPECT_EQ(split.train.size(), 41U);
    EXPECT_EQ(split.validation.size(), 1U);
    EXPECT_EQ(split.test.size(), 1U);
    const auto two_sides = split_workloads(strangers(2), {.train = 1, .validation = 0, .test = 1e-3}, 1);
    EXPECT_EQ(two_sides->train.size(), 1U);
    EXPECT_THAT(two_sides->validation, IsEmpty());
    EXPECT_EQ(two_sides->test.size(), 1U);
}

TEST(MatrixSplitting, RefusesWhatCantBeSplit) {
    const std::vector family{matrix("a", random_pattern(1)), matrix("a_t", random_pattern(2)),
                             matrix("b", random_pattern(3))};
    EXPECT_THAT(split_workloads(family, {}, 1).error().message,
                HasSubstr("3 workloads can't be split into 3 parts"));
    EXPECT_THAT(split_workloads(family, {.train = -1}, 1).error().message,
                HasSubstr("-1, expected 0 or more"));
    EXPECT_THAT(split_workloads(family, {0, 0, 0}, 1).error().message, HasSubstr("expected one above 0"));
}

TEST(Leaks, AreListedWithTheirSides) {
    const std::vector matrices{matrix("a", random_pattern(1)), matrix("b", random_pattern(2)),
                               matrix("a_16x4_0", random_pattern(3)), matrix("c", random_pattern(4))};
    EXPECT_THAT(leaks({{0, 2}, {1}, {3}}, matrices), IsEmpty());
    EXPECT_THAT(leaks({{0}, {1}, {2, 3}}, matrices),
                ElementsAre(Leak{0, SplitSide::Train, 2, SplitSide::Test}));
    EXPECT_THAT(leaks({{1}, {1}, {3}}, matrices),
                ElementsAre(Leak{1, SplitSide::Train, 1, SplitSide::Validation}));
}

TEST(TrainingSubsets, OfOneSeedAreNested) {
    const auto split = split_workloads(strangers(60), {}, 1).value();
    std::set<std::size_t> fewer;
    for (const std::size_t count : {0U, 1U, 5U, 10U, 25U, 48U}) {
        const auto subset = as_set(training_subset(split, count, 3));
        EXPECT_EQ(subset.size(), count);
        EXPECT_TRUE(std::ranges::includes(subset, fewer)) << count;
        EXPECT_TRUE(std::ranges::includes(split.train, subset)) << count;
        fewer = subset;
    }
    EXPECT_EQ(training_subset(split, 1000, 3).size(), split.train.size());
    EXPECT_NE(training_subset(split, 10, 3), training_subset(split, 10, 4));
}

class WorkspaceSplit : public testing::StoreTest {
protected:
    WorkspaceSplit() {
        must(add_workload_name(workspace_, "loaves", "d", "")); // names are unique in a domain only
        for (const char* name : {"a", "b", "c", "d"})
            ids_.push_back(must(add_matrix_name(workspace_, name, "")));
        for (const char* name : {"d", "c", "b"})
            set_.workloads.push_back({name});
    }

    Workspace workspace_ = create();
    std::vector<WorkloadId> ids_;
    TaskSet set_{.setting = setting_of(Operator::SpMM, 256), .workloads = {}, .tasks = {}};
};

TEST_F(WorkspaceSplit, OfImportedListsIsTakenOverByName) {
    Split stored{"waco", {}};
    stored[SplitPart::Total] = ids_;
    stored[SplitPart::Train] = {ids_[0], ids_[1]};
    stored[SplitPart::Test] = {ids_[3]};
    must(save_split(workspace_, stored));
    const auto split = must(load_split(workspace_, "waco", set_));
    EXPECT_THAT(split.train, ElementsAre(2)) << "a is not in the task set";
    EXPECT_THAT(split.validation, ElementsAre());
    EXPECT_THAT(split.test, ElementsAre(0)) << "c is on no side";
}

TEST_F(WorkspaceSplit, ComesBackAsItWasKept) {
    const WorkloadSplit split{{0}, {2}, {1}};
    must(store_split(workspace_, "mine", split, set_));
    const auto back = must(load_split(workspace_, "mine", set_));
    EXPECT_EQ(back.train, split.train);
    EXPECT_EQ(back.validation, split.validation);
    EXPECT_EQ(back.test, split.test);
}

TEST_F(WorkspaceSplit, HasToBeThereAndToHaveSomethingToTrainOn) {
    must(store_split(workspace_, "mine", {{}, {0}, {1}}, set_));
    EXPECT_THAT(error_text(load_split(workspace_, "yours", set_)),
                HasSubstr("the workspace has no split 'yours'; it has mine"));
    EXPECT_THAT(error_text(load_split(workspace_, "mine", set_)),
                HasSubstr("none of the training workloads of the split 'mine'"));
}

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

TEST(SplitByRow, DrawsRowsThatArePartOfMoreRows) {
    const TaskSet set = exhaustive({"gemm", "conv"}, {"A", "B"});
    EXPECT_EQ(count_rows(set.tasks[1], std::array<std::size_t, 1>{0}), 512U);
    const auto drawn = [&](std::size_t count, std::uint64_t seed) {
        const std::array<std::size_t, 1> workloads{0};
        const TaskSet rows = drawn_rows(set, 1, workloads, count, 32, seed);
        EXPECT_EQ(rows.tasks.front().machine, "B");
        std::set<Configuration> configurations;
        for (const WorkloadRuntimes& runtimes : rows.tasks.front().runtimes) {
            EXPECT_LE(runtimes.configurations.size(), 32U);
            EXPECT_EQ(rows.workloads[runtimes.workload].whole_name(), "gemm");
            configurations.insert(runtimes.configurations.begin(), runtimes.configurations.end());
        }
        EXPECT_EQ(configurations.size(), count);
        return configurations;
    };
    EXPECT_TRUE(std::ranges::includes(drawn(40, 1), drawn(5, 1)));
    EXPECT_NE(drawn(5, 1), drawn(5, 2));
    EXPECT_THAT(drawn_rows(set, 0, std::array<std::size_t, 2>{0, 1}, 5000, 32, 1).workloads, SizeIs(32))
        << "no more than there are";
}

TEST(SplitByRow, DrawsTheRowsThatFewerOnesLeft) {
    const TaskSet set = exhaustive({"gemm"}, {"A"});
    const std::array<std::size_t, 1> workloads{0};
    std::set<Configuration> configurations;
    for (const TaskSet& rows :
         {drawn_rows(set, 0, workloads, 100, 32, 1), drawn_rows(set, 0, workloads, 512, 32, 1, 100)})
        for (const WorkloadRuntimes& runtimes : rows.tasks.front().runtimes)
            for (const Configuration& each : runtimes.configurations)
                EXPECT_TRUE(configurations.insert(each).second) << "none is in both";
    EXPECT_THAT(configurations, SizeIs(512));
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

TEST(SplitTasks, SpeakInTheWordsOfTheDomainHoweverTheyAreSplit) {
    TaskSet set = exhaustive({"gemm", "conv", "sort"}, {"A", "B", "C"});
    set.words.workload = {"matrix", "matrices"};
    for (TaskWorkload& workload : set.workloads)
        workload.family.clear();
    for (const SplitBy by : {SplitBy::Workload, SplitBy::Row, SplitBy::Machine})
        EXPECT_EQ(split_tasks(set, {.by = by}).value().set.words.workload.many, "matrices") << name(by);
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
