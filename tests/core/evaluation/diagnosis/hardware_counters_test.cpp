#include "core/evaluation/diagnosis/invented_clocks.h"
#include "domains/sparse/explanation/measured_clock.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "evaluation/diagnosis/hardware_counters.h"

#include <cerrno>
#include <gmock/gmock.h>
#include <map>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

/// A processor of the test's making: a descriptor is the number of its event.
struct InventedProcessor {
    std::map<int, std::array<std::uint64_t, 3>> values{
        {0, {100, 10, 10}}, {1, {200, 10, 10}}, {2, {7, 10, 10}}};
    std::map<int, int> refused{}; ///< by event: errno
    int closed = 0;

    CounterAccess access() {
        return {.open =
                    [this](HardwareEvent event) {
                        const int number = static_cast<int>(event);
                        return refused.contains(number) ? -refused[number] : number;
                    },
                .read = [this](int descriptor) { return std::optional(values[descriptor]); },
                .close = [this](int) { ++closed; }};
    }
    void count(int event, std::uint64_t more, std::uint64_t enabled, std::uint64_t ran) {
        values[event][0] += more;
        values[event][1] += enabled;
        values[event][2] += ran;
    }
};

TEST(HardwareCounters, TellWhatWasCountedWhileTheWorkRan) {
    InventedProcessor processor;
    const auto counters = HardwareCounters::open(processor.access());
    ASSERT_TRUE(counters);
    const HardwareCounts counts = counters->count([&] {
        processor.count(0, 3000, 50, 50);
        processor.count(1, 9000, 50, 50);
        processor.count(2, 12, 50, 50);
    });
    EXPECT_EQ(counts[HardwareEvent::Cycles], 3000);
    EXPECT_EQ(counts[HardwareEvent::Instructions], 9000);
    EXPECT_EQ(counts[HardwareEvent::CacheMisses], 12);
}

TEST(HardwareCounters, ScaleUpWhatRanOnlyPartOfTheTime) {
    InventedProcessor processor;
    const auto counters = *HardwareCounters::open(processor.access());
    const HardwareCounts counts = counters.count([&] { processor.count(0, 1000, 80, 20); });
    EXPECT_EQ(counts[HardwareEvent::Cycles], 4000);
    EXPECT_EQ(counts[HardwareEvent::Instructions], std::nullopt) << "it never ran, so nothing is known";
}

TEST(HardwareCounters, AreGoodWithoutThoseThatTheProcessorLacks) {
    InventedProcessor processor;
    processor.refused = {{2, ENOENT}};
    const auto counters = HardwareCounters::open(processor.access());
    ASSERT_TRUE(counters);
    const HardwareCounts counts = counters->count([&] { processor.count(0, 1000, 10, 10); });
    EXPECT_EQ(counts[HardwareEvent::Cycles], 1000);
    EXPECT_EQ(counts[HardwareEvent::CacheMisses], std::nullopt);
}

TEST(HardwareCounters, SayWhyThereAreNone) {
    const auto refusal = [](int error) {
        InventedProcessor processor;
        processor.refused = {{0, error}, {1, error}, {2, error}};
        const auto counters = HardwareCounters::open(processor.access());
        EXPECT_FALSE(counters);
        EXPECT_EQ(counters.error().fault, Fault::Environment);
        return counters.error().message;
    };
    EXPECT_THAT(refusal(ENOENT), HasSubstr("not available here: the processor, or the virtual machine"));
    EXPECT_THAT(refusal(EACCES), HasSubstr("not available here: this user may not count"));
    EXPECT_THAT(refusal(ENOSYS), HasSubstr("not available here: this system has no perf events"));
}

TEST(HardwareCounters, AreClosedOnce) {
    InventedProcessor processor;
    {
        auto counters = *HardwareCounters::open(processor.access());
        const HardwareCounters moved = std::move(counters);
    }
    EXPECT_EQ(processor.closed, 3);
}

TEST(HardwareCounters, OfThisComputerCountOrSayWhyNot) {
    const auto counters = HardwareCounters::open();
    if (!counters) {
        EXPECT_THAT(counters.error().message, HasSubstr("not available here: "));
        GTEST_SKIP() << counters.error().message;
    }
    volatile double sum = 0;
    const HardwareCounts counts = counters->count([&] {
        for (int i = 0; i < 1'000'000; ++i)
            sum = sum + i;
    });
    if (counts[HardwareEvent::Instructions]) {
        EXPECT_GT(*counts[HardwareEvent::Instructions], 1e6);
    }
}

using testing::InventedClock;

/// Counts how often it was asked for a count, twice for each that is made.
struct CountingProcessor {
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
    KernelInputs workload = *KernelInputs::make(pattern, Operator::SpMM, 8, 1);
    KernelCompiler compiler = *KernelCompiler::make();
    CountingProcessor processor;
    Result<HardwareCounters> counters = HardwareCounters::open(processor.access());
    Team team{1};
    const SuperSchedule csr = canonical(fixed_csr(Operator::SpMM, 1));
    const SuperSchedule other =
        canonical(*parse_schedule(Operator::SpMM, "2 1 8 i1 i0 k1 k0 j1 j0 0 1 0 1 i1 1 8"));

    [[nodiscard]] Explanation explanation(bool is_other_cut_off) const {
        InventedClock clock([&](const SuperSchedule& schedule) {
            const bool is_other = schedule.is_split(Index::I);
            return ClockTime{.milliseconds = is_other ? 9.0 : 1.0,
                             .is_at_least = is_other && is_other_cut_off};
        });
        return {.blame = *find_blame(*ScheduleHybrids::make(csr, other), clock),
                .from = {.schedule = csr, .parts = {}},
                .to = {.schedule = other, .parts = {}},
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
