#include "learning/simulated_tasks.h"

#include "machine/machine_presets.h"
#include "machine/paper_formula.h"

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
    set.dense = 64;
    for (const char* name : {"a", "b"})
        set.matrices.push_back({name, {}, [&patterns_read] {
                                    ++patterns_read;
                                    return small_pattern();
                                }});
    const std::vector schedules{fixed_csr(Operator::SpMM, 1), fixed_csr(Operator::SpMM, 2),
                                fixed_csr(Operator::SpMM, 3)};
    set.tasks.push_back(
        {"real", {}, {{1, schedules, {120, 60, never}, {12, 6, 0}}, {0, schedules, {1, 2, 3}, {}}}});
    return set;
}

/// The more non-zeros, threads and dense columns, the slower.
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
            times.push_back(static_cast<double>(runs.pattern->nnz() * schedule.threads * runs.dense) /
                            *machine.cores);
        return times;
    }
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
    const MatrixRuntimes& first = tasks[0].runtimes[0];
    EXPECT_EQ(first.matrix, 1U);
    EXPECT_EQ(first.schedules, set.tasks[0].runtimes[0].schedules);
    EXPECT_THAT(first.milliseconds, ElementsAre(DoubleEq(0.36), DoubleEq(0.18), never));
    EXPECT_THAT(first.spreads, ElementsAre(DoubleEq(0.036), DoubleEq(0.018), 0));
    EXPECT_THAT(tasks[0].runtimes[1].spreads, IsEmpty());
    EXPECT_EQ(patterns_read, 0) << "the formula looks at none";
}

TEST(SimulatedTasks, MayLookAtPatternsAndForgetWhatWasRecorded) {
    int patterns_read = 0;
    const TaskSet set = recorded_set(patterns_read);
    const std::vector machines{report_machine_a(), report_machine_b()};
    const auto tasks = simulated_tasks(set, set.tasks[0], machines, CountingSimulator()).value();
    EXPECT_THAT(tasks[0].runtimes[0].milliseconds, ElementsAre(24, 48, 72));
    EXPECT_THAT(tasks[1].runtimes[0].milliseconds, ElementsAre(12, 24, 36));
    EXPECT_THAT(tasks[0].runtimes[0].spreads, IsEmpty());
    EXPECT_EQ(patterns_read, 2) << "each once for all machines";
}

TEST(SimulatedTasks, NameTheMatrixThatFails) {
    int patterns_read = 0;
    TaskSet set = recorded_set(patterns_read);
    const std::vector<MachineDescription> unknown(1);
    EXPECT_THAT(simulated_tasks(set, set.tasks[0], unknown, CountingSimulator()).error().message,
                HasSubstr("the matrix b: no cores"));
    set.matrices[1].pattern = [] { return fail(Fault::Input, "damaged"); };
    EXPECT_THAT(simulated_tasks(set, set.tasks[0], unknown, CountingSimulator()).error().message,
                HasSubstr("the matrix b: damaged"));
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

} // namespace
} // namespace sparsight
