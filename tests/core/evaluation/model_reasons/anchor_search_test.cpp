#include "base/random.h"
#include "evaluation/model_reasons/anchor_search.h"
#include "invented_rule.h"

#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {

// Faithfulness: of a model whose rule is known, the anchor is that rule.
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::InventedSpace;
using ::testing::IsEmpty;
using testing::rule_of;

std::vector<double> alike(std::size_t count, double share) {
    return std::vector<double>(count, share);
}

AnchorSearchResult found(AnchorSpace& space, std::uint64_t seed) {
    AnchorOptions options;
    options.seed = seed;
    auto result = find_anchor(space, options);
    EXPECT_TRUE(result) << result.error().message;
    return *std::move(result);
}

/// The rule that is found with each of ten seeds.
void expect_rule(std::size_t predicates, double share, const std::vector<std::size_t>& places, int of) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        InventedSpace space(alike(predicates, share), rule_of(places, of));
        const AnchorSearchResult result = found(space, seed);
        ASSERT_TRUE(result.rule) << "seed " << seed;
        EXPECT_THAT(result.rule->predicates, ElementsAreArray(places)) << "seed " << seed;
        EXPECT_GE(result.rule->precision.lowest, 0.95);
        const double true_coverage = std::pow(share, static_cast<double>(places.size()));
        EXPECT_LE(result.rule->coverage.lowest, true_coverage) << "seed " << seed;
        EXPECT_GE(result.rule->coverage.highest, true_coverage) << "seed " << seed;
    }
}

TEST(AnchorSearch, FindsTheOnePredicateThatAModelGoesBy) {
    expect_rule(60, 0.5, {17}, 4);
}

TEST(AnchorSearch, FindsAConjunctionOfTwo) {
    expect_rule(60, 0.5, {3, 41}, 4);
}

TEST(AnchorSearch, FindsAConjunctionOfThree) {
    expect_rule(40, 0.5, {0, 12, 39}, 4);
}

TEST(AnchorSearch, FindsAConjunctionOfPredicatesThatHardlyEverHold) {
    expect_rule(40, 0.2, {5, 6}, 10);
}

TEST(AnchorSearch, FindsAConjunctionWhosePartsSayHardlyAnythingAlone) {
    // One case in 64 has all three, and nothing else makes the model choose alike.
    expect_rule(40, 0.25, {7, 20, 33}, 1000);
}

TEST(AnchorSearch, ItsBoundsHoldOnBothSidesOfAllTestedRulesTogether) {
    InventedSpace space(alike(60, 0.5), rule_of({3, 41}, 4));
    const AnchorRule rule = found(space, 1).rule.value();
    constexpr std::size_t tested = 1 + 4 * (64 + 4); // with the default options
    const auto level_of = [](const BoundedShare& share, double bound) {
        return static_cast<double>(share.draws) * coin_divergence(share.value, bound);
    };
    EXPECT_NEAR(level_of(rule.coverage, rule.coverage.lowest), std::log(2 * tested / 0.05), 1e-3);
    EXPECT_NEAR(level_of(rule.coverage, rule.coverage.highest), std::log(2 * tested / 0.05), 1e-3);
    const auto batches = static_cast<std::size_t>(rule.precision.draws) / AnchorOptions().batch;
    EXPECT_NEAR(level_of(rule.precision, rule.precision.lowest), anytime_level(2 * tested, batches, 0.95),
                1e-3);
}

TEST(AnchorSearch, OfAModelThatAlwaysChoosesAlikeTheRuleIsEmpty) {
    InventedSpace space(alike(20, 0.5), [](const auto&, Random&) { return true; });
    const AnchorSearchResult result = found(space, 1);
    ASSERT_TRUE(result.rule);
    EXPECT_THAT(result.rule->predicates, IsEmpty());
    EXPECT_EQ(result.rule->coverage.value, 1);
    EXPECT_EQ(result.calls, 2000) << "the cases without a rule are enough to know";
}

TEST(AnchorSearch, OfAModelThatChoosesByChanceThereIsNoRule) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        InventedSpace space(alike(30, 0.5), [](const auto&, Random& random) { return random.chance(0.5); });
        const AnchorSearchResult result = found(space, seed);
        EXPECT_FALSE(result.rule) << "seed " << seed;
        ASSERT_TRUE(result.nearest);
        EXPECT_LT(result.nearest->precision.lowest, 0.9);
        EXPECT_LE(result.unconditional.lowest, 0.5);
        EXPECT_GE(result.unconditional.highest, 0.5);
    }
}

