#include "core/store/store_fixture.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/tasks/task.h"
#include "learning/tasks/workspace_tasks.h"
#include "machine/machine_description.h"
#include "store/sqlite.h"
#include "support/test_files.h"

#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double not_measured = std::numeric_limits<double>::infinity();

/// Another schedule for each number.
SuperSchedule numbered(int number) {
    SuperSchedule schedule = fixed_csr(Operator::SpMM, 4);
    schedule.chunk = 64 + number;
    return schedule;
}

RecordedRuntime ran(int number, double milliseconds, std::optional<double> spread = 0.01) {
    return {configuration_of(numbered(number)), MeasurementStatus::Measured, milliseconds, spread};
}
RecordedRuntime gave_up(int number, double after) {
    return {configuration_of(numbered(number)), MeasurementStatus::GaveUp, after, 0.0};
}
RecordedRuntime failed(int number, MeasurementStatus status = MeasurementStatus::Failed) {
    return {configuration_of(numbered(number)), status};
}

class RuntimeRulesTest : public ::testing::Test {
protected:
    WorkloadRuntimes apply(const std::vector<RecordedRuntime>& stored,
                           LearningGoal goal = LearningGoal::Order) {
        return apply_rules(stored, rules_, goal, counts_);
    }

    BelievableTimes rules_ = make_sparse_domain()->believable_times();
    RuntimeCounts counts_;
};

TEST_F(RuntimeRulesTest, TakeTimesInTheOrderOfTheirRecording) {
    const auto taken = apply({ran(2, 3), ran(1, 5, 0.5)});
    EXPECT_THAT(taken.configurations,
                ElementsAre(configuration_of(numbered(2)), configuration_of(numbered(1))));
    EXPECT_THAT(taken.milliseconds, ElementsAre(3, 5));
    EXPECT_THAT(taken.spreads, ElementsAre(0.01, 0.5));
    EXPECT_EQ(counts_, (RuntimeCounts{.measurements = 2, .runtimes = 2}));
}

TEST_F(RuntimeRulesTest, TakeEveryKindOfFailureForSlowerThanAllThatRan) {
    const auto taken = apply({ran(1, 3), failed(2), failed(3, MeasurementStatus::TooLarge),
                              failed(4, MeasurementStatus::Mismatch)});
    EXPECT_THAT(taken.milliseconds, ElementsAre(3, not_measured, not_measured, not_measured));
    EXPECT_THAT(taken.spreads, ElementsAre(0.01, 0, 0, 0))
        << "what did not run has no spread, but hides no other";
    EXPECT_EQ(counts_, (RuntimeCounts{.measurements = 4, .runtimes = 4, .failed = 3}));
}

TEST_F(RuntimeRulesTest, DoNotOrderWhatRanLongerThanAGivenUpOneWaited) {
    const auto taken =
        apply({ran(1, 3), gave_up(2, 12), ran(3, 11.5), ran(4, 13), gave_up(5, 40), failed(6)});
    EXPECT_THAT(taken.milliseconds, ElementsAre(3, not_measured, 11.5, 13, not_measured, not_measured))
        << "what was measured keeps its time";
    EXPECT_THAT(taken.waits, ElementsAre(0, 12, 0, 0, 40, 0));
    EXPECT_EQ(counts_, (RuntimeCounts{.measurements = 6, .runtimes = 6, .failed = 1, .given_up = 2}));
    const RankedTimes known = taken.known();
    for (const std::size_t faster : {0U, 2U})
        EXPECT_TRUE(known.is_slower(1, faster)) << "slower than it waited";
    EXPECT_FALSE(known.is_slower(1, 3)) << "it may have taken 12.5";
    EXPECT_FALSE(known.is_slower(3, 1)) << "or 20";
    EXPECT_TRUE(known.is_slower(4, 3)) << "each by its own wait";
    EXPECT_TRUE(known.is_slower(3, 2)) << "both were measured";
    EXPECT_FALSE(known.is_slower(4, 1));
    EXPECT_TRUE(known.is_slower(5, 3)) << "a failure is slower than all that ran";
}

