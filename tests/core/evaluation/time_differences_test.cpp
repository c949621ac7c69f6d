#include "evaluation/time_differences.h"

#include "base/random.h"
#include "evaluation/failures/find_failures.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

using Turns = std::vector<double>;

std::vector<TurnTimes> views_of(const std::vector<Turns>& contenders) {
    return {contenders.begin(), contenders.end()};
}

/// Noise of 5 % on schedules, and of up to 40 % on all of a turn.
class NoisyTurns {
public:
    explicit NoisyTurns(int turns)
        : turns_(turns) {}

    /// Of schedules that take so long, the reference first.
    std::vector<Turns> of(const std::vector<double>& milliseconds) {
        std::vector<Turns> times(milliseconds.size());
        for (int turn = 0; turn < turns_; ++turn) {
            const double slowed = 1 + 0.4 * random_.uniform();
            for (std::size_t place = 0; place < times.size(); ++place)
                times[place].push_back(milliseconds[place] * slowed * std::exp(0.05 * random_.normal()));
        }
        return times;
    }

private:
    int turns_;
    Random random_{7};
};

double median_of_three_to_five(Turns values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

struct MeanGain {
    double told = 0;  ///< of the fastest over the reference, by turns that did not choose it
    double naive = 0; ///< by the shortest median
};

MeanGain mean_gain(const std::vector<double>& milliseconds, int turns) {
    constexpr int matrices = 4000;
    NoisyTurns noisy(turns);
    MeanGain gain;
    for (int matrix = 0; matrix < matrices; ++matrix) {
        const auto times = noisy.of(milliseconds);
        const auto views = views_of(times);
        gain.told += 1 / fastest_by_turn(std::span(views).subspan(1), views[0]).told.ratio - 1;
        double least = median_of_three_to_five(times[1]);
        for (std::size_t place = 2; place < times.size(); ++place)
            least = std::min(least, median_of_three_to_five(times[place]));
        gain.naive += median_of_three_to_five(times[0]) / least - 1;
    }
    return {gain.told / matrices, gain.naive / matrices};
}

TEST(CollectedTime, WinsOnlyBelowTheSpreadsAndBelowTheShortestTimeOfTheBaseline) {
    CollectedTime time{
        .milliseconds = 6.28, .spread_ms = 0.1, .baseline_ms = 12.27, .baseline_spread_ms = 0.1};
    EXPECT_EQ(time.verdict(), Verdict::Faster);
    time.shortest_baseline_ms = 3.53;
    EXPECT_EQ(time.verdict(), Verdict::WithinNoise) << "the baseline itself was faster in a quiet moment";
    time.milliseconds = 3.4;
    EXPECT_EQ(time.verdict(), Verdict::Faster);
    time.spread_ms = 9;
    EXPECT_EQ(time.verdict(), Verdict::WithinNoise) << "by the spreads";
}

TEST(CollectedTime, DiffersByItsSpreadsWhereTwoTimesDo) {
    const CollectedTime uncertain{
        .milliseconds = 1, .spread_ms = 0.1, .baseline_ms = 2, .baseline_spread_ms = 1};
    EXPECT_FALSE(differ_beyond_noise(1, 0.1, 1));
    EXPECT_EQ(uncertain.verdict(), Verdict::WithinNoise);
    const CollectedTime certain{
        .milliseconds = 1, .spread_ms = 0.1, .baseline_ms = 2, .baseline_spread_ms = 0.9};
    EXPECT_TRUE(differ_beyond_noise(1, 0.1, 0.9));
    EXPECT_EQ(certain.verdict(), Verdict::Faster);
}

TEST(CollectedTime, OfNoLengthHasNoSpread) {
    const CollectedTime nothing{.milliseconds = 0, .baseline_ms = 1};
    EXPECT_EQ(nothing.noise(), 0);
}

TEST(CollectedTime, LosesBeyondWhatMovedTheBaseline) {
    CollectedTime time{.milliseconds = 15,
                       .spread_ms = 0.1,
                       .baseline_ms = 10,
                       .baseline_spread_ms = 0.1,
                       .shortest_baseline_ms = 5,
                       .longest_baseline_ms = 10.5};
    EXPECT_EQ(time.verdict(), Verdict::Slower) << "a quiet computer";
    time.longest_baseline_ms = 16;
    EXPECT_EQ(time.verdict(), Verdict::WithinNoise) << "a busy one, which may have lengthened this time, too";
}

TEST(TurnStatistics, EqualSchedulesGainNothingOnAverage) {
    const std::vector<double> equal(9, 2.0); // fixed CSR and eight that were chosen
    for (const int turns : {3, 5}) {
        const MeanGain gain = mean_gain(equal, turns);
        EXPECT_NEAR(gain.told, 0, 0.003) << turns;
        EXPECT_GT(gain.naive, 0.02) << "the luck of the fastest, which is planted here";
    }
}

/// Mean errors of the figures of a regret: 16 known configurations of which a model chose four.
struct RegretBias {
    double best = 0;           ///< share, of the time of the model's fastest
    double best_known = 0;     ///< share
    double regret = 0;         ///< points
    double luckiest_known = 0; ///< the best known by the turns that chose it
};

/// Each of the 16 takes so much longer than the one before.
RegretBias regret_bias(double step, int turns) {
    constexpr int matrices = 1500;
    constexpr std::size_t first_of_model = 3;
    std::vector<double> milliseconds{2};
    for (int known = 0; known < 16; ++known)
        milliseconds.push_back(1 + step * known);
    const double best = (1 + step * first_of_model) / 2;
    NoisyTurns noisy(turns);
    RegretBias bias;
    for (int matrix = 0; matrix < matrices; ++matrix) {
        const auto times = noisy.of(milliseconds);
        const auto views = views_of(times);
        const auto known = std::span(views).subspan(1);
        const FastestByTurn chosen =
            fastest_by_turn(std::vector{known[first_of_model], known[6], known[9], known[12]}, views[0]);
        const FastestByTurn of_all = fastest_by_turn(known, views[0]);
        bias.best += (chosen.told.ratio / best - 1) / matrices;
        bias.best_known += (2 * of_all.told.ratio - 1) / matrices;
        bias.regret += (chosen.told.ratio / of_all.told.ratio - 2 * best) / matrices;
        bias.luckiest_known += (2 * ratio_by_turn(known[of_all.place], views[0]).ratio - 1) / matrices;
    }
    return bias;
}

TEST(TurnStatistics, TheBestKnownOfSixteenIsToldWithoutItsLuckAndARegretToHalfAPercent) {
    for (const double step : {0.0, 0.01, 0.02, 0.05})
        for (const int turns : {5, 15}) {
            const RegretBias bias = regret_bias(step, turns);
            EXPECT_NEAR(bias.best, 0.005, 0.01) << step << ", " << turns;
            EXPECT_NEAR(bias.best_known, 0.005, 0.01) << step << ", " << turns;
            EXPECT_NEAR(bias.regret, 0, 0.008) << step << ", " << turns;
        }
    EXPECT_LT(regret_bias(0, 5).luckiest_known, -0.03) << "which would make a regret of nothing";
}

TEST(TurnStatistics, WhatReallyIsFasterGainsAllOfIt) {
    EXPECT_NEAR(mean_gain({2, 1, 2, 2, 3}, 5).told, 1, 0.01);
}

TEST(TurnStatistics, WhatIsSlowerIsNotMadeFaster) {
    EXPECT_NEAR(mean_gain({2, 2.5, 2.5, 2.5}, 5).told, -0.2, 0.003);
}

TEST(TurnStatistics, AsMuchIsLostWhereTheChoiceIsWrongAsAUserWouldLose) {
    const double gain = mean_gain({2, 1.96, 2, 2, 2, 2}, 5).told; // far below the noise
    EXPECT_GT(gain, 0);
    EXPECT_LT(gain, 1 / 0.98 - 1);
}

TEST(TurnStatistics, WhatSlowsAWholeTurnDownIsNoErrorOfARatio) {
    const TurnRatio ratio = ratio_by_turn(Turns{1, 3, 1.5, 1, 2}, Turns{2, 6, 3, 2, 4});
    EXPECT_DOUBLE_EQ(ratio.ratio, 0.5);
    EXPECT_DOUBLE_EQ(ratio.spread, 0);
    EXPECT_EQ(ratio.error, 0.0);
}

TEST(TurnStatistics, TheErrorIsThatOfATrimmedMeanOfRatios) {
    constexpr int samples = 4000;
    NoisyTurns noisy(5);
    double squares = 0;
    double error = 0;
    for (int sample = 0; sample < samples; ++sample) {
        const auto times = noisy.of({1, 1});
        const TurnRatio ratio = ratio_by_turn(times[1], times[0]);
        squares += (ratio.ratio - 1) * (ratio.ratio - 1);
        error += *ratio.error;
    }
    const double told_over_true = error / samples / std::sqrt(squares / samples);
    EXPECT_GT(told_over_true, 1) << "rather too large than too small";
    EXPECT_LT(told_over_true, 1.2);
}

TEST(TurnStatistics, ADisturbedTurnDoesNotMoveTheRatioAndTheOthersAreAveraged) {
    const Turns reference(5, 1.0);
    EXPECT_DOUBLE_EQ(ratio_by_turn(Turns{2, 2, 2, 2, 40}, reference).ratio, 2);
    EXPECT_DOUBLE_EQ(ratio_by_turn(Turns{0.1, 1, 2, 4, 40}, reference).ratio, 2) << "of 1, 2 and 4";
    EXPECT_NEAR(ratio_by_turn(Turns{0.1, 1, 1, 8, 40}, reference).ratio, 2, 1e-12) << "a median is 1";
}

TEST(TurnStatistics, TurnsInTwoGroupsAreNotPrecise) {
    const TurnRatio ratio = ratio_by_turn(Turns{2, 9, 2, 9, 2}, Turns(5, 1.0));
    EXPECT_DOUBLE_EQ(ratio.spread, 0) << "most agree with the median";
    EXPECT_GT(*ratio.error, 0.5 * ratio.ratio);
    EXPECT_FALSE(ratio.is_precise());
    EXPECT_GT(*ratio_by_turn(Turns{2, 9, 2}, Turns(3, 1.0)).error, 1) << "of three, one alone is kept";
}

TEST(TurnStatistics, AFigureIsPreciseWhereHalfOfItsIntervalIsWithinSixPercent) {
    EXPECT_TRUE((TurnRatio{.ratio = 2, .error = 0.05, .turns = 15}.is_precise()))
        << "2.3 times that is 0.115";
    EXPECT_FALSE((TurnRatio{.ratio = 2, .error = 0.07, .turns = 15}.is_precise()));
    EXPECT_FALSE((TurnRatio{.ratio = 2, .error = 0.05, .turns = 5}.is_precise()))
        << "few turns may agree by luck: Student's factor is 4.3";
    EXPECT_TRUE((TurnRatio{.ratio = 2, .error = 0.025, .turns = 5}.is_precise()));
    EXPECT_FALSE((TurnRatio{.ratio = 2, .turns = 1}.is_precise())) << "of one turn the error is unknown";
}

TEST(TurnStatistics, ARatioDiffersWhereItsIntervalLeavesOneOut) {
    EXPECT_TRUE((TurnRatio{.ratio = 1.1, .error = 0.02, .turns = 5}.differs()));
    EXPECT_FALSE((TurnRatio{.ratio = 1.1, .error = 0.03, .turns = 5}.differs()));
    EXPECT_TRUE((TurnRatio{.ratio = 1.1, .error = 0.03, .turns = 15}.differs()));
    EXPECT_TRUE((TurnRatio{.ratio = 1 / 1.1, .error = 0.02 / 1.21, .turns = 5}.differs()))
        << "either way round";
    EXPECT_FALSE((TurnRatio{.ratio = 1.1, .turns = 1}.differs()));
}

/// How often the interval of the told ratio has the truth in it, where turns go on as in a rematch.
double coverage(double noise, std::size_t contenders, std::size_t least, std::size_t most) {
    constexpr int samples = 1500;
    Random random(5);
    int covered = 0;
    for (int sample = 0; sample < samples; ++sample) {
        std::vector<Turns> times(contenders + 1);
        FastestByTurn fastest;
        const auto is_over = [&] {
            const std::size_t turns = times[0].size();
            return turns >= most || (turns > 0 && turns % least == 0 && fastest.told.is_precise());
        };
        while (!is_over()) {
            const double slowed = 1 + 0.4 * random.uniform();
            for (Turns& each : times)
                each.push_back(slowed * std::exp(noise / std::numbers::sqrt2 * random.normal()));
            if (times[0].size() >= least) {
                const auto views = views_of(times);
                fastest = fastest_by_turn(std::span(views).subspan(1), views[0]);
            }
        }
        covered +=
            std::abs(std::log(fastest.told.ratio)) < *fastest.told.margin() / fastest.told.ratio ? 1 : 0;
    }
    return covered / static_cast<double>(samples);
}

TEST(TurnStatistics, TheIntervalHasTheTruthInItAtAboutItsRate) {
    for (const std::size_t turns : {3, 5, 9, 15}) {
        EXPECT_GT(coverage(0.05, 1, turns, turns), 0.94) << turns;
        EXPECT_LT(coverage(0.05, 1, turns, turns), turns == 3 ? 1.0 : 0.985) << turns;
    }
    for (const std::size_t turns : {5, 15})
        EXPECT_GT(coverage(0.05, 5, turns, turns), 0.92) << "the fastest of five that are equal";
}

TEST(TurnStatistics, ToGoOnUntilAFigureIsPreciseHardlyCostsCoverage) {
    for (const double noise : {0.02, 0.05, 0.1})
        EXPECT_GT(coverage(noise, 1, 5, 15), 0.92) << noise;
    EXPECT_GT(coverage(0.05, 4, 5, 15), 0.88) << "the fastest of four that are equal";
}

TEST(TurnStatistics, TurnsThatDisagreeOnTheFastestDependOnEachOther) {
    const Turns reference(5, 1.0);
    const std::vector<Turns> one{{2, 2.1, 2, 1.9, 2}};
    const std::vector<Turns> two{one[0], {2.1, 1.9, 2, 2.05, 1.9}};
    const FastestByTurn alone = fastest_by_turn(views_of(one), reference);
    EXPECT_EQ(alone.told.error, ratio_by_turn(one[0], reference).error);
    const FastestByTurn together = fastest_by_turn(views_of(two), reference);
    EXPECT_NEAR(*together.told.error, 1.5 * *ratio_by_turn(together.ratios, reference).error, 1e-12)
        << "the root of 1 + 5 / 4";
}

/// How often the fastest of the first four of eight equal contenders differs beyond noise.
struct FalseAlarms {
    double from_the_reference = 0;
    double from_the_fastest_of_the_others = 0;
    double from_the_fastest_of_all = 0;
};

TimedConfiguration timed(const FastestByTurn& fastest) {
    return {.configuration = "any",
            .milliseconds = fastest.told.ratio,
            .turn_ratios = fastest.ratios,
            .turns_agree = fastest.turns_agree};
}

FalseAlarms false_alarms(int turns) {
    constexpr int samples = 2000;
    NoisyTurns noisy(turns);
    FalseAlarms alarms;
    const TimedConfiguration reference{.configuration = "reference",
                                       .milliseconds = 1,
                                       .turn_ratios = Turns(static_cast<std::size_t>(turns), 1.0)};
    for (int sample = 0; sample < samples; ++sample) {
        const auto times = noisy.of(std::vector<double>(9, 2.0));
        const auto views = views_of(times);
        const auto contenders = std::span(views).subspan(1);
        const TimedConfiguration chosen = timed(fastest_by_turn(contenders.first(4), views[0]));
        const auto alarm = [&](const TimedConfiguration& against) {
            return significance_of(chosen, against, 0) == Significance::BeyondNoise ? 1.0 / samples : 0;
        };
        alarms.from_the_reference += alarm(reference);
        alarms.from_the_fastest_of_the_others +=
            alarm(timed(fastest_by_turn(contenders.subspan(4), views[0])));
        alarms.from_the_fastest_of_all += alarm(timed(fastest_by_turn(contenders, views[0])));
    }
    return alarms;
}

TEST(TurnStatistics, EqualContendersSeldomDifferBeyondNoise) {
    for (const int turns : {5, 9, 15}) {
        const FalseAlarms alarms = false_alarms(turns);
        EXPECT_LT(alarms.from_the_reference, 0.08) << turns;
        EXPECT_LT(alarms.from_the_fastest_of_the_others, 0.08) << turns;
        EXPECT_LT(alarms.from_the_fastest_of_all, 0.05) << turns << ": often both are one";
    }
}

TEST(TurnStatistics, ARatioOfToldTimesHasTheWiderErrorUnlessTheTurnsAgreeOnBoth) {
    const Turns told{2, 2.1, 2, 1.9, 2};
    const Turns against{1, 1.1, 1, 1.05, 0.9};
    const TurnRatio plain = ratio_by_turn(told, against);
    const TurnRatio agreed = ratio_of_told({told, true}, {against, true});
    EXPECT_EQ(agreed.ratio, plain.ratio);
    EXPECT_EQ(agreed.error, plain.error);
    for (const auto& [first, second] :
         {std::pair(false, true), std::pair(true, false), std::pair(false, false)})
        EXPECT_NEAR(*ratio_of_told({told, first}, {against, second}).error, 1.5 * *plain.error, 1e-12)
            << "the root of 1 + 5 / 4";
}

TEST(TurnStatistics, NamesTheOneThatAllTurnsCallTheFastest) {
    const std::vector<Turns> contenders{{4, 4, 4}, {3, 3, 9}, {1, 5, 5}};
    const FastestByTurn fastest = fastest_by_turn(views_of(contenders), Turns{6, 6, 6});
    EXPECT_EQ(fastest.place, 1U);
    // Without the first turn the medians are 4, 6, 5, without the second 4, 6, 3, without the third 4, 3, 3:
    // the three turns tell 4, 5 and 9.
    EXPECT_DOUBLE_EQ(fastest.told.ratio, 5.0 / 6);
}

TEST(TurnStatistics, ASingleTurnChoosesAndTellsWithoutAnError) {
    const std::vector<Turns> contenders{{4}, {3}};
    const FastestByTurn fastest = fastest_by_turn(views_of(contenders), Turns{6});
    EXPECT_EQ(fastest.place, 1U);
    EXPECT_DOUBLE_EQ(fastest.told.ratio, 0.5);
    EXPECT_FALSE(fastest.told.error.has_value());
}

TEST(FarOff, IsMoreThanTheErrorOfTheSimulatorAndTheSpreadExplain) {
    EXPECT_TRUE(is_far_off(3.1, 9.4, 0.1, 0.1));
    EXPECT_TRUE(is_far_off(9.4, 3.1, 0.1, 0.1)) << "in both directions";
    EXPECT_FALSE(is_far_off(3.1, 9.4, 0.1, 0.6)) << "half of its times are up to 60 % off";
    EXPECT_FALSE(is_far_off(3.1, 9.4, 12, 0.1)) << "the time itself is not known any better";
    EXPECT_TRUE(is_far_off(4.11, 1.6, 1.75, 0.1)) << "longer than 1.6 + 1.75 ms";
    EXPECT_FALSE(is_far_off(4.11, 1.6, 3, 0.1));
    EXPECT_FALSE(is_far_off(1, 1.4, 0, 0)) << "no simulation is that exact";
}

TEST(FarOff, IsSaidWithBothTimesWhereOneIsKnown) {
    EXPECT_EQ(
        far_off_text(4.68, 0.1, {.milliseconds = 2.41}, "recorded", "fixed CSR"),
        "The simulation of fixed CSR takes 4.68 ms; the recorded time is 2.41 ms. Read the simulated parts "
        "with care.");
    EXPECT_THAT(far_off_text(0.666, 0.1, {.milliseconds = 1.022}, "recorded", "the schedule", 1.064),
                ::testing::HasSubstr("the recorded time is 1.022 ms as collected and 1.064 ms in turns. "));
    EXPECT_THAT(far_off_text(1, 0.1, {.milliseconds = 3, .is_at_least = true}, "measured", "the schedule"),
                ::testing::HasSubstr("the measured time is at least 3 ms"));
    EXPECT_EQ(far_off_text(9, 0.1, {.milliseconds = 3, .is_at_least = true}, "measured", "it"), "");
    EXPECT_EQ(far_off_text(3, 0.1, {.milliseconds = 3.1}, "measured", "it"), "");
    EXPECT_EQ(far_off_text(3, 0.1, {}, "measured", "it"), "") << "no time is known";
}

TEST(FarOff, OfManyTimesIsTheirMedianInWhateverDirection) {
    const std::vector<SimulatedAndKnown> times{{2, 1, 0}, {1, 3, 0}, {1, 1, 0}};
    EXPECT_DOUBLE_EQ(far_off_in_median(times, 0.1).value_or(0), 2);
    EXPECT_FALSE(far_off_in_median(times, 0.6)) << "half of its times are up to 60 % off";
    const std::vector<SimulatedAndKnown> one_is_off{{9, 1, 0}, {1, 1, 0}, {1, 1.1, 0}};
    EXPECT_FALSE(far_off_in_median(one_is_off, 0.1));
    const std::vector<SimulatedAndKnown> noisy{{2, 1, 0.9}, {1, 3, 2.7}, {1, 1, 0.9}};
    EXPECT_FALSE(far_off_in_median(noisy, 0.1)) << "the times are not known any better";
    EXPECT_FALSE(far_off_in_median({}, 0.1));
}

} // namespace
} // namespace sparsight
