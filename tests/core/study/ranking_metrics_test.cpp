#include "base/random.h"
#include "study/ranking_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace sparsight {
namespace {

using ::testing::DoubleNear;
using ::testing::Optional;

using Values = std::vector<double>;

std::optional<double> tau(const Values& first, const Values& second) {
    return kendall_tau_b(count_pairs(first, second));
}

TEST(KendallTau, IsOneForTheSameOrderAndMinusOneForTheOpposite) {
    EXPECT_DOUBLE_EQ(*tau({1, 2, 3, 4}, {0.1, 5, 6, 70}), 1);
    EXPECT_DOUBLE_EQ(*tau({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
}

TEST(KendallTau, IsTheShareOfConcordantPairsLessThatOfDiscordantOnes) {
    EXPECT_DOUBLE_EQ(*tau({1, 2, 3}, {1, 3, 2}), 1.0 / 3);
}

TEST(KendallTau, DoesNotCountTies) {
    EXPECT_DOUBLE_EQ(*tau({1, 1, 2}, {1, 2, 3}), 2 / std::sqrt(2.0 * 3.0));
}

TEST(KendallTau, IsUnknownWithoutTwoDifferentValues) {
    EXPECT_FALSE(tau({}, {}).has_value());
    EXPECT_FALSE(tau({1}, {1}).has_value());
    EXPECT_FALSE(tau({1, 1}, {1, 2}).has_value());
}

constexpr double failed = std::numeric_limits<double>::infinity();

/// Every pair looked at: the definition.
PairCounts count_one_by_one(const std::vector<float>& scores, const std::vector<double>& runtimes) {
    PairCounts pairs;
    for (std::size_t a = 0; a < scores.size(); ++a) {
        for (std::size_t b = a + 1; b < scores.size(); ++b) {
            const bool same_score = scores[a] == scores[b];
            const bool same_runtime = runtimes[a] == runtimes[b];
            if (same_score && same_runtime)
                ++pairs.tied_both;
            else if (same_score)
                ++pairs.tied_scores;
            else if (same_runtime)
                ++pairs.tied_runtimes;
            else if ((scores[a] < scores[b]) == (runtimes[a] < runtimes[b]))
                ++pairs.concordant;
            else
                ++pairs.discordant;
        }
    }
    return pairs;
}

TEST(PairCounts, AreAsCountedByHand) {
    const PairCounts pairs = count_pairs(std::vector<float>{1, 2, 2, 3}, std::vector<double>{10, 30, 20, 20});
    // 1-2 1-3 1-4 agree, 2-3 have one score, 2-4 disagree, 3-4 have one runtime.
    EXPECT_EQ(pairs, (PairCounts{3, 1, 1, 1, 0}));
    EXPECT_THAT(ordered_pair_accuracy(pairs), Optional(DoubleNear(3.5 / 5, 1e-15)));
    EXPECT_THAT(kendall_tau_b(pairs), Optional(DoubleNear(2.0 / 5, 1e-15)));
}

TEST(PairCounts, AgreeWithLookingAtEveryPair) {
    Random random(11);
    for (int round = 0; round < 300; ++round) {
        const auto count = static_cast<std::size_t>(random.between(0, 40));
        const auto values = random.between(1, 30); // few values: many ties
        std::vector<float> scores;
        std::vector<double> runtimes;
        for (std::size_t i = 0; i < count; ++i) {
            scores.push_back(static_cast<float>(random.between(-values, values)));
            runtimes.push_back(random.chance(0.1) ? failed : static_cast<double>(random.between(1, values)));
        }
        ASSERT_EQ(count_pairs(scores, runtimes), count_one_by_one(scores, runtimes)) << round;
    }
}

TEST(OrderedPairAccuracy, IsOneForTheRightOrderAndZeroForItsReverse) {
    const std::vector<double> runtimes{3, 1, 2, 5, failed};
    EXPECT_THAT(ordered_pair_accuracy(count_pairs(std::vector<float>{0.3F, 0.1F, 0.2F, 9, 10}, runtimes)),
                Optional(1.0));
    EXPECT_THAT(
        ordered_pair_accuracy(count_pairs(std::vector<float>{-0.3F, -0.1F, -0.2F, -9, -10}, runtimes)),
        Optional(0.0));
}

TEST(OrderedPairAccuracy, OfAModelThatCannotTellIsChance) {
    EXPECT_THAT(ordered_pair_accuracy(count_pairs(std::vector<float>{4, 4, 4}, std::vector<double>{1, 2, 3})),
                Optional(0.5));
}

TEST(OrderedPairAccuracy, DoesNotRankOneFailureAgainstAnother) {
    const PairCounts pairs = count_pairs(std::vector<float>{1, 3, 2}, std::vector<double>{1, failed, failed});
    EXPECT_EQ(pairs.tied_runtimes, 1);
    EXPECT_THAT(ordered_pair_accuracy(pairs), Optional(1.0));
}

TEST(OrderedPairAccuracy, IsAbsentWhereNothingCanBeOrdered) {
    EXPECT_EQ(ordered_pair_accuracy(PairCounts{}), std::nullopt);
    EXPECT_EQ(ordered_pair_accuracy(count_pairs(std::vector<float>{1}, std::vector<double>{1})),
              std::nullopt);
    EXPECT_EQ(ordered_pair_accuracy(count_pairs(std::vector<float>{1, 2}, std::vector<double>{7, 7})),
              std::nullopt);
}

TEST(KendallTauB, IsAbsentWhereOneSideIsAllTied) {
    EXPECT_EQ(kendall_tau_b(count_pairs(std::vector<float>{4, 4}, std::vector<double>{1, 2})), std::nullopt);
    EXPECT_EQ(kendall_tau_b(count_pairs(std::vector<float>{1, 2}, std::vector<double>{7, 7})), std::nullopt);
}

TEST(TopKRegret, IsWhatIsLostAgainstTheFastest) {
    const std::vector<float> scores{5, 1, 2, 3};
    const std::vector<double> runtimes{10, 15, 12, failed};
    EXPECT_THAT(top_k_regret(scores, runtimes, 1), Optional(DoubleNear(0.5, 1e-12)));
    EXPECT_THAT(top_k_regret(scores, runtimes, 2), Optional(DoubleNear(0.2, 1e-12)));
    EXPECT_THAT(top_k_regret(scores, runtimes, 3), Optional(DoubleNear(0.2, 1e-12)));
    EXPECT_THAT(top_k_regret(scores, runtimes, 4), Optional(0.0));
    EXPECT_THAT(top_k_regret(scores, runtimes, 100), Optional(0.0));
}

TEST(TopKRegret, IsTheExpectationWhereEqualScoresCompete) {
    // One of three: (10 + 20 + 60) / 3 = 30; two of three: 10, 10 or 20.
    const std::vector<float> scores{7, 7, 7};
    const std::vector<double> runtimes{20, 60, 10};
    EXPECT_THAT(top_k_regret(scores, runtimes, 1), Optional(DoubleNear(2.0, 1e-12)));
    EXPECT_THAT(top_k_regret(scores, runtimes, 2), Optional(DoubleNear(40.0 / 3 / 10 - 1, 1e-12)));
    EXPECT_THAT(top_k_regret(scores, runtimes, 3), Optional(DoubleNear(0.0, 1e-12)));
}

TEST(TopKRegret, AgreesWithDrawingAmongEqualScores) {
    Random random(5);
    const std::vector<float> scores{1, 2, 2, 2, 2, 3};
    const std::vector<double> runtimes{40, 30, 50, 20, 60, 10};
    double sum = 0;
    constexpr int draws = 200'000;
    for (int draw = 0; draw < draws; ++draw) {
        std::vector<double> tied(runtimes.begin() + 1, runtimes.begin() + 5);
        random.shuffle(tied);
        sum += std::min({runtimes[0], tied[0], tied[1]});
    }
    EXPECT_THAT(top_k_regret(scores, runtimes, 3), Optional(DoubleNear(sum / draws / 10 - 1, 0.01)));
}

TEST(RankingQuality, CountsPairsWithAndWithoutNoise) {
    const std::vector<float> scores{1, 0, 2};
    const std::vector<double> milliseconds{10, 11, 20};
    const std::vector<double> spreads{1, 1, 1};
    const RankingQuality quality = ranking_quality(scores, {milliseconds, spreads});
    EXPECT_THAT(quality.ordered_pairs, Optional(DoubleNear(2.0 / 3, 1e-12)));
    EXPECT_EQ(quality.ordered_pairs_beyond_noise, 1) << "the first two differ by less than both spreads";
    EXPECT_EQ(ranking_quality(scores, {milliseconds}).ordered_pairs_beyond_noise, quality.ordered_pairs);
}

TEST(RankingQuality, JudgesWhatWasGivenUpByItsWaitAlone) {
    const std::vector<double> milliseconds{10, 30, failed};
    const std::vector<double> waits{0, 0, 20};
    for (const float score : {1.5F, 3.0F}) { // behind the first, before or behind the second
        const std::vector<float> scores{1, 2, score};
        EXPECT_EQ(ranking_quality(scores, {milliseconds, {}, waits}).ordered_pairs, 1);
    }
    const std::vector<float> wrong{1, 2, 0};
    EXPECT_EQ(ranking_quality(wrong, {milliseconds, {}, waits}).ordered_pairs, 0.5);
    EXPECT_THAT(ranking_quality(std::vector<float>{1, 2, 1.5F}, {milliseconds}).ordered_pairs,
                Optional(DoubleNear(2.0 / 3, 1e-12)))
        << "a failure is slower than all";
}

TEST(RankingQuality, LooksAtTheBestQuarterAlone) {
    std::vector<double> scores(16);
    std::vector<double> milliseconds(16);
    for (std::size_t at = 0; at < 16; ++at) {
        milliseconds[at] = static_cast<double>(at + 1);
        scores[at] = at < 4 ? -milliseconds[at] : milliseconds[at];
    }
    const RankingQuality quality = ranking_quality(scores, {milliseconds});
    EXPECT_EQ(quality.best_quarter_pairs, 0);
    EXPECT_EQ(quality.best_quarter_tau, -1);
    EXPECT_THAT(quality.ordered_pairs, Optional(DoubleNear(1 - 6.0 / 120, 1e-12)));
}

TEST(TopKRegret, KnowsFailures) {
    EXPECT_THAT(top_k_regret(std::vector<float>{1, 2}, std::vector<double>{failed, 3}, 1), Optional(failed));
    EXPECT_THAT(top_k_regret(std::vector<float>{1, 1}, std::vector<double>{failed, 3}, 2), Optional(0.0));
    EXPECT_EQ(top_k_regret(std::vector<float>{1, 2}, std::vector<double>{failed, failed}, 1), std::nullopt);
    EXPECT_EQ(top_k_regret({}, {}, 1), std::nullopt);
}

} // namespace
} // namespace sparsight
