#include "evaluation/diagnosis/paired_measurement.h"

#include "base/random.h"
#include "study/measurement.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace sparsight {
namespace {

/// Times that lie about `milliseconds` as noise that multiplies them does.
std::vector<double> planted(double milliseconds, double noise, int turns, Random& random) {
    std::vector<double> times;
    for (int turn = 0; turn < turns; ++turn)
        times.push_back(milliseconds * std::exp(noise * random.normal()));
    return times;
}

TEST(MeasuredLead, OfHundredsOfTimesIsNeverNoiseHoweverFarRunsLieApart) {
    for (const double spread : {0.0, 0.5, 1.0, 4.4})
        EXPECT_TRUE(differ_beyond_errors(232 * 0.05, 232 * 0.05 * spread, 0.05, 0.05 * spread)) << spread;
    EXPECT_TRUE(differ_beyond_errors(0.05, 0.2, 11.6, 50)) << "whichever stands first";
}

TEST(MeasuredLead, OfTwoTimesIsNoiseWithinTheErrorsOfBoth) {
    EXPECT_FALSE(differ_beyond_errors(1.1, 0.1, 1.0, 0.1));
    EXPECT_TRUE(differ_beyond_errors(1.2, 0.1, 1.0, 0.1));
    EXPECT_FALSE(differ_beyond_errors(1, 0, 1, 0));
}

TEST(MeasuredLead, ATimeIsNeverShorterByAllOfIt) {
    EXPECT_DOUBLE_EQ(shorter_by(10, 10), 5) << "twice as long, or half as long";
    EXPECT_NEAR(shorter_by(10, 0.1), 0.1, 0.002);
    EXPECT_LT(shorter_by(10, 1e6), 10);
    EXPECT_EQ(shorter_by(0, 0), 0);
}

TEST(MeasuredLead, TheErrorOfAMedianShrinksWithTheNumberOfTurns) {
    Random random(1);
    EXPECT_GT(median_error(planted(1, 0.1, 5, random)), 2 * median_error(planted(1, 0.1, 200, random)));
    EXPECT_TRUE(std::isinf(median_error(std::vector{1.0})));
}

// Of 12 values with a spread_of() of 1 there are 11 degrees of freedom, where Student's factor is 2.201.
TEST(MeasuredLead, TheErrorOfAMedianIsThatOfSoFewValues) {
    const auto error_of = [](std::size_t count) {
        std::vector<double> values(count);
        for (std::size_t at = 0; at < count; ++at)
            values[at] = at % 2 == 0 ? -1 : 1;
        std::vector<Milliseconds> times(values.begin(), values.end());
        return median_error(values) / (1.2533 * spread_of(times).count() / std::sqrt(double(count)));
    };
    EXPECT_NEAR(error_of(6), 2.571, 0.001);
    EXPECT_NEAR(error_of(12), 2.201, 0.01);
    EXPECT_NEAR(error_of(16), 2.131, 0.01);
    EXPECT_NEAR(error_of(1000), 1.962, 0.01);
}

// In nineteen of twenty cases the planted time lies within the error.
TEST(MeasuredLead, TheErrorOfAMedianHoldsAsOftenAsItSays) {
    Random random(2);
    int held = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        std::vector<double> times = planted(1, 0.05, 7, random);
        const double error = median_error(times);
        std::ranges::nth_element(times, times.begin() + 3);
        held += std::abs(times[3] - 1) <= error ? 1 : 0;
    }
    EXPECT_GT(held, 880);
    EXPECT_LT(held, 990);
}

TEST(MeasuredLead, InTurnsIsSeenThroughWhatSlowsWholeTurns) {
    const std::vector<double> drift{1, 1.3, 2, 1.1, 1.6};
    std::vector<double> one;
    std::vector<double> other;
    for (const double slow : drift) {
        one.push_back(0.95 * slow);
        other.push_back(1.0 * slow);
    }
    one[2] *= 1.001;
    const MeasuredLead lead = lead_in_turns(one, other);
    EXPECT_NEAR(lead.ratio, 0.95, 1e-3);
    EXPECT_TRUE(lead.wins);
    EXPECT_EQ(lead.turns, 5);
    EXPECT_FALSE(lead_in_turns(other, one).wins);
}

TEST(MeasuredLead, OfEqualSchedulesIsRarelyAWin) {
    Random random(3);
    int wins = 0;
    for (int trial = 0; trial < 1000; ++trial)
        wins += lead_in_turns(planted(1, 0.05, 5, random), planted(1, 0.05, 5, random)).wins ? 1 : 0;
    EXPECT_LT(wins, 60);
}

TEST(MeasuredLead, NeedsThreeTurns) {
    EXPECT_FALSE(lead_in_turns(std::vector{0.5, 0.5}, std::vector{1.0, 1.0}).wins);
    EXPECT_TRUE(lead_in_turns(std::vector{0.5, 0.51, 0.5}, std::vector{1.0, 1.0, 1.01}).wins);
}

} // namespace
} // namespace sparsight
