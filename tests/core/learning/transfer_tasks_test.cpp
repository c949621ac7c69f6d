#include "learning/tasks/transfer_tasks.h"

#include "core/learning/synthetic_tasks.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/cache_span.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/tasks/splits.h"
#include "machine/machine_presets.h"
#include "support/schedule_runtimes.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <limits>
#include <set>

namespace sparsight {
namespace {

using testing::schedule_runtimes;

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::SyntheticMachine;

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
    bool needs_data() const override { return true; }
    bool needs_recorded() const override { return false; }
    Result<std::unique_ptr<const SimulationProfile>> profile(const SimulatedRuns& runs) const override {
        std::vector<double> work;
        for (const SuperSchedule& schedule : schedules_of(runs.configurations, 1))
            work.push_back(static_cast<double>(pattern_of(*runs.data).nnz() * schedule.chunk *
                                               sparse_setting(runs.setting).dense));
        return std::make_unique<Counted>(std::move(work));
    }

private:
    class Counted final : public SimulationProfile {
    public:
        explicit Counted(std::vector<double> work)
            : work_(std::move(work)) {}

        Result<SimulatedTimes> times(const MachineDescription& machine) const override {
            if (!machine.cores)
                return fail(Fault::Input, "no cores");
            SimulatedTimes times{work_};
            for (double& each : times.milliseconds)
                each /= *machine.cores;
            return times;
        }

    private:
        std::vector<double> work_;
    };
};

TEST(SimulatedTasks, AreOneForEachMachineOverTheRecordedRuns) {
    int patterns_read = 0;
    const TaskSet set = recorded_set(patterns_read);
    const std::vector machines{report_machine_a(), report_machine_b()};
    const auto tasks = simulated_tasks(set, set.tasks[0], machines, PaperFormula()).value();
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
    std::vector machines{report_machine_a(), report_machine_b()};
    machines[1].calibration.cross_validation = CrossValidation{"spmm", 256, {.median_error = 1.25}};
    const auto tasks = simulated_tasks(set, set.tasks[0], machines, CountingSimulator()).value();
    EXPECT_THAT(tasks[0].runtimes[0].milliseconds, ElementsAre(24, 48, 72));
    EXPECT_THAT(tasks[1].runtimes[0].milliseconds, ElementsAre(12, 24, 36));
    EXPECT_THAT(tasks[0].runtimes[0].spreads, ElementsAre(DoubleEq(2.4), DoubleEq(4.8), DoubleEq(7.2)))
        << "what is assumed of the simulator";
    EXPECT_THAT(tasks[1].runtimes[0].spreads, ElementsAre(DoubleEq(3), DoubleEq(6), DoubleEq(9)))
        << "what its calibration was found to be worth";
    EXPECT_EQ(patterns_read, 2) << "each once for all machines";
}

TEST(SimulatedTasks, LearnNothingFromDifferencesOfNothing) {
    WorkloadRuntimes runtimes{0, {}, {100, 101, 130, never}};
    add_simulation_error(runtimes, {});
    EXPECT_FALSE(runtimes.known().is_slower(1, 0)) << "the simulator is not that true";
    EXPECT_TRUE(runtimes.known().is_slower(2, 0));
    EXPECT_TRUE(runtimes.known().is_slower(3, 2));
}

TEST(SimulatedTasks, NameTheMatrixThatFails) {
    int patterns_read = 0;
    TaskSet set = recorded_set(patterns_read);
    const std::vector<MachineDescription> unknown(1);
    EXPECT_THAT(simulated_tasks(set, set.tasks[0], unknown, CountingSimulator()).error().message,
                HasSubstr("the workload b: no cores"));
    set.workloads[1].load = [] { return fail(Fault::Input, "damaged"); };
    EXPECT_THAT(simulated_tasks(set, set.tasks[0], unknown, CountingSimulator()).error().message,
                HasSubstr("the workload b: damaged"));
}

TEST(SimulatedTasks, CanBeStopped) {
    int patterns_read = 0;
    const TaskSet set = recorded_set(patterns_read);
    std::stop_source source;
    source.request_stop();
    const std::vector machines{report_machine_a()};
    EXPECT_EQ(simulated_tasks(set, set.tasks[0], machines, PaperFormula(), source.get_token()).error().fault,
              Fault::Cancelled);
}

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
    EXPECT_THAT(split.error().message, HasSubstr("third has usable runtimes of 3 workloads"));
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
