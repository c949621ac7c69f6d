#include "domains/sparse/explanation/failures/pattern_family.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/matrix_files.h"
#include "evaluation/failures/training_range.h"
#include "support/test_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

std::string_view family(std::string_view generator, const ParameterValues& values = {}) {
    const auto pattern = generate_matrix(generator, values, 1);
    EXPECT_TRUE(pattern.has_value()) << pattern.error().text();
    return pattern ? name(family_of(compute_statistics(*pattern, 1))) : "";
}

TEST(PatternFamilyTest, GeneratedMatricesAreOfTheirFamily) {
    EXPECT_EQ(family("banded"), "banded");
    EXPECT_EQ(family("multi-diagonal"), "banded");
    EXPECT_EQ(family("stencil-2d"), "banded");
    EXPECT_EQ(family("block-diagonal"), "blocked");
    EXPECT_EQ(family("scattered-blocks"), "blocked");
    EXPECT_EQ(family("power-law"), "power_law");
    EXPECT_EQ(family("hyper-sparse"), "hyper_sparse");
    EXPECT_EQ(family("uniform"), "uniform_rows");
}

TEST(PatternFamilyTest, BlocksThatChanceFillsAreNone) {
    EXPECT_EQ(family("uniform", {{"rows", 200}, {"cols", 200}, {"density", 0.5}}), "uniform_rows");
}

// A mesh whose nodes are numbered well, but for some far ones: its bandwidth is that of the whole matrix.
TEST(PatternFamilyTest, AMeshWithFarEntriesIsNotBanded) {
    SPARSIGHT_NEEDS_SHARED("matrices");
    const auto matrix = read_matrix(testing::shared_path("matrices") / "walshaw_t60k.mtx.gz");
    ASSERT_TRUE(matrix) << matrix.error().text();
    const PatternStatistics statistics = compute_statistics(matrix->pattern, 1);
    ASSERT_GT(statistics.bandwidth, statistics.cols / 2);
    EXPECT_EQ(family_of(statistics), PatternFamily::NearDiagonal);
}

TEST(PatternFamilyTest, AMatrixWithoutEntriesHasARoomToo) {
    EXPECT_EQ(family_of(PatternStatistics{}), PatternFamily::HyperSparse);
}

TEST(PatternFamilyTest, NamesAreDifferent) {
    for (const PatternFamily one : all_pattern_families)
        for (const PatternFamily other : all_pattern_families) {
            EXPECT_EQ(name(one) == name(other), one == other);
            EXPECT_EQ(title(one) == title(other), one == other);
        }
}

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

StatisticVector of_size(std::int64_t rows, double density = 0.01) {
    PatternStatistics statistics;
    statistics.rows = statistics.cols = rows;
    statistics.density = density;
    return statistic_vector(statistics);
}

TrainingRange trained() {
    const std::vector<StatisticVector> matrices{of_size(1'000), of_size(2'000), of_size(4'000)};
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
    EXPECT_THAT(to_text(far.beyond[0]), HasSubstr("400\u202F000"));
    EXPECT_THAT(to_text(far.beyond[0]), HasSubstr("in training"));
    EXPECT_GT(far.distance, trained().farthest);
}

TEST(TrainingRangeTest, TheClosestWorkloadsAreTheNearestFirst) {
    const auto closest =
        closest_to(trained(), of_size(1'900),
                   {{"far", of_size(100'000)}, {"half", of_size(1'000)}, {"near", of_size(2'000)}}, 2);
    EXPECT_THAT(closest,
                ElementsAre(Field(&CloseWorkload::name, "near"), Field(&CloseWorkload::name, "half")));
    EXPECT_LT(closest[0].distance, closest[1].distance);
}

TEST(TrainingRangeTest, AStatisticThatNeverVariedIsToldWhereItDiffers) {
    EXPECT_THAT(unfamiliarity(trained(), of_size(400'000, 0.5)).beyond,
                Contains(Field(&UnfamiliarStatistic::name, "density")));
}

} // namespace
} // namespace sparsight
