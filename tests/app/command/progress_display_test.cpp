#include "command/progress_display.h"

#include <gtest/gtest.h>

namespace sparsight {

TEST(ProgressBar, ShowsHowMuchIsDoneAndHowLongTheRestTakes) {
    EXPECT_EQ(progress_bar({.what = "cage8", .done = 5, .total = 10, .left = Seconds(65)}, 200),
              "[##########          ]  50 %, 1 min 05 s left  cage8");
    EXPECT_EQ(progress_bar({.what = "cage8", .done = 10, .total = 10, .left = {}}, 200),
              "[####################] 100 %  cage8");
}

TEST(ProgressBar, ShowsOnlyWhatIsDoneWhereTheTotalIsUnknown) {
    EXPECT_EQ(progress_bar({.what = "reading", .done = 5, .total = 0, .left = {}}, 200), "reading");
}

TEST(ProgressBar, FitsTheTerminal) {
    const std::string bar =
        progress_bar({.what = "a name\nwith a line break", .done = 1, .total = 2, .left = {}}, 40);
    EXPECT_EQ(bar, "[##########          ]  50 %  a name?wit");
}

TEST(ProgressLine, IsTheSameForALog) {
    EXPECT_EQ(progress_line({.what = "cage8", .done = 1, .total = 4, .left = Seconds(3)}),
              " 25 %, 3.00 s left: cage8");
    EXPECT_EQ(progress_line({.what = "cage8", .done = 1, .total = 0, .left = {}}), "cage8");
}

} // namespace sparsight
