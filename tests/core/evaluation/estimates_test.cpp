#include "base/random.h"
#include "evaluation/estimates.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

std::vector<double> normal_sample(std::size_t size, double centre, double deviation, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> values(size);
    for (double& value : values)
        value = centre + deviation * random.normal();
    return values;
}

double deviation_of(const std::vector<double>& values) {
    double squares = 0;
    for (const double value : values)
        squares += (value - mean(values)) * (value - mean(values));
    return std::sqrt(squares / static_cast<double>(values.size()));
}

TEST(Bootstrap, EstimatesWithTheValuesThemselves) {
    const std::vector<double> values{1, 2, 4, 1};
    EXPECT_DOUBLE_EQ(bootstrap(values, &mean).value, 2);
    EXPECT_DOUBLE_EQ(bootstrap(values, &median).value, 1.5);
    EXPECT_DOUBLE_EQ(bootstrap(values, &geometric_mean).value, std::pow(8, 0.25));
}

TEST(Bootstrap, OfAMeanAgreesWithTheNormalTheory) {
    const std::vector<double> values = normal_sample(400, 10, 2, 5);
    const Interval interval = *bootstrap(values, &mean).interval;
    const double half = 1.959964 * deviation_of(values) / std::sqrt(400.0);
    EXPECT_NEAR(interval.low, mean(values) - half, 0.05 * half);
    EXPECT_NEAR(interval.high, mean(values) + half, 0.05 * half);
}

TEST(Bootstrap, OfAShareAgreesWithTheBinomialTheory) {
    std::vector<double> losses(100, 0);
    std::fill_n(losses.begin(), 30, 1.0);
    const Interval interval = *bootstrap(losses, &mean).interval;
    EXPECT_NEAR(interval.low, 0.21, 0.011) << "the 2.5 % quantile of Binomial(100, 0.3) is 21";
    EXPECT_NEAR(interval.high, 0.39, 0.011) << "the 97.5 % quantile of Binomial(100, 0.3) is 39";
}

TEST(Bootstrap, CoversTheTruthAboutAsOftenAsItSays) {
    int covered = 0;
    constexpr int samples = 400;
    for (int sample = 0; sample < samples; ++sample) {
        const auto values = normal_sample(40, 1.1, 0.3, 1000 + static_cast<std::uint64_t>(sample));
        const Estimate estimate = bootstrap(values, &mean, {.resamples = 1000});
        covered += estimate.interval->contains(1.1) ? 1 : 0;
    }
    EXPECT_GT(covered, samples * 90 / 100);
    EXPECT_LT(covered, samples * 99 / 100);
}

TEST(Bootstrap, OfFewValuesIsWiderByStudentsFactor) {
    const Interval three = *bootstrap(std::vector<double>{1, 2, 3}, &mean).interval;
    EXPECT_NEAR(three.high - 2, 4.303 / std::sqrt(3.0), 0.05) << "percentiles end at 1 and 3";
    EXPECT_NEAR(2 - three.low, 4.303 / std::sqrt(3.0), 0.05);
}

TEST(Bootstrap, IsDecidedByItsSeed) {
    const auto values = normal_sample(30, 0, 1, 7);
    EXPECT_EQ(bootstrap(values, &mean, {.seed = 4}), bootstrap(values, &mean, {.seed = 4}));
    EXPECT_NE(bootstrap(values, &mean, {.seed = 4}), bootstrap(values, &mean, {.seed = 5}));
}

TEST(Bootstrap, KnowsNoSpreadOfASingleValueAndNoneWhereAllAreEqual) {
    EXPECT_FALSE(bootstrap(std::vector<double>{3}, &mean).interval.has_value());
    EXPECT_EQ(bootstrap(std::vector<double>{3, 3, 3}, &mean).interval, (Interval{3, 3}));
}

std::vector<SampledValue> sampled(const std::vector<double>& values, std::size_t forms = 1,
                                  double error = 0) {
    std::vector<SampledValue> sample;
    for (const double value : values)
        sample.push_back({value, error, sample.size() / forms});
    return sample;
}

TEST(EstimateByFamily, FormsOfOneWorkloadTellNoMoreThanOneOfThem) {
    const std::vector<double> alone{1, 1.5, 2, 4, 1.2, 0.8};
    std::vector<double> twice;
    for (const double value : alone)
        twice.insert(twice.end(), {value, value});
    const Interval once = *estimate_by_family(sampled(alone), &mean, Scale::Ratio).interval;
    const Interval by_family = *estimate_by_family(sampled(twice, 2), &mean, Scale::Ratio).interval;
    EXPECT_NEAR(by_family.low, once.low, 1e-9);
    EXPECT_NEAR(by_family.high, once.high, 1e-9);
    EXPECT_GT(estimate_by_family(sampled(twice), &mean, Scale::Ratio).interval->low, once.low + 0.05)
        << "as twelve independent ones they would tell more than they do";
}

TEST(EstimateByFamily, FewerThanThreeFamiliesHaveNoInterval) {
    for (const std::size_t forms : {4, 2}) { // one family, two families
        const Estimate estimate = estimate_by_family(sampled({1, 2, 3, 2}, forms), &mean, Scale::Ratio);
        EXPECT_EQ(estimate.value, 2);
        EXPECT_FALSE(estimate.interval) << forms;
    }
    EXPECT_TRUE(estimate_by_family(sampled({1, 2, 3}), &mean, Scale::Ratio).interval);
}

TEST(EstimateByFamily, TheErrorOfTurnsIsInTheIntervalOnce) {
    const Interval equal =
        *estimate_by_family(sampled({2, 2, 2, 2, 2}, 1, 0.1), &geometric_mean, Scale::Ratio).interval;
    EXPECT_NEAR(std::log(equal.high / 2), 2.776 * 0.1 * std::sqrt(5.0 / 4) / std::sqrt(5.0), 0.01)
        << "that five agree is luck, where each is off by 10 %";
    const std::vector<double> scattered{1, 1.5, 2, 4, 1.2, 0.8, 3, 1.1};
    const auto width = [&](double error) {
        const Interval interval =
            *estimate_by_family(sampled(scattered, 1, error), &geometric_mean, Scale::Ratio).interval;
        return std::log(interval.high / interval.low);
    };
    EXPECT_NEAR(width(0.2) / width(0), 1, 0.05) << "the told values scatter by it already";
}

/// How often the intervals of one simulation have the truth in them.
struct Coverage {
    double mean = 0;
    double geometric_mean = 0;
    double median = 0;
};

struct Simulated {
    std::size_t families = 8;
    double sigma = 0.5;    ///< of the logarithms of speedups
    std::size_t forms = 1; ///< of each family, which share most of that
    double turn_error = 0; ///< of each, told with it
    bool by_family = true;
};

Coverage coverage_of(const Simulated& simulated) {
    constexpr int samples = 2000;
    const BootstrapOptions options{.resamples = 200};
    const double shared = simulated.forms > 1 ? 0.8 : 0; // and 0.6 alone: their squares add up to 1
    Random random(3);
    Coverage coverage;
    for (int sample = 0; sample < samples; ++sample) {
        std::vector<SampledValue> values;
        for (std::size_t family = 0; family < simulated.families; ++family) {
            const double common = shared * random.normal();
            for (std::size_t form = 0; form < simulated.forms; ++form) {
                const double own = (simulated.forms > 1 ? 0.6 : 1) * random.normal();
                const double noise = simulated.turn_error * random.normal();
                values.push_back({std::exp(simulated.sigma * (common + own) + noise), simulated.turn_error,
                                  simulated.by_family ? family : values.size()});
            }
        }
        const auto covers = [&](const SampleStatistic& statistic, double truth) {
            return estimate_by_family(values, statistic, Scale::Ratio, options).interval->contains(truth)
                       ? 1.0 / samples
                       : 0;
        };
        const double variance =
            simulated.sigma * simulated.sigma + simulated.turn_error * simulated.turn_error;
        coverage.mean += covers(&mean, std::exp(variance / 2));
        coverage.geometric_mean += covers(&geometric_mean, 1);
        coverage.median += covers(&median, 1);
    }
    return coverage;
}

TEST(EstimateByFamily, CoversTheTruthAboutAsOftenAsItSaysForFewFamiliesAndSkewedSpeedups) {
    for (const std::size_t families : {5, 8, 12, 30})
        for (const double sigma : {0.3, 0.5, 0.8}) {
            const Coverage found = coverage_of({.families = families, .sigma = sigma});
            for (const double coverage : {found.mean, found.geometric_mean}) {
                EXPECT_GT(coverage, 0.90) << families << " families, " << sigma;
                EXPECT_LT(coverage, 0.97) << families << " families, " << sigma;
            }
            EXPECT_GT(found.median, 0.92) << families << " families, " << sigma;
            EXPECT_LT(found.median, families < 12 ? 0.995 : 0.97) << "of few, a median is one of them";
        }
}

TEST(EstimateByFamily, CoversTheTruthAboutAsOftenAsItSaysWithFormsAndNoisyTurns) {
    for (const double turn_error : {0.03, 0.1}) {
        const Coverage noisy = coverage_of({.sigma = 0.3, .turn_error = turn_error});
        EXPECT_GT(noisy.mean, 0.90) << turn_error;
        EXPECT_LT(noisy.mean, 0.97) << turn_error;
    }
    const Coverage forms = coverage_of({.forms = 3});
    EXPECT_GT(forms.mean, 0.90);
    EXPECT_LT(forms.mean, 0.97);
    EXPECT_LT(coverage_of({.forms = 3, .by_family = false}).mean, 0.85) << "each counted for itself";
}

/// How often the interval has the truth (0) in it: what differs from seed to seed and from family to family.
double crossed_coverage(std::size_t seeds, std::size_t families, double of_seeds, double of_families) {
    constexpr int samples = 4000;
    Random random(7);
    int covered = 0;
    for (int sample = 0; sample < samples; ++sample) {
        std::vector<double> effects(families);
        for (double& effect : effects)
            effect = of_families * random.normal();
        std::vector<CrossedValue> values;
        for (std::size_t seed = 0; seed < seeds; ++seed) {
            const double of_seed = of_seeds * random.normal();
            for (std::size_t family = 0; family < families; ++family)
                values.push_back({of_seed + effects[family] + 0.3 * random.normal(), family, seed});
        }
        covered += estimate_crossed(values).interval->contains(0) ? 1 : 0;
    }
    return covered / static_cast<double>(samples);
}

TEST(EstimateCrossed, CoversTheTruthOverSeedsAndFamiliesAboutAsOftenAsItSays) {
    for (const auto& [of_seeds, of_families] :
         {std::pair(1.0, 0.0), std::pair(0.0, 1.0), std::pair(1.0, 1.0)})
        for (const std::size_t families : {4, 12}) {
            const double coverage = crossed_coverage(5, families, of_seeds, of_families);
            EXPECT_GT(coverage, 0.90) << of_seeds << ", " << of_families << ", " << families;
            EXPECT_LT(coverage, 0.99) << "of both the fewer tell Student's factor";
        }
}

TEST(EstimateCrossed, OfSeedsAloneIsStudentsInterval) {
    const std::vector<CrossedValue> seeds{{1, {}, 1}, {2, {}, 2}, {3, {}, 3}};
    const Estimate estimate = estimate_crossed(seeds);
    EXPECT_DOUBLE_EQ(estimate.value, 2);
    EXPECT_NEAR(estimate.interval->high, 2 + 4.303 / std::sqrt(3.0), 1e-12);
    EXPECT_FALSE(estimate_crossed(std::span(seeds).first(1)).interval);
    EXPECT_FALSE(estimate_crossed(std::span(seeds).first(2)).interval);
}

