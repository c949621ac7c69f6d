#include "evaluation/diagnosis/counted_runs.h"

#include "core/evaluation/diagnosis/invented_evaluator.h"
#include "matrix/generators/generator.h"
#include "schedule/text.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using testing::InventedEvaluator;

/// Counts how often it was asked for a count, twice for each that is made.
struct InventedProcessor {
    int reads = 0;
    CounterAccess access() {
        return {.open = [](HardwareEvent event) { return static_cast<int>(event); },
                .read =
                    [this](int) {
                        ++reads;
                        const auto count = static_cast<std::uint64_t>(reads);
                        return std::optional(std::array{count * 300, count, count});
                    },
                .close = [](int) {}};
    }
};

/// Fixed CSR against another schedule, on a small matrix and one thread.
class CountedRuns : public ::testing::Test {
protected:
    CsrPattern pattern = *generate_matrix("uniform", {{"rows", 64}, {"cols", 64}}, 1);
    Workload workload = *Workload::make(pattern, Operator::SpMM, 8, 1);
    KernelCompiler compiler = *KernelCompiler::make();
    InventedProcessor processor;
    Result<HardwareCounters> counters = HardwareCounters::open(processor.access());
    Team team{1};
    const SuperSchedule csr = canonical(fixed_csr(Operator::SpMM, 1));
    const SuperSchedule other =
        canonical(*parse_schedule(Operator::SpMM, "2 1 8 i1 i0 k1 k0 j1 j0 0 1 0 1 i1 1 8"));

    [[nodiscard]] Explanation explanation(bool is_other_cut_off) const {
        InventedEvaluator evaluator([&](const SuperSchedule& schedule) {
            return HybridTime{.milliseconds = schedule == other ? 9.0 : 1.0,
                              .is_at_least = schedule == other && is_other_cut_off};
        });
        return {.blame = *find_blame(*HybridSpace::make(csr, other), evaluator),
                .from = {},
                .to = {},
                .schedule_change = {},
                .machine_changes = {},
                .pattern_changes = {},
                .no_counters = "not counted: nothing was run"};
    }
};

TEST_F(CountedRuns, AreOfBothSides) {
    Explanation counted = explanation(false);
    ASSERT_TRUE(count_both_sides(counters, counted, workload, compiler, team));
    EXPECT_TRUE(counted.from.counted);
    EXPECT_TRUE(counted.to.counted);
    EXPECT_EQ(counted.no_counters, "");
}

// A run of it that nobody cuts off may take for ever.
TEST_F(CountedRuns, LeaveOutASideThatWasCutOff) {
    Explanation counted = explanation(true);
    ASSERT_TRUE(count_both_sides(counters, counted, workload, compiler, team));
    EXPECT_TRUE(counted.from.counted);
    EXPECT_FALSE(counted.to.counted);
    EXPECT_THAT(counted.no_counters, HasSubstr("stopped before its end"));
}

TEST_F(CountedRuns, StopWhenTheyAreAskedTo) {
    std::stop_source source;
    source.request_stop();
    Explanation counted = explanation(false);
    const auto stopped = count_both_sides(counters, counted, workload, compiler, team, source.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight
