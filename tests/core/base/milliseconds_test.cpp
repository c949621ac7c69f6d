#include "base/milliseconds.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(FormatMilliseconds, ShowsFourSignificantDigitsOfTinyTimesToo) {
    EXPECT_EQ(format_milliseconds(1.0643), "1.064");
    EXPECT_EQ(format_milliseconds(2), "2.000");
    EXPECT_EQ(format_milliseconds(12.5), "12.50");
    EXPECT_EQ(format_milliseconds(12345.6), "12346");
    EXPECT_EQ(format_milliseconds(0.00001234), "0.00001234") << "of an empty matrix, 12 ns";
    EXPECT_EQ(format_milliseconds(9.99996), "10.00") << "the rounding carries";
    EXPECT_EQ(format_milliseconds(0.099999), "0.1000");
    EXPECT_EQ(format_milliseconds(0), "0");
}

TEST(FormatSpread, HasTheDecimalsOfItsTimeUnlessTheyHideIt) {
    EXPECT_EQ(format_spread(0.0104, 1.0643), "0.010");
    EXPECT_EQ(format_spread(0.5, 12.5), "0.50");
    EXPECT_EQ(format_spread(0.0001, 1.0643), "0.0001");
    EXPECT_EQ(format_spread(0.000002, 0.00001234), "0.00000200");
    EXPECT_EQ(format_spread(0, 1.0643), "0.000");
}

} // namespace
} // namespace sparsight