TEST(EstimateCrossed, OfOneOrTwoFamiliesHasNoInterval) {
    std::vector<CrossedValue> values;
    for (std::size_t family = 0; family < 2; ++family) {
        for (std::size_t seed = 0; seed < 5; ++seed)
            values.push_back({static_cast<double>(seed + family), family, seed});
        EXPECT_FALSE(estimate_crossed(values).interval) << "seeds on few families say nothing of others";
    }
    EXPECT_DOUBLE_EQ(estimate_crossed(values).value, 2.5);
    values.push_back({2, 2, 0});
    EXPECT_TRUE(estimate_crossed(values).interval);
}

/// Fixed CSR takes 12 ms everywhere, and all times are without noise.
WorkloadSpeedup took(const char* matrix, double best_ms, double best_known_ms) {
    WorkloadSpeedup speedup{matrix, 12, best_ms, best_known_ms};
    speedup.noise = 0;
    return speedup;
}

const std::vector<WorkloadSpeedup> three{took("a", 6, 6), took("b", 12, 10), took("c", 24, 8)};

TEST(SpeedupSummary, HasTheFiguresOfTheReport) {
    const SpeedupSummary summary = *summarise_speedups(three);
    EXPECT_EQ(summary.workloads, 3U);
    EXPECT_DOUBLE_EQ(summary.mean_relative.value, (1 + 0 - 0.5) / 3) << "speedups of 2, 1 and ½";
    EXPECT_DOUBLE_EQ(summary.mean_relative_with_fallback.value, 1.0 / 3) << "c is run as fixed CSR";
    EXPECT_DOUBLE_EQ(summary.geometric_mean.value, 1);
    EXPECT_DOUBLE_EQ(summary.median.value, 1);
    EXPECT_DOUBLE_EQ(summary.losing->value, 1.0 / 3) << "as fast as fixed CSR is no loss";
    EXPECT_DOUBLE_EQ(summary.worst, 0.5);
    EXPECT_EQ(summary.worst_workload, "c");
    EXPECT_NEAR(summary.regret.value, std::cbrt(1 * 1.2 * 3) - 1, 1e-12);
}

TEST(SpeedupSummary, CountsALossOnlyBeyondItsNoise) {
    std::vector<WorkloadSpeedup> speedups{took("lost", 15, 12), took("noisy", 13, 12),
                                          took("equal", 12.1, 12), took("won", 6, 6)};
    speedups[0].noise = 0.1;
    speedups[1].noise = 0.1;
    const SpeedupSummary summary = *summarise_speedups(speedups);
    EXPECT_DOUBLE_EQ(summary.losing->value, 0.25);
    EXPECT_EQ(summary.slower, 1U);
    EXPECT_EQ(summary.within_noise, 2U) << "a loss below 1 % counts as none, however well it is known";
    EXPECT_TRUE(speedups[0].is_slower());
    EXPECT_FALSE(speedups[3].is_loss_within_noise()) << "a gain is no loss";
}

TEST(SpeedupSummary, DoesNotDecideOnLossesOfUnknownNoise) {
    std::vector<WorkloadSpeedup> speedups{took("lost", 15, 12), took("unknown", 24, 12),
                                          took("equal", 12.1, 12), took("won", 6, 6)};
    for (const std::size_t place : {1U, 2U, 3U})
        speedups[place].noise.reset();
    const SpeedupSummary summary = *summarise_speedups(speedups);
    EXPECT_EQ(summary.slower, 1U);
    EXPECT_EQ(summary.within_noise, 1U) << "a loss below 1 % counts as none, whatever its noise";
    EXPECT_EQ(summary.noise_unknown, 1U) << "a gain is no loss";
    EXPECT_FALSE(summary.losing) << "the share lies between one and two of four";
}