TEST_F(RuntimeRulesTest, KeepTheLongestWaitOfOneConfiguration) {
    EXPECT_THAT(apply({ran(1, 3), gave_up(2, 12), gave_up(2, 40)}).waits, ElementsAre(0, 40));
    EXPECT_THAT(apply({ran(1, 3), gave_up(2, 12), ran(2, 9)}).waits, ElementsAre()) << "it ran";
}

TEST_F(RuntimeRulesTest, LeaveOutliersOutAndCountThem) {
    const auto taken = apply({ran(1, 3e-05), ran(2, 0.001), ran(3, 999.9), ran(4, 1000), ran(5, 372322)});
    EXPECT_THAT(taken.milliseconds, ElementsAre(0.001, 999.9));
    EXPECT_EQ(counts_, (RuntimeCounts{.measurements = 5, .too_short = 1, .too_long = 2, .runtimes = 2}));
}

TEST_F(RuntimeRulesTest, LeaveOutWhatIsDamagedInTheFile) {
    auto stored = std::vector{ran(1, 2), ran(2, 3), ran(3, 4)};
    stored[0].status = MeasurementStatus::Damaged;
    stored[0].median_ms.reset();
    EXPECT_THAT(apply(stored).milliseconds, ElementsAre(3, 4)) << "it is not slower than all others";
    EXPECT_EQ(counts_, (RuntimeCounts{.measurements = 3, .damaged = 1, .runtimes = 2}));
}

TEST_F(RuntimeRulesTest, KeepFixedCsrHoweverLongItTook) {
    const RecordedRuntime baseline{configuration_of(fixed_csr(Operator::SpMM, 4)),
                                   MeasurementStatus::Measured, 5000, 1, true};
    const auto taken = apply({ran(1, 900), baseline, ran(2, 1500)});
    EXPECT_THAT(taken.milliseconds, ElementsAre(900, 5000));
    EXPECT_EQ(taken.baseline, 1U);
    EXPECT_EQ(apply({ran(1, 900), ran(2, 700)}).baseline, std::nullopt);
}

TEST_F(RuntimeRulesTest, KeepTheFastestOfOneConfiguration) {
    RecordedRuntime other_words = ran(1, 2);
    other_words.digest = 5;
    const auto taken = apply({ran(1, 3), ran(2, 7), other_words});
    EXPECT_THAT(taken.configurations,
                ElementsAre(configuration_of(numbered(1)), configuration_of(numbered(2))));
    EXPECT_THAT(taken.milliseconds, ElementsAre(2, 7));
    EXPECT_THAT(taken.digests, ElementsAre(5, 0)) << "those of the words of what was kept";
    EXPECT_EQ(counts_.repeated, 1);
}

TEST_F(RuntimeRulesTest, KnowNoSpreadsWhereOneIsMissing) {
    EXPECT_THAT(apply({ran(1, 3), ran(2, 7, std::nullopt)}).spreads, IsEmpty());
}

TEST_F(RuntimeRulesTest, LeaveOutAMatrixWithoutTwoDifferentRuntimes) {
    for (const auto& stored :
         {std::vector<RecordedRuntime>{}, std::vector{ran(1, 3)}, std::vector{ran(1, 3), ran(2, 3)},
          std::vector{failed(1), gave_up(2, 5)}, std::vector{ran(1, 3), ran(2, 2000)}})
        EXPECT_THAT(apply(stored).configurations, IsEmpty());
    EXPECT_EQ(counts_, (RuntimeCounts{.measurements = 7, .too_long = 1, .without_order = 6}));
    EXPECT_EQ(apply({ran(1, 3), failed(2)}).configurations.size(), 2U)
        << "one that ran and one that failed have an order";
}

