#include "evaluation/diagnosis/moved_time.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

ResultRow stored(double milliseconds, double spread) {
    ResultRow row;
    row.status = MeasurementStatus::Measured;
    row.median_ms = milliseconds;
    row.spread_ms = spread;
    return row;
}

HybridTime now(double milliseconds, double spread, int turns = 9) {
    return {.milliseconds = milliseconds, .spread_ms = spread, .turns = turns};
}

TEST(MovedTime, IsOneThatContradictsTheStoredTimeByFarMoreThanBothErrors) {
    const ResultRow row = stored(0.09, 0.004);
    const auto moved = moved_time(&row, now(0.1676, 0.005));
    ASSERT_TRUE(moved);
    EXPECT_EQ(to_text(*moved, "the schedule"),
              "the computer was slower than when the schedule was measured before: 0.168 against 0.09 ms");
    const auto faster = moved_time(&row, now(0.05, 0.001));
    ASSERT_TRUE(faster);
    EXPECT_FALSE(faster->is_slower());
}

TEST(MovedTime, IsNoneWithinTheErrorsOrAQuarter) {
    const ResultRow row = stored(0.09, 0.004);
    EXPECT_FALSE(moved_time(&row, now(0.11, 0.001))) << "no quarter longer";
    EXPECT_FALSE(moved_time(&row, now(0.16, 0.05))) << "within twice the errors";
}

TEST(MovedTime, IsNoneWhereNothingWasMeasuredTwice) {
    ResultRow row = stored(0.09, 0.004);
    EXPECT_FALSE(moved_time(nullptr, now(0.2, 0)));
    EXPECT_FALSE(moved_time(&row, now(0.2, 0, 0))) << "that is the stored time";
    row.status = MeasurementStatus::GaveUp;
    EXPECT_FALSE(moved_time(&row, now(0.2, 0)));
}

} // namespace
} // namespace sparsight
