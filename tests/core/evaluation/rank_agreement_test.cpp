#include "evaluation/rank_agreement.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace sparsight {
namespace {

using Values = std::vector<double>;

TEST(RankAgreement, IsOneForTheSameOrderAndMinusOneForTheOpposite) {
    EXPECT_DOUBLE_EQ(*rank_agreement(Values{1, 2, 3, 4}, Values{0.1, 5, 6, 70}), 1);
    EXPECT_DOUBLE_EQ(*rank_agreement(Values{1, 2, 3, 4}, Values{4, 3, 2, 1}), -1);
}

TEST(RankAgreement, IsTheShareOfConcordantPairsLessThatOfDiscordantOnes) {
    EXPECT_DOUBLE_EQ(*rank_agreement(Values{1, 2, 3}, Values{1, 3, 2}), 1.0 / 3);
}

TEST(RankAgreement, DoesNotCountTies) {
    EXPECT_DOUBLE_EQ(*rank_agreement(Values{1, 1, 2}, Values{1, 2, 3}), 2 / std::sqrt(2.0 * 3.0));
}

TEST(RankAgreement, IsUnknownWithoutTwoDifferentValues) {
    EXPECT_FALSE(rank_agreement(Values{}, Values{}).has_value());
    EXPECT_FALSE(rank_agreement(Values{1}, Values{1}).has_value());
    EXPECT_FALSE(rank_agreement(Values{1, 1}, Values{1, 2}).has_value());
}

} // namespace
} // namespace sparsight
