#include "widgets/table/column_widths.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;

constexpr ColumnNeed number(int wanted) {
    return {wanted, wanted, false};
}
constexpr ColumnNeed text(int wanted) {
    return {wanted, 100, true};
}

TEST(ColumnWidths, TheFirstColumnOfTextsTakesTheRoomThatIsLeft) {
    EXPECT_THAT(fitted_widths({number(60), text(80), text(70)}, 400), ElementsAre(60, 270, 70));
    EXPECT_THAT(fitted_widths({number(60), number(80)}, 400), ElementsAre(60, 80));
}

TEST(ColumnWidths, LongTextsGiveWayWhereThereIsLittleRoom) {
    EXPECT_THAT(fitted_widths({number(60), text(300), number(70)}, 300), ElementsAre(60, 170, 70));
}

TEST(ColumnWidths, TheWidestTextGivesWayFirst) {
    EXPECT_THAT(fitted_widths({text(150), text(400)}, 400), ElementsAre(150, 250));
    EXPECT_THAT(fitted_widths({text(300), text(400)}, 301), ElementsAre(151, 150));
}

TEST(ColumnWidths, NoTextBecomesUnreadable) {
    EXPECT_THAT(fitted_widths({number(200), text(300), text(80)}, 250), ElementsAre(200, 100, 80));
    EXPECT_THAT(fitted_widths({}, 250), ElementsAre());
}

} // namespace
} // namespace sparsight