TEST_F(RuntimeRulesTest, KeepAMatrixWithOneRuntimeWhereTimesAreLearned) {
    EXPECT_THAT(apply({ran(1, 3)}, LearningGoal::Times).milliseconds, ElementsAre(3));
    EXPECT_THAT(apply({ran(1, 3), ran(2, 3)}, LearningGoal::Times).milliseconds, ElementsAre(3, 3));
    EXPECT_THAT(apply({failed(1)}, LearningGoal::Times).milliseconds, IsEmpty()) << "no time to learn";
    EXPECT_EQ(counts_, (RuntimeCounts{.measurements = 4, .without_order = 1, .runtimes = 3}));
}

TEST_F(RuntimeRulesTest, AccountForEveryMeasurement) {
    apply({ran(1, 3), gave_up(2, 12), ran(4, 13), ran(1, 2), failed(7), ran(8, 1e-6), ran(9, 1e6)});
    apply({ran(1, 3)});
    EXPECT_EQ(counts_.measurements, 8);
    EXPECT_EQ(counts_.too_short + counts_.too_long + counts_.repeated + counts_.without_order +
                  counts_.runtimes,
              counts_.measurements);
}

using testing::error_text;
using ::testing::HasSubstr;
using testing::measured;
using testing::must;
using testing::numbered_schedule;

class WorkspaceTasksTest : public testing::StoreTest {
protected:
    [[nodiscard]] static TaskRequest asked_for(Operator op = Operator::SpMM) {
        return {.setting = setting_of(op, 256)};
    }
    WorkloadId matrix(const std::string& name, int scale = 4) {
        return must(
            add_matrix(workspace_, {name, "", {}}, *generate_matrix("power-law", {{"scale", scale}}, 1)));
    }
    void record(WorkloadId matrix, MachineId machine, std::vector<double> milliseconds,
                const std::string& protocol = "adaptive", Operator op = Operator::SpMM) {
        for (int number = 0; const double time : milliseconds)
            must(record_measurement(workspace_, {matrix, machine, 256, protocol},
                                    numbered_schedule(number++, op), measured(time)));
    }
    [[nodiscard]] WorkspaceTasks tasks(const TaskRequest& request = asked_for()) {
        return must(sparse_tasks(workspace_, request));
    }

    Workspace workspace_ = create();
    MachineId laptop_ = must(record_machine(workspace_, "laptop", "f1", "{}"));
    MachineId xeon_ = must(recorded_machine(workspace_, "xeon"));
};

TEST_F(WorkspaceTasksTest, AreOneForEachMachineOverSharedMatrices) {
    const WorkloadId a = matrix("a", 4);
    matrix("unmeasured", 5);
    const WorkloadId b = matrix("b", 6);
    record(b, laptop_, {1, 2});
    record(a, xeon_, {3, 4}, "waco");
    record(b, xeon_, {5, 6, 7}, "waco");
    const auto found = tasks();
    EXPECT_EQ(found.set.setting, setting_of(Operator::SpMM, 256));
    ASSERT_EQ(found.set.workloads.size(), 2U);
    EXPECT_EQ(found.set.workloads[0].name, "a");
    EXPECT_EQ(found.set.workloads[1].name, "b");
    EXPECT_EQ(pattern_statistics(found.set.workloads[0].statistics).rows, 16);
    EXPECT_EQ(pattern_statistics(found.set.workloads[1].statistics).rows, 64);
    ASSERT_EQ(found.set.tasks.size(), 2U);
    EXPECT_EQ(found.set.tasks[0].machine, "laptop");
    EXPECT_EQ(found.set.tasks[0].threads, 4);
    ASSERT_EQ(found.set.tasks[0].runtimes.size(), 1U);
    EXPECT_EQ(found.set.tasks[0].runtimes[0].workload, 1U);
    EXPECT_EQ(found.set.tasks[1].machine, "xeon");
    ASSERT_EQ(found.set.tasks[1].runtimes.size(), 2U);
    EXPECT_EQ(found.set.tasks[1].runtimes[0].workload, 0U);
    EXPECT_THAT(found.set.tasks[1].runtimes[1].milliseconds, ElementsAre(5, 6, 7));
    EXPECT_THAT(found.unreadable, IsEmpty());
}

