#include "evaluation/model_reasons/nearest_points.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

const PointCloud line{1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 40}};

TEST(NearestPoints, AreTheNearestOnesInTheirOrder) {
    const std::vector<float> from{2.2F};
    const auto found = nearest_points(line, from, 3);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].place, 2U);
    EXPECT_NEAR(found[0].distance, 0.2, 1e-6);
    EXPECT_EQ(found[1].place, 3U);
    EXPECT_EQ(found[2].place, 1U);
    EXPECT_EQ(nearest_points(line, from, 3, 2).front().place, 3U) << "the point itself is left out";
    EXPECT_EQ(nearest_points(line, from, 100).size(), 11U);
}

TEST(NearestPoints, SayWhetherAPointIsFartherOffThanTheyAreFromEachOther) {
    const Distances near = distances_among(line, std::vector<float>{4.5F});
    EXPECT_NEAR(*near.nearest, 0.5, 1e-6);
    EXPECT_NEAR(*near.typical, 1, 1e-6);
    EXPECT_NEAR(*near.far, 1, 1e-6) << "ten of eleven are 1 apart";
    EXPECT_FALSE(near.is_outside());
    EXPECT_TRUE(distances_among(line, std::vector<float>{20}).is_outside());
}

TEST(NearestPoints, OfFewerThanTwoThereIsNoTypicalDistance) {
    const PointCloud lonely{1, {3}};
    const Distances distances = distances_among(lonely, std::vector<float>{4});
    EXPECT_EQ(distances.nearest, 1);
    EXPECT_FALSE(distances.typical);
    EXPECT_FALSE(distances.is_outside());
    EXPECT_FALSE(distances_among(lonely, std::vector<float>{3}, 0).nearest) << "there is no other one";
}

TEST(NearestPoints, AreMeasuredInStandardDeviations) {
    PointCloud points{2, {0, 5, 10, 5, 20, 5}};
    std::vector<float> also{10, 6};
    standardise(points, also);
    EXPECT_NEAR(also[0], 0, 1e-6);
    EXPECT_NEAR(also[1], 1, 1e-6) << "what never varied is left as it is, but for its mean";
    EXPECT_NEAR(points[2][0], 10 / std::sqrt(200.0 / 3), 1e-5);
    EXPECT_NEAR(points[0][1], 0, 1e-6);
}

} // namespace
} // namespace sparsight
