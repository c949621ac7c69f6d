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
        1.4826 * 1.206)
        << "corrected for five values";
}

TEST(WacoProtocol, RunsFiveWarmUpsAndThirtyTimedRuns) {
    FakeKernel kernel{{2.0}};
    const auto rules = timing_rules(Protocol::Waco, Operator::SpMM, false, Milliseconds(0.001));
    const auto timing = time_runs(rules, kernel.run(), kernel.clock());
    ASSERT_TRUE(timing.has_value());
    EXPECT_EQ(timing->repeats, 30);
    EXPECT_EQ(kernel.runs, 34U) << "the first of the five warm-ups is the run that the caller made";
    EXPECT_DOUBLE_EQ(timing->median.count(), 2);
}

TEST(WacoProtocol, RunsFixedCsrTenAndFiftyTimes) {
    FakeKernel kernel{{2.0}};
    const auto rules = timing_rules(Protocol::Waco, Operator::SpMM, true, std::nullopt);
    EXPECT_EQ(time_runs(rules, kernel.run(), kernel.clock())->repeats, 50);
    EXPECT_EQ(kernel.runs, 59U);
}

TEST(WacoProtocol, GivesUpSpmmAboveAHundredMillisecondsOnly) {
    const auto spmm = timing_rules(Protocol::Waco, Operator::SpMM, false, std::nullopt);
    EXPECT_TRUE(is_given_up(spmm, Milliseconds(150)));
    EXPECT_FALSE(is_given_up(spmm, Milliseconds(99)));
    const auto spmv = timing_rules(Protocol::Waco, Operator::SpMV, false, std::nullopt);
    EXPECT_FALSE(is_given_up(spmv, Milliseconds(150)));
}

TEST(AdaptiveProtocol, StopsEarlyWhenRunsAgree) {
    FakeKernel kernel{{10.0}};
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, std::nullopt);
    const auto timing = time_runs(rules, kernel.run(), kernel.clock());
    EXPECT_EQ(timing->repeats, rules.least_repeats);
    EXPECT_DOUBLE_EQ(timing->spread.count(), 0);
}

TEST(AdaptiveProtocol, RunsOnWhileTheMedianIsUncertainAndStopsAtItsBudget) {
    FakeKernel kernel{{5.0, 9.0, 2.0, 14.0}};
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, std::nullopt);
    const auto timing = time_runs(rules, kernel.run(), kernel.clock());
    EXPECT_GT(timing->repeats, rules.least_repeats);
    EXPECT_LE(kernel.time, rules.budget.count());
    EXPECT_GT(timing->spread.count(), 0);
}

TEST(AdaptiveProtocol, GivesUpWhatIsTenTimesSlowerThanTheBest) {
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, Milliseconds(1));
    EXPECT_TRUE(is_given_up(rules, Milliseconds(10.5)));
    EXPECT_FALSE(is_given_up(rules, Milliseconds(9.5)));
}

TEST(AdaptiveProtocol, GivesUpAboveAnAbsoluteLimitUnlessTheBestIsAsSlow) {
    const auto gives_up = [&](std::optional<Milliseconds> best, double first_run) {
        const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, best, Milliseconds(100));
        return is_given_up(rules, Milliseconds(first_run));
    };
    EXPECT_TRUE(gives_up(std::nullopt, 101));
    EXPECT_FALSE(gives_up(std::nullopt, 99));
    EXPECT_TRUE(gives_up(Milliseconds(20), 101));
    EXPECT_FALSE(gives_up(Milliseconds(60), 119));
    EXPECT_TRUE(gives_up(Milliseconds(60), 121));
}

TEST(AdaptiveProtocol, SpendsLittleOnWhatIsSlowerInEveryRunThanTheBestByHalf) {
    FakeKernel kernel{{1.6, 1.61, 1.62}};
    const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, Milliseconds(1));
    EXPECT_EQ(time_runs(rules, kernel.run(), kernel.clock())->repeats, 3);
    FakeKernel sometimes_fast{{1.6, 1.4, 1.62}};
    EXPECT_GT(time_runs(rules, sometimes_fast.run(), sometimes_fast.clock())->repeats, 3);
}

TEST(AdaptiveProtocol, RunsAPossibleWinnerLonger) {
    const auto repeats = [](double best) {
        FakeKernel kernel{{5.0, 9.0, 2.0, 14.0}};
        const auto rules = timing_rules(Protocol::Adaptive, Operator::SpMM, false, Milliseconds(best));
        return time_runs(rules, kernel.run(), kernel.clock())->repeats;
    };
    EXPECT_GT(repeats(7.0), 1.5 * repeats(6.0)) << "its median is 7";
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
    const auto timing = time_runs(rules, run, kernel.clock(), source.get_token());
    ASSERT_TRUE(timing.has_value());
    EXPECT_EQ(timing->repeats, 4);
    source = {};
    source.request_stop();
    EXPECT_FALSE(time_runs(rules, run, kernel.clock(), source.get_token()).has_value());
}

TEST(ProtocolNames, RoundTrip) {
    EXPECT_EQ(parse_protocol("adaptive"), Protocol::Adaptive);
    EXPECT_EQ(parse_protocol("waco"), Protocol::Waco);
    EXPECT_EQ(parse_protocol("fast"), std::nullopt);
}

} // namespace
} // namespace sparsight
