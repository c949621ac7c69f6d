#include "random_rows.h"
#include "search/plane_projection.h"

#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::random_rows;
using ::testing::SizeIs;

/// Points in five dimensions that lie on a plane: 3 a along one direction, b along another.
std::vector<float> points_of_a_plane(std::size_t count) {
    const std::vector<float> coordinates = random_rows(count, 2, 3);
    const std::array<double, 5> u{0.6, 0, 0.8, 0, 0};
    const std::array<double, 5> v{0, -1, 0, 0, 0};
    std::vector<float> rows;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < u.size(); ++j)
            rows.push_back(
                static_cast<float>(7 + 3 * coordinates[2 * i] * u[j] + coordinates[2 * i + 1] * v[j]));
    return rows;
}

TEST(PlaneProjection, RecoversAPlaneThatIsKnown) {
    const std::vector<float> rows = points_of_a_plane(500);
    const PlaneProjection plane = PlaneProjection::of(rows, 5);
    EXPECT_NEAR(plane.explained()[0] + plane.explained()[1], 1, 1e-6) << "nothing varies beside the plane";
    EXPECT_GT(plane.explained()[0], 0.8);
    const std::vector<PlanePoint> points = plane.project(rows);
    ASSERT_THAT(points, SizeIs(500));
    // On a plane nothing is lost: distances are what they were.
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        double square = 0;
        for (std::size_t j = 0; j < 5; ++j) {
            const double difference =
                static_cast<double>(rows[5 * i + j]) - static_cast<double>(rows[5 * i + 5 + j]);
            square += difference * difference;
        }
        ASSERT_NEAR(std::hypot(points[i].x - points[i + 1].x, points[i].y - points[i + 1].y),
                    std::sqrt(square), 1e-4);
    }
}

TEST(PlaneProjection, ItsAxesPointTheSameWayWhateverTheOrderOfTheRows) {
    const std::vector<float> rows = points_of_a_plane(50);
    std::vector<float> reversed;
    for (std::size_t i = 50; i-- > 0;)
        reversed.insert(reversed.end(), rows.begin() + static_cast<std::ptrdiff_t>(5 * i),
                        rows.begin() + static_cast<std::ptrdiff_t>(5 * i + 5));
    const std::vector<PlanePoint> there = PlaneProjection::of(rows, 5).project(rows);
    const std::vector<PlanePoint> back = PlaneProjection::of(reversed, 5).project(rows);
    for (std::size_t i = 0; i < there.size(); ++i) {
        EXPECT_NEAR(there[i].x, back[i].x, 1e-6);
        EXPECT_NEAR(there[i].y, back[i].y, 1e-6);
    }
    // Along the first direction the largest share, 0.8, is positive; along the second −1 is turned around.
    const std::vector<float> ahead{7 + 0.6F, 7, 7 + 0.8F, 7, 7, 7, 8, 7, 7, 7};
    const std::vector<PlanePoint> points = PlaneProjection::of(rows, 5).project(ahead);
    EXPECT_GT(points[0].x, PlaneProjection::of(rows, 5).project(std::vector<float>(5, 7))[0].x);
    EXPECT_GT(points[1].y, PlaneProjection::of(rows, 5).project(std::vector<float>(5, 7))[0].y);
}

TEST(PlaneProjection, OfNothingOrOfOneDimension) {
    EXPECT_THAT(PlaneProjection::of({}, 4).project({}), IsEmpty());
    EXPECT_EQ(PlaneProjection::of({}, 4).project(std::vector<float>(8, 1)), std::vector<PlanePoint>(2))
        << "a point a row, also where nothing says which way is which";
    const std::vector<float> equal(12, 2);
    EXPECT_THAT(PlaneProjection::of(equal, 4).explained(), ElementsAre(0, 0));
    EXPECT_EQ(PlaneProjection::of(equal, 4).project(equal), std::vector<PlanePoint>(3));
    const std::vector<float> line{1, 2, 4};
    EXPECT_THAT(PlaneProjection::of(line, 1).explained(), ElementsAre(DoubleNear(1, 1e-12), 0));
    EXPECT_EQ(PlaneProjection::of(line, 1).project(line)[0].y, 0);
}

} // namespace
} // namespace sparsight