TEST(AnchorSearch, ARuleThatIsTooOftenWrongIsNone) {
    InventedSpace space(alike(20, 0.5), [](const std::vector<bool>& holds, Random& random) {
        return random.chance(holds[2] ? 0.85 : 0.3);
    });
    const AnchorSearchResult result = found(space, 3);
    EXPECT_FALSE(result.rule);
    ASSERT_TRUE(result.nearest);
    EXPECT_THAT(result.nearest->predicates, ::testing::Contains(2));
    EXPECT_LT(result.nearest->precision.highest, 0.95);
}

/// One number, uniform from 0 to 1 and 0.9 in the explained case, beside others that mean nothing; the
/// predicates say that it is above 0.25, 0.5 and 0.75.
class NestedSpace final : public AnchorSpace {
public:
    explicit NestedSpace(double threshold)
        : threshold_(threshold) {}
    [[nodiscard]] std::size_t predicates() const override { return 12; }
    [[nodiscard]] Result<std::vector<AnchorDraw>> draw(std::span<const std::size_t> kept, std::size_t count,
                                                       Random& random) override {
        std::vector<AnchorDraw> draws(count);
        for (AnchorDraw& each : draws) {
            double least = 0;
            for (const std::size_t place : kept)
                if (place < 3)
                    least = std::max(least, 0.25 * static_cast<double>(place + 1));
            const double number = least + (1 - least) * random.uniform();
            for (std::size_t place = 0; place < predicates(); ++place)
                each.holds.push_back(place < 3 ? number > 0.25 * static_cast<double>(place + 1)
                                               : random.chance(0.5));
            for (const std::size_t place : kept)
                each.holds[place] = true;
            each.is_same_choice = number > threshold_;
        }
        return draws;
    }

private:
    double threshold_;
};

TEST(AnchorSearch, OfBoundsThatHoldItTakesTheOneThatCoversMost) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        NestedSpace quarter(0.25);
        EXPECT_THAT(found(quarter, seed).rule->predicates, ElementsAre(0)) << "seed " << seed;
        NestedSpace half(0.5);
        EXPECT_THAT(found(half, seed).rule->predicates, ElementsAre(1)) << "seed " << seed;
        NestedSpace between(0.6);
        EXPECT_THAT(found(between, seed).rule->predicates, ElementsAre(2)) << "seed " << seed;
    }
}

TEST(AnchorSearch, NeverNamesAPredicateThatSaysNothingNew) {
    // The second predicate holds wherever the first one does.
    class Implied final : public AnchorSpace {
    public:
        [[nodiscard]] std::size_t predicates() const override { return 3; }
        [[nodiscard]] Result<std::vector<AnchorDraw>> draw(std::span<const std::size_t> kept,
                                                           std::size_t count, Random& random) override {
            std::vector<AnchorDraw> draws(count);
            const auto keeps = [&](std::size_t place) { return std::ranges::count(kept, place) > 0; };
            for (AnchorDraw& each : draws) {
                const bool first = keeps(0) || random.chance(0.4);
                const bool third = keeps(2) || random.chance(0.5);
                each.holds = {first, first || keeps(1) || random.chance(0.4), third};
                each.is_same_choice = first && third;
            }
            return draws;
        }
    };
    Implied space;
    EXPECT_THAT(found(space, 1).rule->predicates, ElementsAre(0, 2));
}

TEST(AnchorSearch, IsTheSameForTheSameSeed) {
    InventedSpace one(alike(30, 0.5), rule_of({3, 9}, 3));
    InventedSpace other(alike(30, 0.5), rule_of({3, 9}, 3));
    const AnchorSearchResult first = found(one, 5);
    const AnchorSearchResult second = found(other, 5);
    EXPECT_EQ(first.calls, second.calls);
    EXPECT_EQ(first.rule->precision, second.rule->precision);
    EXPECT_EQ(first.rule->coverage, second.rule->coverage);
}

TEST(AnchorSearch, CountsEveryCallAndKeepsToItsBudget) {
    InventedSpace space(alike(30, 0.5), [](const auto&, Random& random) { return random.chance(0.5); });
    AnchorOptions options;
    options.calls = 3000;
    const auto result = find_anchor(space, options);
    ASSERT_TRUE(result);
    EXPECT_EQ(static_cast<std::size_t>(result->calls), space.asked);
    EXPECT_LE(space.asked, 3000 + options.batch);
    EXPECT_FALSE(result->complete);
}

