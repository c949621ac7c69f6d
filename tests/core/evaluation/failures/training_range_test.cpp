#include "evaluation/failures/training_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PatternStatistics of_size(std::int64_t rows, double density = 0.01) {
    PatternStatistics statistics;
    statistics.rows = statistics.cols = rows;
    statistics.density = density;
    return statistics;
}

TrainingRange trained() {
    const std::vector<PatternStatistics> matrices{of_size(1'000), of_size(2'000), of_size(4'000)};
    return *training_range(matrices);
}

TEST(TrainingRangeTest, TwoMatricesSpanNone) {
    EXPECT_FALSE(training_range(std::vector{of_size(1), of_size(2)}));
}

TEST(TrainingRangeTest, WhatWasTrainedOnIsInside) {
    const Unfamiliarity inside = unfamiliarity(trained(), of_size(2'000));
    EXPECT_FALSE(inside.is_outside);
    EXPECT_THAT(inside.beyond, IsEmpty());
}

TEST(TrainingRangeTest, ALittleBeyondIsStillFamiliar) {
    EXPECT_FALSE(unfamiliarity(trained(), of_size(4'500)).is_outside);
}

TEST(TrainingRangeTest, FarBeyondIsOutsideAndSaysInWhat) {
    const Unfamiliarity far = unfamiliarity(trained(), of_size(400'000));
    EXPECT_TRUE(far.is_outside);
    ASSERT_THAT(far.beyond, ElementsAre(Field(&UnfamiliarStatistic::name, "rows"),
                                        Field(&UnfamiliarStatistic::name, "cols")));
    EXPECT_EQ(far.beyond[0].value, 400'000);
    EXPECT_THAT(to_text(far.beyond[0]), HasSubstr("400,000"));
    EXPECT_THAT(to_text(far.beyond[0]), HasSubstr("in training"));
    EXPECT_GT(far.distance, trained().farthest);
}

TEST(TrainingRangeTest, AStatisticThatNeverVariedIsToldWhereItDiffers) {
    EXPECT_THAT(unfamiliarity(trained(), of_size(400'000, 0.5)).beyond,
                Contains(Field(&UnfamiliarStatistic::name, "density")));
}

} // namespace
} // namespace sparsight
