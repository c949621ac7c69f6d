#include "widgets/schedule/chip_row_layout.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

ChipRowLayout one_line() {
    return lay_out_chips({50, 60, 70}, {40, 10, 8, 1000});
}

TEST(ChipRowLayout, StandsChipsSideBySide) {
    const ChipRowLayout layout = one_line();
    EXPECT_EQ(layout.chips[0], QRectF(0, 0, 50, 40));
    EXPECT_EQ(layout.chips[1], QRectF(60, 0, 60, 40));
    EXPECT_EQ(layout.chips[2], QRectF(130, 0, 70, 40));
    EXPECT_EQ(layout.height, 40);
}

TEST(ChipRowLayout, BreaksIntoLinesWhereTheWidthEnds) {
    const ChipRowLayout layout = lay_out_chips({50, 60, 70}, {40, 10, 8, 140});
    EXPECT_EQ(layout.chips[1], QRectF(60, 0, 60, 40));
    EXPECT_EQ(layout.chips[2], QRectF(0, 48, 70, 40));
    EXPECT_EQ(layout.height, 88);
    EXPECT_EQ(lay_out_chips({500}, {40, 10, 8, 100}).height, 40);
}

TEST(ChipRowLayout, FindsThePlaceNextToTheChipWhoseMiddleIsPassed) {
    const ChipRowLayout layout = one_line();
    EXPECT_EQ(layout.place_at({0, 20}), 0);
    EXPECT_EQ(layout.place_at({26, 20}), 1);
    EXPECT_EQ(layout.place_at({89, 20}), 1);
    EXPECT_EQ(layout.place_at({91, 20}), 2);
    EXPECT_EQ(layout.place_at({900, 20}), 3);
    EXPECT_EQ(layout.place_at({26, -50}), 1) << "above the row still means the row";
    EXPECT_EQ(layout.place_at({26, 500}), 1);
}

TEST(ChipRowLayout, FindsThePlaceInTheLineThatIsPointedAt) {
    const ChipRowLayout layout = lay_out_chips({50, 60, 70, 40}, {40, 10, 8, 140});
    EXPECT_EQ(layout.place_at({200, 20}), 2);
    EXPECT_EQ(layout.place_at({-3, 60}), 2);
    EXPECT_EQ(layout.place_at({60, 60}), 3);
    EXPECT_EQ(layout.place_at({130, 60}), 4);
}

TEST(ChipRowLayout, LetsAWideChipFallAtBothEndsOfALine) {
    const ChipRowLayout layout = lay_out_chips({50, 60, 40, 40, 40}, {40, 10, 8, 140});
    const auto place_of = [&](double left) {
        return layout.place_at(layout.pointed_at_by(QRectF(left, 48, 120, 40)));
    };
    EXPECT_EQ(place_of(0), 2);
    EXPECT_EQ(place_of(20), 5);
    EXPECT_EQ(layout.pointed_at_by(QRectF(60, 48, 20, 40)).x(), 70) << "the middle, away from the ends";
}

TEST(ChipRowLayout, MarksTheGapInWhichAChipWouldFall) {
    const ChipRowLayout layout = one_line();
    EXPECT_EQ(layout.mark_at(0, {0, 20}).center().x(), -5);
    EXPECT_EQ(layout.mark_at(1, {60, 20}).center().x(), 55);
    EXPECT_EQ(layout.mark_at(3, {300, 20}).center().x(), 205);
}

TEST(ChipRowLayout, MarksThePlaceBetweenTwoLinesInTheOneThatIsPointedAt) {
    const ChipRowLayout layout = lay_out_chips({50, 60, 70, 40}, {40, 10, 8, 140});
    EXPECT_EQ(layout.mark_at(2, {130, 20}).center(), QPointF(125, 20)) << "behind the first line";
    EXPECT_EQ(layout.mark_at(2, {0, 60}).center(), QPointF(-5, 68)) << "before the second";
}

} // namespace
} // namespace sparsight
