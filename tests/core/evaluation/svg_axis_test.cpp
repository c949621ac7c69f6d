#include "evaluation/svg_axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(SvgAxis, PutsItsEndsWhereTheyBelongAndClipsWhatLiesBeyond) {
    const SvgAxis upward = SvgAxis::linear(0, 10, 200, 20);
    EXPECT_DOUBLE_EQ(upward.place(0), 200);
    EXPECT_DOUBLE_EQ(upward.place(10), 20);
    EXPECT_DOUBLE_EQ(upward.place(5), 110);
    EXPECT_DOUBLE_EQ(upward.place(99), 20);
}

TEST(SvgAxis, GivesTwiceAsFastAndHalfAsFastTheSameLength) {
    const SvgAxis axis = SvgAxis::logarithmic(0.25, 4, 0, 100);
    EXPECT_DOUBLE_EQ(axis.place(1), 50);
    EXPECT_NEAR(axis.place(2) - axis.place(1), axis.place(1) - axis.place(0.5), 1e-9);
}

TEST(SvgAxis, MarksRoundNumbers) {
    EXPECT_THAT(SvgAxis::linear(-0.1, 1.05, 0, 1).ticks(),
                ElementsAre(DoubleNear(0, 1e-12), DoubleNear(0.2, 1e-12), DoubleNear(0.4, 1e-12),
                            DoubleNear(0.6, 1e-12), DoubleNear(0.8, 1e-12), DoubleNear(1, 1e-12)));
    EXPECT_THAT(SvgAxis::logarithmic(0.2, 9, 0, 1).ticks(), ElementsAre(0.25, 0.5, 1, 2, 4, 8));
}

TEST(SvgAxis, MarksNeitherTooFewNorTooManyOverAnyExtent) {
    for (const double highest : {1.01, 1.3, 2.0, 3.9, 4.1, 17.0, 900.0, 1e4, 1e12}) {
        for (const SvgAxis& axis :
             {SvgAxis::linear(1, highest, 0, 1), SvgAxis::logarithmic(1, highest, 0, 1)}) {
            EXPECT_GE(axis.ticks().size(), 3U) << highest;
            EXPECT_LE(axis.ticks().size(), 10U) << highest;
        }
    }
}

TEST(SvgAxis, OfASingleValueIsWidened) {
    for (const double value : {0.0, 0.69, -3.0}) {
        const SvgAxis axis = SvgAxis::linear(value, value, 0, 100);
        EXPECT_NEAR(axis.place(value), 50, 1e-9);
        EXPECT_FALSE(axis.ticks().empty());
    }
    EXPECT_NEAR(SvgAxis::logarithmic(2, 2, 0, 100).place(2), 50, 1e-9);
}

} // namespace
} // namespace sparsight