TEST(WorkloadSpeedup, OfAGainIsJudgedByItsNoiseAsThatOfALoss) {
    const auto verdict = [](double best_ms, std::optional<double> noise) {
        WorkloadSpeedup speedup = took("", best_ms, 6);
        speedup.noise = noise;
        return speedup.verdict();
    };
    EXPECT_EQ(verdict(11.5, 0), Verdict::Faster);
    EXPECT_EQ(verdict(6, std::nullopt), Verdict::NoiseUnknown);
    EXPECT_EQ(verdict(24, std::nullopt), Verdict::NoiseUnknown);
    EXPECT_EQ(verdict(11.9, std::nullopt), Verdict::WithinNoise) << "below 1 %";
    EXPECT_EQ(verdict(11.5, 0.05), Verdict::WithinNoise);
    EXPECT_EQ(verdict(12.5, 0.05), Verdict::WithinNoise);
    EXPECT_EQ(verdict(11.9, 0), Verdict::WithinNoise) << "below 1 %";
    EXPECT_EQ(verdict(12.1, 0), Verdict::WithinNoise);
    EXPECT_EQ(verdict(12, 0), Verdict::WithinNoise);
    EXPECT_EQ(verdict(11, 0.05), Verdict::Faster);
    EXPECT_EQ(verdict(13, 0.05), Verdict::Slower);
}

TEST(SpeedupSummary, HasAnIntervalAroundEachFigure) {
    const SpeedupSummary summary = *summarise_speedups(three);
    for (const Estimate& estimate :
         {summary.mean_relative, summary.mean_relative_with_fallback, summary.geometric_mean, summary.median,
          *summary.losing, summary.regret}) {
        ASSERT_TRUE(estimate.interval.has_value());
        EXPECT_TRUE(estimate.interval->contains(estimate.value));
    }
    EXPECT_FALSE(summarise_speedups(std::span(three).first(1))->mean_relative.interval.has_value());
}

TEST(SpeedupSummary, NoLossOnTwelveMatricesMayStillBeAShareOfAQuarter) {
    std::vector<WorkloadSpeedup> twelve(12, took("", 6, 6));
    const Estimate losing = *summarise_speedups(twelve)->losing;
    EXPECT_EQ(losing.value, 0);
    EXPECT_EQ(losing.interval->low, 0);
    EXPECT_NEAR(losing.interval->high, 0.2425, 0.001) << "Wilson's";
    for (std::size_t place = 0; place < twelve.size(); ++place)
        twelve[place].family = std::string(1, static_cast<char>('a' + place % 3));
    EXPECT_GT(summarise_speedups(twelve)->losing->interval->high, 0.5) << "of three families";
    for (std::size_t place = 0; place < twelve.size(); ++place)
        twelve[place].family = place < 6 ? "one" : "other";
    EXPECT_FALSE(summarise_speedups(twelve)->losing->interval) << "of two families";
}

TEST(SpeedupSummary, ReadsFamiliesAndErrorsOfTurns) {
    std::vector<WorkloadSpeedup> speedups = three;
    EXPECT_EQ(summarise_speedups(speedups)->families, 3U);
    const auto width = [](const Estimate& estimate) {
        return estimate.interval->high - estimate.interval->low;
    };
    std::vector<WorkloadSpeedup> equal{took("a", 6, 6), took("b", 6, 6), took("c", 6, 6)};
    EXPECT_EQ(width(summarise_speedups(equal)->geometric_mean), 0);
    for (WorkloadSpeedup& each : equal)
        each.speedup_error = 0.05;
    EXPECT_GT(width(summarise_speedups(equal)->geometric_mean), 0.2) << "of few turns they may agree by luck";
    speedups[0].family = speedups[1].family = speedups[2].family = "one";
    EXPECT_EQ(summarise_speedups(speedups)->families, 1U);
    EXPECT_FALSE(summarise_speedups(speedups)->mean_relative.interval);
    EXPECT_FALSE(summarise_speedups(speedups)->losing->interval);
}

