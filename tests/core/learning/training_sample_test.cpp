// Which measurements a sample keeps, on sets that are small enough to count.
#include "learning/training/training_sample.h"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>

namespace sparsight {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Lt;
using ::testing::SizeIs;

constexpr double failed = std::numeric_limits<double>::infinity();

/// `count` configurations of 1, 2 … milliseconds, and as many that failed.
WorkloadRuntimes runtimes_of(std::size_t workload, std::size_t count, std::size_t failures = 0) {
    WorkloadRuntimes runtimes{.workload = workload, .configurations = {}, .milliseconds = {}};
    for (std::size_t i = 0; i < count + failures; ++i) {
        const std::string text = fmt::format("{}/{}", workload, i);
        runtimes.configurations.emplace_back(std::as_bytes(std::span(text)));
        runtimes.milliseconds.push_back(i < count ? static_cast<double>(i + 1) : failed);
    }
    return runtimes;
}

TaskSet set_of(std::vector<WorkloadRuntimes> runtimes) {
    TaskSet set;
    set.workloads.resize(runtimes.size());
    set.tasks.push_back({"m", {}, std::move(runtimes)});
    return set;
}

TEST(TrainingSample, OfAllChangesNothing) {
    TaskSet set = set_of({runtimes_of(0, 20, 5)});
    const SampleReport report = sample_runtimes(set, {});
    EXPECT_EQ(report.kept, 25);
    EXPECT_THAT(set.tasks[0].runtimes[0].milliseconds, SizeIs(25));
}

TEST(TrainingSample, AtRandomKeepsTheShare) {
    TaskSet set = set_of({runtimes_of(0, 60), runtimes_of(1, 30, 10)});
    EXPECT_EQ(sample_runtimes(set, {.rule = SampleRule::Random, .keep = 0.55}).kept, 55);
}

TEST(TrainingSample, ThatIsHardwareAwareKeepsTheShareOfWhatIsFit) {
    TaskSet set = set_of({runtimes_of(0, 80, 20)});
    const SampleReport report = sample_runtimes(set, {.rule = SampleRule::HardwareAware, .keep = 0.55});
    EXPECT_EQ(report.measurements, 100);
    EXPECT_EQ(report.failed, 20);
    EXPECT_EQ(report.slow, 8);
    EXPECT_EQ(report.kept, 55);
    EXPECT_THAT(set.tasks[0].runtimes[0].milliseconds, Each(Lt(73))) << "neither failed nor slow";
}

TEST(TrainingSample, ThatIsHardwareAwareKeepsFewerWhereFewerAreFit) {
    TaskSet set = set_of({runtimes_of(0, 20, 80)});
    EXPECT_EQ(sample_runtimes(set, {.rule = SampleRule::HardwareAware, .keep = 0.55}).kept, 18);
}

TEST(TrainingSample, IsSpreadOverTheRangeOfTimes) {
    TaskSet set = set_of({runtimes_of(0, 100)});
    (void)sample_runtimes(set, {.rule = SampleRule::HardwareAware, .keep = 0.45});
    const auto& times = set.tasks[0].runtimes[0].milliseconds;
    ASSERT_THAT(times, SizeIs(45));
    for (std::size_t i = 0; i < times.size(); ++i)
        EXPECT_NEAR(times[i], 2 * static_cast<double>(i) + 1.5, 0.51) << "one of each two";
}

TEST(TrainingSample, LeavesOutWorkloadsWithTooFewMeasurements) {
    TaskSet set = set_of({runtimes_of(0, 100), runtimes_of(1, 5)});
    const SampleReport report = sample_runtimes(set, {.rule = SampleRule::HardwareAware});
    EXPECT_EQ(report.in_small, 5);
    ASSERT_THAT(set.tasks[0].runtimes, SizeIs(1));
    EXPECT_EQ(set.tasks[0].runtimes[0].workload, 0);
}

TEST(TrainingSample, DoesNotLetCommonFlopsCrowdOutOthers) {
    std::vector<WorkloadRuntimes> runtimes;
    for (std::size_t workload = 0; workload < 10; ++workload)
        runtimes.push_back(runtimes_of(workload, 100));
    TaskSet set = set_of(std::move(runtimes));
    (void)sample_runtimes(set, {.rule = SampleRule::HardwareAware,
                                .keep = 0.2,
                                .flops = [](std::size_t workload) { return workload == 0 ? 1e9 : 1e6; }});
    EXPECT_THAT(set.tasks[0].runtimes[0].milliseconds, SizeIs(50)) << "√1 of √1 + √9, not one in ten";
    EXPECT_NEAR(static_cast<double>(set.tasks[0].runtimes[1].milliseconds.size()), 150.0 / 9, 1);
}

TEST(TrainingSample, KeepsSpreadsAndBaselineWithTheirConfigurations) {
    WorkloadRuntimes runtimes = runtimes_of(0, 10);
    runtimes.spreads = runtimes.milliseconds;
    runtimes.baseline = 4;
    TaskSet set = set_of({std::move(runtimes)});
    (void)sample_runtimes(set, {.rule = SampleRule::HardwareAware, .keep = 0.9, .slowest = 0.1});
    const WorkloadRuntimes& kept = set.tasks[0].runtimes[0];
    EXPECT_EQ(kept.spreads, kept.milliseconds);
    ASSERT_TRUE(kept.baseline);
    EXPECT_EQ(kept.milliseconds[*kept.baseline], 5);
}

TEST(TrainingSample, LeavesTheWorkloadsAloneThatTest) {
    for (const SampleRule rule : {SampleRule::Random, SampleRule::HardwareAware}) {
        TaskSet set = set_of({runtimes_of(0, 100), runtimes_of(1, 90, 10)});
        const SampleReport report = sample_runtimes(set, {.rule = rule, .keep = 0.5, .workloads = {0}});
        EXPECT_EQ(report.kept, 50);
        EXPECT_THAT(set.tasks[0].runtimes[1].milliseconds, SizeIs(100)) << name(rule);
    }
}

TEST(TrainingSample, OfANamedRule) {
    EXPECT_EQ(parse_sample_rule("hardware-aware"), SampleRule::HardwareAware);
    EXPECT_FALSE(parse_sample_rule("best"));
}

} // namespace
} // namespace sparsight
