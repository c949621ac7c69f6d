#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/sparse_setting.h"
#include "domains/sparse/simulator/cache_span.h"
#include "domains/sparse/simulator/simulator.h"
#include "learning/tasks/simulated_tasks.h"
#include "machine/machine_presets.h"

#include <array>
#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double never = std::numeric_limits<double>::infinity();

CsrPattern small_pattern() {
    return {2, 3, {0, 2, 3}, {0, 2, 1}, {}};
}

TaskSet recorded_set(int& patterns_read) {
    TaskSet set;
    set.setting = setting_of(Operator::SpMM, 64);
    for (const char* name : {"a", "b"})
        set.workloads.push_back(task_workload(name, {}, [&patterns_read] {
            ++patterns_read;
            return small_pattern();
        }));
    std::vector<SuperSchedule> schedules(3, fixed_csr(Operator::SpMM, 2));
    for (int place = 0; place < 3; ++place)
        schedules[static_cast<std::size_t>(place)].chunk = 1 + place;
    set.tasks.push_back({"real",
                         {},
                         {schedule_runtimes(1, schedules, {120, 60, never}, {12, 6, 0}),
                          schedule_runtimes(0, schedules, {1, 2, 3})},
                         1});
    return set;
}

/// The more non-zeros and dense columns, and the larger the chunk, the slower.
class CountingSimulator final : public Simulator {
public:
    std::string_view name() const override { return "counting"; }
    bool needs_pattern() const override { return true; }
    bool needs_recorded() const override { return false; }
    Result<std::vector<double>> simulate(const MachineDescription& machine,
                                         const SimulatedRuns& runs) const override {
        if (!machine.cores)
            return fail(Fault::Input, "no cores");
        std::vector<double> times;
        for (const SuperSchedule& schedule : runs.schedules)
            times.push_back(
                static_cast<double>(runs.pattern->nnz() * schedule.chunk * schedule.threads * runs.dense) /
                *machine.cores);
        return times;
    }
};

TEST(SimulatedTasks, AreOneForEachMachineOverTheRecordedRuns) {
    int patterns_read = 0;
    const TaskSet set = recorded_set(patterns_read);
    const std::vector machines{report_machine_a(), report_machine_b()};
    const auto tasks =
        simulated_tasks(set, set.tasks[0], machines, ScheduleTaskSimulator(PaperFormula())).value();
    ASSERT_EQ(tasks.size(), 2U);
    EXPECT_EQ(tasks[0].machine, "A");
    EXPECT_EQ(tasks[1].description, report_machine_b());
    ASSERT_EQ(tasks[0].runtimes.size(), 2U);
    const WorkloadRuntimes& first = tasks[0].runtimes[0];
    EXPECT_EQ(first.workload, 1U);
    EXPECT_EQ(first.configurations, set.tasks[0].runtimes[0].configurations);
    EXPECT_EQ(tasks[0].threads, 1);
    EXPECT_THAT(first.milliseconds, ElementsAre(DoubleEq(0.36), DoubleEq(0.18), never));
    EXPECT_THAT(first.spreads, ElementsAre(DoubleEq(0.036), DoubleEq(0.018), 0));
    EXPECT_THAT(tasks[0].runtimes[1].spreads, IsEmpty());
    EXPECT_EQ(patterns_read, 0) << "the formula looks at none";
}

TEST(SimulatedTasks, MayLookAtPatternsAndForgetWhatWasRecorded) {
    int patterns_read = 0;
    const TaskSet set = recorded_set(patterns_read);
    const std::vector machines{report_machine_a(), report_machine_b()};
    const auto tasks =
        simulated_tasks(set, set.tasks[0], machines, ScheduleTaskSimulator(CountingSimulator())).value();
    EXPECT_THAT(tasks[0].runtimes[0].milliseconds, ElementsAre(24, 48, 72));
    EXPECT_THAT(tasks[1].runtimes[0].milliseconds, ElementsAre(12, 24, 36));
    EXPECT_THAT(tasks[0].runtimes[0].spreads, IsEmpty());
    EXPECT_EQ(patterns_read, 2) << "each once for all machines";
}