TEST(AnchorSearch, EndsWhenTimeIsUpWithWhatIsKnown) {
    InventedSpace space(alike(30, 0.5), rule_of({3, 9, 12}, 3));
    AnchorOptions options;
    options.is_over = [&] { return space.asked > 2200; };
    const auto result = find_anchor(space, options);
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->complete);
    EXPECT_FALSE(result->rule);
    EXPECT_TRUE(result->nearest);
}

TEST(AnchorSearch, StopsWhenItIsAskedTo) {
    InventedSpace space(alike(30, 0.5), rule_of({3}, 3));
    std::stop_source source;
    source.request_stop();
    AnchorOptions options;
    options.stop = source.get_token();
    const auto result = find_anchor(space, options);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().fault, Fault::Cancelled);
}

TEST(BernoulliBounds, AreWhereTheDivergenceReachesTheLevel) {
    const BoundedShare bounds = divergence_bounds(70, 100, 2.5);
    EXPECT_DOUBLE_EQ(bounds.value, 0.7);
    EXPECT_NEAR(100 * coin_divergence(0.7, bounds.lowest), 2.5, 1e-6);
    EXPECT_NEAR(100 * coin_divergence(0.7, bounds.highest), 2.5, 1e-6);
    EXPECT_LT(bounds.lowest, 0.7);
    EXPECT_GT(bounds.highest, 0.7);
}

TEST(BernoulliBounds, OfAShareThatNeverFailedAreThoseOfTheFormula) {
    // 1: −n log q ≤ level
    EXPECT_NEAR(divergence_bounds(50, 50, 3).lowest, std::exp(-3.0 / 50), 1e-9);
    EXPECT_EQ(divergence_bounds(50, 50, 3).highest, 1);
    EXPECT_NEAR(divergence_bounds(0, 50, 3).highest, 1 - std::exp(-3.0 / 50), 1e-9);
}

TEST(BernoulliBounds, WithoutDrawsSayNothing) {
    EXPECT_EQ(divergence_bounds(0, 0, 3), BoundedShare{});
    EXPECT_EQ(wilson_bounds(0, 0), BoundedShare{});
}

TEST(BernoulliBounds, HoldAsOftenAsTheySay) {
    Random random(1);
    int outside = 0;
    int outside_wilson = 0;
    constexpr int trials = 2000;
    for (int trial = 0; trial < trials; ++trial) {
        std::int64_t successes = 0;
        for (int draw = 0; draw < 80; ++draw)
            successes += random.chance(0.3) ? 1 : 0;
        const BoundedShare chernoff = chernoff_bounds(successes, 80, 0.95);
        const BoundedShare wilson = wilson_bounds(successes, 80);
        outside += chernoff.lowest > 0.3 || chernoff.highest < 0.3 ? 1 : 0;
        outside_wilson += wilson.lowest > 0.3 || wilson.highest < 0.3 ? 1 : 0;
    }
    EXPECT_LT(outside, trials * 5 / 100);
    EXPECT_LT(outside_wilson, trials * 7 / 100);
    EXPECT_GT(outside_wilson, trials * 2 / 100);
}

// Looking after every batch and stopping at the worst one breaks bounds for a fixed number of draws.
TEST(BernoulliBounds, HoldAtAnyTimeAsOftenAsTheySay) {
    Random random(1);
    constexpr double share = 0.9;
    constexpr int trials = 500;
    int broken = 0;
    int broken_for_one_look = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::int64_t successes = 0;
        std::int64_t draws = 0;
        bool is_broken = false;
        bool is_broken_for_one_look = false;
        for (std::size_t batch = 1; batch <= 200; ++batch) {
            for (int draw = 0; draw < 10; ++draw)
                successes += random.chance(share) ? 1 : 0;
            draws += 10;
            is_broken |= divergence_bounds(successes, draws, anytime_level(1, batch, 0.9)).lowest > share;
            is_broken_for_one_look |= divergence_bounds(successes, draws, std::log(1 / 0.1)).lowest > share;
        }
        broken += is_broken ? 1 : 0;
        broken_for_one_look += is_broken_for_one_look ? 1 : 0;
    }
    EXPECT_LE(broken, trials / 10);
    EXPECT_GT(broken_for_one_look, trials / 10);
}

TEST(BernoulliBounds, LevelsAreThoseOfTheTheorem) {
    EXPECT_NEAR(anytime_level(4, 1, 0.95), std::log(11.1 * 4 / 0.05), 1e-9);
    const double rate = std::log(405.5 * 4 * std::pow(10, 1.1) / 0.05); // as in the code of the anchors paper
    EXPECT_NEAR(lucb_level(4, 10, 0.95), rate + std::log(rate), 1e-3);
}

} // namespace
} // namespace sparsight