TEST_F(WorkspaceTasksTest, ReadPatternsWhenTheyAreAskedFor) {
    record(matrix("a"), laptop_, {1, 2});
    const auto found = tasks();
    EXPECT_EQ(pattern_of(*must(found.set.workloads[0].load())),
              *generate_matrix("power-law", {{"scale", 4}}, 1));
}

TEST_F(WorkspaceTasksTest, KeepTheStatisticsForTheNextTime) {
    record(matrix("a"), laptop_, {1, 2});
    (void)tasks();
    EXPECT_TRUE(parse_statistics(must(find_matrix(workspace_, "a"))->statistics));
}

TEST_F(WorkspaceTasksTest, LeaveOutMatricesKnownByNameAloneAndSaySo) {
    record(matrix("a"), xeon_, {1, 2}, "waco");
    record(must(add_matrix_name(workspace_, "nameless", "")), xeon_, {1, 2, 3}, "waco");
    const auto found = tasks();
    EXPECT_EQ(found.set.workloads.size(), 1U);
    ASSERT_EQ(found.reports.size(), 1U);
    EXPECT_EQ(found.reports[0].workloads, 1);
    EXPECT_EQ(found.reports[0].without_data, 1);
    EXPECT_EQ(found.reports[0].counts, (RuntimeCounts{.measurements = 5, .without_data = 3, .runtimes = 2}));
    EXPECT_THAT(
        sentences(found.reports[0]),
        ElementsAre("xeon (waco, 4 threads): 2 runtimes of 5 measurements of 1 matrix can be learned from",
                    "left out: 1 matrix (3 measurements), known by name alone: import their data"));
}

TEST_F(WorkspaceTasksTest, LeaveOutMatricesWhosePatternCantBeReadAndSayWhy) {
    const auto path = in_folder("b.mtx");
    testing::write_file(path, "%%MatrixMarket matrix coordinate pattern general\n2 3 3\n1 1\n1 3\n2 2\n");
    const WorkloadId gone = must(add_matrix(workspace_, {"b", "", path}, testing::small_pattern(), 0));
    std::filesystem::remove(path);
    record(matrix("a"), laptop_, {1, 2});
    record(gone, laptop_, {1, 2});
    const auto found = tasks();
    EXPECT_EQ(found.set.workloads.size(), 1U);
    ASSERT_EQ(found.unreadable.size(), 1U);
    EXPECT_THAT(found.unreadable[0].text(), HasSubstr("the matrix b: "));
    EXPECT_EQ(found.reports[0].unreadable, 1);
    EXPECT_EQ(found.reports[0].counts.unreadable, 2);
    EXPECT_THAT(sentences(found.reports[0]).back(),
                AllOf(HasSubstr("1 matrix (2 measurements), whose data can't be read, as "),
                      HasSubstr("the matrix b: ")));
}

TEST_F(WorkspaceTasksTest, AreOfOneNumberOfThreadsAndSayWhatIsLeftOut) {
    const WorkloadId a = matrix("a");
    record(a, laptop_, {1, 2, 3});
    record(a, laptop_, {6, 7}, "waco");
    for (int number = 0; const double time : {8, 9, 10, 11}) {
        SuperSchedule on_one_thread = numbered_schedule(number++);
        on_one_thread.threads = 1;
        must(record_measurement(workspace_, {a, laptop_}, on_one_thread, measured(time)));
    }
    const auto most = tasks();
    ASSERT_EQ(most.set.tasks.size(), 1U);
    EXPECT_EQ(most.set.tasks[0].machine, "laptop");
    EXPECT_THAT(most.set.tasks[0].runtimes[0].milliseconds, ElementsAre(8, 9, 10, 11));
    EXPECT_THAT(
        sentences(most.reports[0]),
        ElementsAre(
            "laptop (adaptive, 1 thread): 4 runtimes of 4 measurements of 1 matrix can be learned from",
            "left out of laptop, as no part of this task: 3 with other numbers of threads, "
            "2 of other protocols"));
    TaskRequest request = asked_for();
    request.sources = {{.machine = "laptop", .threads = 4}, {.machine = "laptop", .threads = 1}};
    const auto both = tasks(request);
    ASSERT_EQ(both.set.tasks.size(), 2U);
    EXPECT_EQ(both.set.tasks[0].machine, "laptop, 4 threads");
    EXPECT_THAT(both.set.tasks[0].runtimes[0].milliseconds, ElementsAre(1, 2, 3));
    EXPECT_EQ(both.set.tasks[1].machine, "laptop, 1 thread");
    request.sources = {{.machine = "laptop", .threads = 3}};
    EXPECT_THAT(error_text(sparse_tasks(workspace_, request)),
                HasSubstr("laptop: no measurements (3 threads); left out of laptop"));
}

TEST_F(WorkspaceTasksTest, OfTwoMachinesOfOneNameAreToldApart) {
    const WorkloadId a = matrix("a");
    record(a, laptop_, {1, 2});
    record(a, must(record_machine(workspace_, "laptop", "f2", "{}")), {3, 4});
    const auto found = tasks();
    ASSERT_EQ(found.set.tasks.size(), 2U);
    EXPECT_EQ(found.set.tasks[0].machine, "laptop (f1)");
    EXPECT_EQ(found.set.tasks[1].machine, "laptop (f2)");
}

TEST_F(WorkspaceTasksTest, EndWithAWorkspaceThatCantBeRead) {
    record(matrix("a"), laptop_, {1, 2});
    must(workspace_.database().run("ALTER TABLE payloads RENAME COLUMN content TO other"));
    const auto broken = sparse_tasks(workspace_, asked_for());
    ASSERT_FALSE(broken.has_value()) << "it is not the matrix that can't be read";
    EXPECT_THAT(broken.error().text(), HasSubstr("content"));
}

TEST_F(WorkspaceTasksTest, AreOfTheProtocolWithMostMeasurementsUnlessOneIsNamed) {
    const WorkloadId a = matrix("a");
    record(a, laptop_, {1, 2}, "adaptive");
    record(a, laptop_, {3, 4, 5}, "waco");
    EXPECT_THAT(tasks().set.tasks[0].runtimes[0].milliseconds, ElementsAre(3, 4, 5));
    TaskRequest request = asked_for();
    request.sources = {{"laptop", "adaptive"}};
    EXPECT_THAT(tasks(request).set.tasks[0].runtimes[0].milliseconds, ElementsAre(1, 2));
}

TEST_F(WorkspaceTasksTest, AreOfTheOperatorAndTheMachinesThatAreAskedForInTheirOrder) {
    const WorkloadId a = matrix("a");
    record(a, laptop_, {1, 2});
    record(a, xeon_, {3, 4}, "waco");
    record(a, xeon_, {5, 6}, "waco", Operator::SDDMM);
    TaskRequest request = asked_for();
    request.sources = {{"xeon", ""}, {"f1", ""}};
    const auto both = tasks(request);
    ASSERT_EQ(both.set.tasks.size(), 2U);
    EXPECT_EQ(both.set.tasks[0].machine, "xeon");
    EXPECT_EQ(both.set.tasks[1].machine, "laptop");
    request.setting = asked_for(Operator::SDDMM).setting;
    const auto sddmm = tasks(request);
    ASSERT_EQ(sddmm.set.tasks.size(), 1U);
    EXPECT_THAT(sddmm.set.tasks[0].runtimes[0].milliseconds, ElementsAre(5, 6));
    ASSERT_EQ(sddmm.reports.size(), 2U);
    EXPECT_THAT(sentences(sddmm.reports[1]), ElementsAre("laptop: no measurements"));
}