TEST(SimulatedTasks, NameTheMatrixThatFails) {
    int patterns_read = 0;
    TaskSet set = recorded_set(patterns_read);
    const std::vector<MachineDescription> unknown(1);
    EXPECT_THAT(simulated_tasks(set, set.tasks[0], unknown, ScheduleTaskSimulator(CountingSimulator()))
                    .error()
                    .message,
                HasSubstr("the matrix b: no cores"));
    set.workloads[1].load = [] { return fail(Fault::Input, "damaged"); };
    EXPECT_THAT(simulated_tasks(set, set.tasks[0], unknown, ScheduleTaskSimulator(CountingSimulator()))
                    .error()
                    .message,
                HasSubstr("the matrix b: damaged"));
}

TEST(SimulatedTasks, CanBeStopped) {
    int patterns_read = 0;
    const TaskSet set = recorded_set(patterns_read);
    std::stop_source source;
    source.request_stop();
    const std::vector machines{report_machine_a()};
    EXPECT_EQ(simulated_tasks(set, set.tasks[0], machines, ScheduleTaskSimulator(PaperFormula()),
                              source.get_token())
                  .error()
                  .fault,
              Fault::Cancelled);
}

PatternStatistics square(std::int64_t rows, std::int64_t nnz) {
    PatternStatistics matrix;
    matrix.rows = rows;
    matrix.cols = rows;
    matrix.nnz = nnz;
    return matrix;
}

MachineDescription machine(double l1, double l2, double l3) {
    MachineDescription machine;
    machine.cores = 4;
    machine.coefficients = {
        {MachineParameter::L1Bytes, l1}, {MachineParameter::L2Bytes, l2}, {MachineParameter::L3Bytes, l3}};
    return machine;
}

TEST(WorkingSets, AreTheBytesOfAllOperands) {
    const PatternStatistics matrix = square(100, 500);
    const double sparse = 101 * 4 + 500 * 8;
    const WorkingSet product = whole_working_set(Operator::SpMM, 256, matrix);
    EXPECT_EQ(product.of_all(), sparse + 2 * 100 * 256 * 4);
    EXPECT_EQ(product.of_core(4), (sparse + 100 * 256 * 4) / 4 + 100 * 256 * 4) << "B is read by every core";
    EXPECT_EQ(least_working_set(Operator::SpMM, 256, matrix).of_all(), sparse + 2 * 100 * 64)
        << "a cache line of each row at a time";
    EXPECT_EQ(whole_working_set(Operator::SpMV, 256, matrix).of_all(), sparse + 2 * 100 * 4);
    EXPECT_EQ(whole_working_set(Operator::SDDMM, 32, matrix).of_all(), sparse + 500 * 4 + 2 * 100 * 32 * 4);
}

TEST(CacheGaps, AreNoneWhereMatricesLieOnBothSidesOfEveryCache) {
    const std::array matrices{square(100, 500), square(100'000, 1'000'000)};
    const std::array machines{machine(32 << 10, 1 << 20, 16 << 20)};
    EXPECT_THAT(cache_gaps(Operator::SpMM, 256, matrices, machines), IsEmpty());
}

TEST(CacheGaps, NameTheCacheThatAllFitIntoAndTheOneThatNoneDoes) {
    const std::array matrices{square(2000, 10'000), square(4000, 20'000)};
    const std::array machines{machine(32 << 10, 1 << 20, 2 << 20), machine(32 << 10, 1 << 20, 256 << 20)};
    const auto gaps = cache_gaps(Operator::SpMM, 256, matrices, machines);
    ASSERT_EQ(gaps.size(), 2U);
    EXPECT_EQ(gaps[0], (CacheGap{1, false, 2, 2, 32 << 10}));
    EXPECT_EQ(gaps[1], (CacheGap{3, true, 1, 2, (256 << 20) + 4 * (1 << 20)}));
    EXPECT_THAT(sentence(gaps[0], Operator::SpMM, 256),
                HasSubstr("L1 cache can't be learned on 2 of 2 simulated machines: no matrix fits into it "
                          "(32.0 KiB); smaller matrices would help: `simulate uniform --param rows=128"));
    EXPECT_THAT(sentence(gaps[1], Operator::SpMM, 256),
                HasSubstr("L3 cache can't be learned on 1 of 2 simulated machines: every matrix fits"));

    // What the sentences propose closes the gaps.
    const std::array helped{matrices[0], matrices[1], square(128, 820), square(262'144, 2'000'000)};
    EXPECT_THAT(sentence(gaps[1], Operator::SpMM, 256), HasSubstr("multi-diagonal --param size=262144"));
    EXPECT_THAT(cache_gaps(Operator::SpMM, 256, helped, machines), IsEmpty());
}

} // namespace
} // namespace sparsight