TEST(SpeedupSummary, OfNoMatricesIsNone) {
    EXPECT_FALSE(summarise_speedups({}).has_value());
}

TEST(SpeedupComparison, CountsWinsAndAveragesTheRatioOfTheTimes) {
    const std::vector<WorkloadSpeedup> other{took("a", 12, 6), took("b", 12, 10), took("c", 12, 8)};
    const std::vector<RatioNoise> none(3, RatioNoise{.noise = 0});
    const SpeedupComparison comparison = *compare_speedups(three, other, {}, none);
    EXPECT_EQ(comparison.first_faster, 1);
    EXPECT_EQ(comparison.second_faster, 1);
    EXPECT_DOUBLE_EQ(comparison.geometric_ratio.value, 1) << "twice as fast on a, half as fast on c";
    EXPECT_DOUBLE_EQ(comparison.mean_relative_difference.value, 0.5 / 3);
}

TEST(SpeedupComparison, IsSureOfASmallGainThatIsTheSameOnEveryMatrix) {
    std::vector<WorkloadSpeedup> first;
    std::vector<WorkloadSpeedup> second;
    for (int matrix = 1; matrix <= 20; ++matrix) {
        const double best = 12.0 / matrix; // speedups from 1 to 20
        first.push_back(took("m", best / 1.02, 0.5));
        second.push_back(took("m", best, 0.5));
    }
    const SpeedupComparison comparison = *compare_speedups(first, second);
    EXPECT_NEAR(comparison.geometric_ratio.interval->low, 1.02, 1e-9);
    EXPECT_NEAR(comparison.geometric_ratio.interval->high, 1.02, 1e-9);
    EXPECT_GT(comparison.mean_relative_difference.interval->low, 0);
    const auto alone = summarise_speedups(first)->mean_relative.interval;
    EXPECT_TRUE(alone->contains(summarise_speedups(second)->mean_relative.value))
        << "which the intervals of each alone do not show";
}

TEST(SpeedupComparison, CountsNoLeadWithinNoiseOrBelowOnePercent) {
    const std::vector<WorkloadSpeedup> first{took("a", 6, 5), took("b", 10, 5), took("c", 10.05, 5),
                                             took("d", 8, 5)};
    const std::vector<WorkloadSpeedup> second{took("a", 10, 5), took("b", 9, 5), took("c", 10, 5),
                                              took("d", 8, 5)};
    const SpeedupComparison blind = *compare_speedups(first, second);
    EXPECT_EQ(blind.first_faster, 0);
    EXPECT_EQ(blind.second_faster, 0);
    EXPECT_EQ(blind.noise_unknown, 2) << "on a and b";
    EXPECT_EQ(blind.within_noise, 1) << "a lead of half a percent on c";
    const std::vector<RatioNoise> none(4, RatioNoise{.noise = 0});
    const SpeedupComparison exact = *compare_speedups(first, second, {}, none);
    EXPECT_EQ(exact.first_faster, 1) << "on a";
    EXPECT_EQ(exact.second_faster, 1) << "on b";
    const std::vector<RatioNoise> noise(4, RatioNoise{.error = 0.05, .noise = 0.12});
    const SpeedupComparison comparison = *compare_speedups(first, second, {}, noise);
    EXPECT_EQ(comparison.first_faster, 1) << "10 / 6 is beyond noise";
    EXPECT_EQ(comparison.second_faster, 0);
    EXPECT_EQ(comparison.within_noise, 2) << "equal times, as on d, do not differ at all";
}

TEST(SpeedupComparison, WantsTheSameMatrices) {
    EXPECT_FALSE(compare_speedups(three, std::span(three).first(2)).has_value());
    EXPECT_FALSE(compare_speedups({}, {}).has_value());
}

} // namespace
} // namespace sparsight
