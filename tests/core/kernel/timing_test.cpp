#include "kernel/timing.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

/// A kernel whose runs take the listed times, again and again, on a clock that only it moves.
struct FakeKernel {
    std::vector<double> run_times;
    double time = 0;
    std::size_t runs = 0;

    std::function<void()> run() {
        return [this] { time += run_times[runs++ % run_times.size()]; };
    }
    Clock clock() {
        return [this] { return Milliseconds(time); };
    }
};

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddles) {
    EXPECT_DOUBLE_EQ(median_of({Milliseconds(3), Milliseconds(1), Milliseconds(2)}).count(), 2);
    EXPECT_DOUBLE_EQ(median_of({Milliseconds(4), Milliseconds(1), Milliseconds(2), Milliseconds(3)}).count(),
                     2.5);
}

TEST(Spread, IsTheScaledMedianDistanceFromTheMedian) {
    EXPECT_DOUBLE_EQ(
        spread_of({Milliseconds(1), Milliseconds(2), Milliseconds(3), Milliseconds(4), Milliseconds(100)})
            .count(),
        1.4826);
}

TEST(WacoProtocol, RunsFiveWarmUpsAndThirtyTimedRuns) {
    FakeKernel kernel{{2.0}};
    const auto rules = timing_rules(Protocol::Waco, Operator::SpMM, false, Milliseconds(0.001));
    const auto timing = time_runs(rules, Milliseconds(2), kernel.run(), kernel.clock());
    ASSERT_TRUE(timing.has_value());
    EXPECT_EQ(timing->repeats, 30);
    EXPECT_EQ(kernel.runs, 34U) << "the first of the five warm-ups is the run that the caller made";
    EXPECT_DOUBLE_EQ(timing->median.count(), 2);
}

TEST(WacoProtocol, RunsFixedCsrTenAndFiftyTimes) {
    FakeKernel kernel{{2.0}};
    const auto rules = timing_rules(Protocol::Waco, Operator::SpMM, true, std::nullopt);
    EXPECT_EQ(time_runs(rules, Milliseconds(200), kernel.run(), kernel.clock())->repeats, 50);
    EXPECT_EQ(kernel.runs, 59U);
}

TEST(WacoProtocol, GivesUpSpmmAboveAHundredMillisecondsOnly) {
    FakeKernel kernel{{150.0}};
    const auto spmm = timing_rules(Protocol::Waco, Operator::SpMM, false, std::nullopt);
    const auto timing = time_runs(spmm, Milliseconds(150), kernel.run(), kernel.clock());
    EXPECT_TRUE(timing->gave_up);
    EXPECT_EQ(timing->repeats, 1);
    EXPECT_EQ(kernel.runs, 0U);
    const auto spmv = timing_rules(Protocol::Waco, Operator::SpMV, false, std::nullopt);
    EXPECT_FALSE(time_runs(spmv, Milliseconds(150), kernel.run(), kernel.clock())->gave_up);
}

TEST(AdaptiveProtocol, StopsEarlyWhenRunsAgree) {
    FakeKernel kernel{{10.0}};
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, std::nullopt);
    const auto timing = time_runs(rules, Milliseconds(10), kernel.run(), kernel.clock());
    EXPECT_EQ(timing->repeats, rules.least_repeats);
    EXPECT_DOUBLE_EQ(timing->spread.count(), 0);
}

TEST(AdaptiveProtocol, RunsOnWhileTheMedianIsUncertainAndStopsAtItsBudget) {
    FakeKernel kernel{{5.0, 9.0, 2.0, 14.0}};
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, std::nullopt);
    const auto timing = time_runs(rules, Milliseconds(5), kernel.run(), kernel.clock());
    EXPECT_GT(timing->repeats, rules.least_repeats);
    EXPECT_LE(kernel.time, rules.budget.count());
    EXPECT_GT(timing->spread.count(), 0);
}

TEST(AdaptiveProtocol, GivesUpWhatIsTenTimesSlowerThanTheBest) {
    FakeKernel kernel{{1.0}};
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, Milliseconds(1));
    EXPECT_TRUE(time_runs(rules, Milliseconds(10.5), kernel.run(), kernel.clock())->gave_up);
    EXPECT_FALSE(time_runs(rules, Milliseconds(9.5), kernel.run(), kernel.clock())->gave_up);
}

TEST(AdaptiveProtocol, SpendsLittleOnWhatIsSlowerInEveryRunThanTheBestByHalf) {
    FakeKernel kernel{{1.6, 1.61, 1.62}};
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, Milliseconds(1));
    EXPECT_EQ(time_runs(rules, Milliseconds(1.6), kernel.run(), kernel.clock())->repeats, 3);
    FakeKernel sometimes_fast{{1.6, 1.4, 1.62}};
    EXPECT_GT(time_runs(rules, Milliseconds(1.6), sometimes_fast.run(), sometimes_fast.clock())->repeats, 3);
}

TEST(AnyProtocol, StopsAfterTheRunInFlightAndKeepsWhatIsMeasured) {
    FakeKernel kernel{{1.0}};
    std::stop_source source;
    const auto run = [&] {
        kernel.run()();
        if (kernel.runs == 8)
            source.request_stop();
    };
    const auto rules = timing_rules(Protocol::Waco, Operator::SpMV, false, std::nullopt);
    const auto timing = time_runs(rules, Milliseconds(1), run, kernel.clock(), source.get_token());
    ASSERT_TRUE(timing.has_value());
    EXPECT_EQ(timing->repeats, 4);
    source = {};
    source.request_stop();
    EXPECT_FALSE(time_runs(rules, Milliseconds(1), run, kernel.clock(), source.get_token()).has_value());
}

TEST(ProtocolNames, RoundTrip) {
    EXPECT_EQ(parse_protocol("adaptive"), Protocol::Adaptive);
    EXPECT_EQ(parse_protocol("waco"), Protocol::Waco);
    EXPECT_EQ(parse_protocol("fast"), std::nullopt);
}

} // namespace
} // namespace sparsight
