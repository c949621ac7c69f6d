#include "evaluation/diagnosis/refinement.h"

#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The difference of the second time and the first.
const ErrorBar whole{.milliseconds = 4, .weights = {-1, 1}};
const std::vector<double> times{1, 5};

TEST(Refinement, TheErrorIsThatOfIndependentTimes) {
    EXPECT_NEAR(whole.error(times, std::vector{0.03, 0.04}), 0.05, 1e-3);
    EXPECT_EQ(whole.error(times, std::vector{0.0, 0.0}), 0);
}

TEST(Refinement, WhatIsDisturbedOutOfAllProportionKeepsItsSign) {
    EXPECT_LT(whole.error(times, std::vector{0.1, 15.0}), 4) << "5 ms may be a quarter, not -10";
}

TEST(Refinement, IsSettledByATwentiethOfTheDifferenceOrAFifthOfItself) {
    EXPECT_TRUE(is_settled(whole, 0.79, 4));
    EXPECT_FALSE(is_settled(whole, 0.81, 4));
    const ErrorBar little{.milliseconds = 0.01, .weights = {-1, 1}};
    EXPECT_TRUE(is_settled(little, 0.19, 4));
    EXPECT_FALSE(is_settled(little, 0.21, 4));
}

TEST(Refinement, RepeatsTheTimesThatMakeTheErrorUp) {
    const std::vector<double> three{1, 5, 5};
    const std::vector<ErrorBar> bars{{.milliseconds = 4, .weights = {-1, 0.5, 0.5}}};
    EXPECT_THAT(times_to_repeat(bars, three, std::vector{0.1, 3.0, 2.5}, 4), ElementsAre(1, 2));
    EXPECT_THAT(times_to_repeat(bars, three, std::vector{1.5, 0.1, 0.1}, 4), ElementsAre(0));
    EXPECT_THAT(times_to_repeat(bars, three, std::vector{0.1, 0.1, 0.1}, 4), IsEmpty());
}

TEST(Refinement, LooksOnlyAtBarsThatAreNotSettled) {
    const std::vector<double> three{1, 5, 5};
    const std::vector<ErrorBar> bars{{.milliseconds = 4, .weights = {-1, 1, 0}},
                                     {.milliseconds = 0, .weights = {0, -1, 1}}};
    // The first may be off by a fifth of itself; beside it 0.7 ms of the second are much.
    EXPECT_THAT(times_to_repeat(bars, three, std::vector{0.3, 0.02, 0.7}, 4), ElementsAre(2));
}

} // namespace
} // namespace sparsight
