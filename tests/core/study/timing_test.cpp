#include "study/measurement.h"
#include "study/timing.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddles) {
    EXPECT_DOUBLE_EQ(median_of({Milliseconds(3), Milliseconds(1), Milliseconds(2)}).count(), 2);
    EXPECT_DOUBLE_EQ(median_of({Milliseconds(4), Milliseconds(1), Milliseconds(2), Milliseconds(3)}).count(),
                     2.5);
}

TEST(Spread, IsTheScaledMedianDistanceFromTheMedian) {
    EXPECT_DOUBLE_EQ(
        spread_of({Milliseconds(1), Milliseconds(2), Milliseconds(3), Milliseconds(4), Milliseconds(100)})
            .count(),
        1.4826 * 1.206)
        << "corrected for five values";
}

TEST(ProtocolNames, RoundTrip) {
    EXPECT_EQ(parse_protocol("adaptive"), Protocol::Adaptive);
    EXPECT_EQ(parse_protocol("waco"), Protocol::Waco);
    EXPECT_EQ(parse_protocol("fast"), std::nullopt);
}

} // namespace
} // namespace sparsight
