#include "learning/blend_verdict.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

TEST(BlendVerdict, ComparesBothWithTheBetterOneAlone) {
    const auto better = blend_verdict_of(0.8, 0.9, 0.95);
    ASSERT_TRUE(better);
    EXPECT_EQ(better->worth, BlendWorth::Better);
    EXPECT_EQ(better->better, BlendPart::Simulator);
    EXPECT_EQ(better->alone, 0.9);
    EXPECT_NEAR(better->gained, 0.05, 1e-12);
    const auto worse = blend_verdict_of(0.9, 0.8, 0.85);
    ASSERT_TRUE(worse);
    EXPECT_EQ(worse->worth, BlendWorth::Worse);
    EXPECT_EQ(worse->better, BlendPart::Network);
}

TEST(BlendVerdict, TakesForNoDifferenceWhatIsShownNowhere) {
    EXPECT_EQ(blend_verdict_of(0.8, 0.9, 0.9004)->worth, BlendWorth::Equal);
    EXPECT_EQ(blend_verdict_of(0.8, 0.9, 0.8996)->worth, BlendWorth::Equal);
    EXPECT_EQ(blend_verdict_of(0.8, 0.9, 0.8994)->worth, BlendWorth::Worse);
}

TEST(BlendVerdict, SaysNothingOfWhatIsNotKnown) {
    EXPECT_FALSE(blend_verdict_of({}, 0.9, 0.9));
    EXPECT_FALSE(blend_verdict_of(0.9, {}, 0.9));
    EXPECT_FALSE(blend_verdict_of(0.9, 0.9, {}));
}

TEST(BlendVerdict, FindsThePartWithoutAShare) {
    EXPECT_EQ(part_without_share(0, 1), BlendPart::Network);
    EXPECT_EQ(part_without_share(1, 0), BlendPart::Simulator);
    EXPECT_EQ(part_without_share(1, 1), std::nullopt);
}

TEST(BlendVerdict, ComparesTopPicksByWhatTheyLose) {
    const auto worse = picks_verdict_of(0.3, 0.1, 0.2);
    ASSERT_TRUE(worse);
    EXPECT_EQ(worse->worth, BlendWorth::Worse);
    EXPECT_EQ(worse->better, BlendPart::Simulator);
    EXPECT_EQ(worse->alone, 0.1);
    EXPECT_NEAR(worse->gained, -0.1, 1e-12);
    EXPECT_EQ(picks_verdict_of(0.3, 0.1, 0.104)->worth, BlendWorth::Equal);
    EXPECT_EQ(picks_verdict_of(0.1, 0.3, 0.05)->worth, BlendWorth::Better);
    EXPECT_FALSE(picks_verdict_of(0.3, {}, 0.2));
}

TEST(BlendVerdict, OfPairsAndOfPicksContradictWhereOneAloneIsWorse) {
    const auto pairs = blend_verdict_of(0.8, 0.9, 0.95);
    EXPECT_TRUE(contradict(*pairs, *picks_verdict_of(0.3, 0.1, 0.2)));
    EXPECT_FALSE(contradict(*pairs, *picks_verdict_of(0.3, 0.1, 0.1)));
    EXPECT_FALSE(contradict(*blend_verdict_of(0.8, 0.9, 0.85), *picks_verdict_of(0.3, 0.1, 0.2)));
}

} // namespace
} // namespace sparsight