TEST_F(WorkspaceTasksTest, KnowWhatIsKnownOfTheirMachines) {
    MachineDescription known;
    known.name = "server";
    known.source = MachineSource::Probed;
    known.cores = 8;
    const MachineId server = must(record_machine(workspace_, "server", "f2", machine_to_text(known)));
    const WorkloadId a = matrix("a");
    record(a, server, {1, 2});
    record(a, xeon_, {1, 2}, "waco");
    const auto found = tasks();
    EXPECT_EQ(found.set.tasks[0].machine, "xeon");
    EXPECT_EQ(found.set.tasks[0].description.name, "xeon");
    EXPECT_EQ(found.set.tasks[0].description.cores, std::nullopt);
    EXPECT_EQ(found.set.tasks[1].description, known);
}

TEST_F(WorkspaceTasksTest, AreRefusedWhereThereIsNothingToLearnFrom) {
    EXPECT_THAT(error_text(sparse_tasks(workspace_, asked_for())),
                HasSubstr("nothing to learn from for spmm: no machine has measurements of it"));
    record(must(add_matrix_name(workspace_, "nameless", "")), xeon_, {1, 2, 3}, "waco");
    EXPECT_THAT(error_text(sparse_tasks(workspace_, asked_for())), HasSubstr("known by name alone"));
    TaskRequest unknown = asked_for();
    unknown.sources = {{"vax", ""}};
    EXPECT_THAT(error_text(sparse_tasks(workspace_, unknown)),
                HasSubstr("there is no machine \"vax\"; known machines: "));
}

TEST_F(WorkspaceTasksTest, TakeSchedulesThatMeanTheSameForOneAndKeepItsWords) {
    const WorkloadId a = matrix("a");
    record(a, laptop_, {5, 3});
    SuperSchedule other_words = numbered_schedule(0);
    std::swap(other_words.order[3], other_words.order[4]); // k0, which is not split
    ASSERT_NE(other_words, numbered_schedule(0));
    ASSERT_EQ(configuration_of(other_words), configuration_of(numbered_schedule(0)));
    must(record_measurement(workspace_, {a, laptop_, 256, "adaptive"}, other_words, measured(2)));
    const WorkloadRuntimes runtimes = tasks().set.tasks[0].runtimes[0];
    EXPECT_THAT(runtimes.milliseconds, ElementsAre(2, 3));
    EXPECT_THAT(runtimes.digests, ElementsAre(hash_value(other_words), hash_value(numbered_schedule(1))));
}

TEST_F(WorkspaceTasksTest, OfPublishedRuntimesAccountForEveryMeasurement) {
    SPARSIGHT_NEEDS_SHARED("waco/collected-32-threads/spmm_runtimes.csv.xz");
    SPARSIGHT_NEEDS_SHARED("matrices");
    const auto imported = must(import_runtime_table(
        workspace_, {.file = testing::shared_path("waco/collected-32-threads/spmm_runtimes.csv.xz"),
                     .machine = "32 threads"}));
    EXPECT_EQ(imported.measurements, 152'153);
    EXPECT_EQ(imported.outliers, 8 + 10'669);
    must(add_patterns(workspace_, testing::shared_path("matrices"), imported.matrices));
    const auto found = tasks();
    ASSERT_EQ(found.reports.size(), 1U);
    const TaskReport& report = found.reports[0];
    EXPECT_GE(report.workloads, 40);
    EXPECT_EQ(report.workloads, std::ssize(found.set.workloads));
    EXPECT_EQ(report.workloads + report.without_data + report.without_order, 2033);
    const RuntimeCounts& counts = report.counts;
    EXPECT_EQ(counts.measurements, 152'153);
    EXPECT_EQ(counts.without_data + counts.too_short + counts.too_long + counts.repeated +
                  counts.without_order + counts.runtimes,
              counts.measurements);
    for (const WorkloadRuntimes& runtimes : found.set.tasks[0].runtimes)
        for (const double milliseconds : runtimes.milliseconds)
            EXPECT_TRUE(milliseconds >= 0.001 && milliseconds < 1000) << milliseconds;
}

TEST_F(WorkspaceTasksTest, CanBeStopped) {
    record(matrix("a"), laptop_, {1, 2});
    std::stop_source source;
    source.request_stop();
    const auto stopped = sparse_tasks(workspace_, asked_for(), source.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight
