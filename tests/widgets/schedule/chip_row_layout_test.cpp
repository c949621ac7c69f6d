#include "widgets/schedule/chip_row_layout.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

ChipRowLayout one_line() {
    return lay_out_chips({50, 60, 70}, {40, 10, 8, 1000});
}

TEST(ChipRowLayout, StandsChipsSideBySideWithHalfAGapAtTheEnds) {
    const ChipRowLayout layout = one_line();
    EXPECT_EQ(layout.chips[0], QRectF(5, 0, 50, 40));
    EXPECT_EQ(layout.chips[1], QRectF(65, 0, 60, 40));
    EXPECT_EQ(layout.chips[2], QRectF(135, 0, 70, 40));
    EXPECT_EQ(layout.height, 40);
}

TEST(ChipRowLayout, BreaksIntoLinesWhereTheWidthEnds) {
    const ChipRowLayout layout = lay_out_chips({50, 60, 70}, {40, 10, 8, 140});
    EXPECT_EQ(layout.chips[1], QRectF(65, 0, 60, 40));
    EXPECT_EQ(layout.chips[2], QRectF(5, 48, 70, 40));
    EXPECT_EQ(layout.height, 88);
    EXPECT_EQ(lay_out_chips({500}, {40, 10, 8, 100}).height, 40);
}

TEST(ChipRowLayout, FindsThePlaceNextToTheChipWhoseMiddleIsPassed) {
    const ChipRowLayout layout = one_line();
    EXPECT_EQ(layout.place_at({0, 20}), 0);
    EXPECT_EQ(layout.place_at({31, 20}), 1);
    EXPECT_EQ(layout.place_at({94, 20}), 1);
    EXPECT_EQ(layout.place_at({96, 20}), 2);
    EXPECT_EQ(layout.place_at({900, 20}), 3);
    EXPECT_EQ(layout.place_at({31, -50}), 1) << "above the row still means the row";
    EXPECT_EQ(layout.place_at({31, 500}), 1);
}

TEST(ChipRowLayout, FindsThePlaceInTheLineThatIsPointedAt) {
    const ChipRowLayout layout = lay_out_chips({50, 60, 70, 40}, {40, 10, 8, 140});
    EXPECT_EQ(layout.place_at({200, 20}), 2);
    EXPECT_EQ(layout.place_at({0, 60}), 2);
    EXPECT_EQ(layout.place_at({60, 60}), 3);
    EXPECT_EQ(layout.place_at({130, 60}), 4);
}

TEST(ChipRowLayout, MarksTheGapInWhichAChipWouldFall) {
    const ChipRowLayout layout = one_line();
    EXPECT_EQ(layout.mark_at(0).center().x(), 0);
    EXPECT_EQ(layout.mark_at(1).center().x(), 60);
    EXPECT_EQ(layout.mark_at(3).center().x(), 210);
}

} // namespace
} // namespace sparsight
