#include "base/pair_counts.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace sparsight {
namespace {

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

} // namespace
} // namespace sparsight
