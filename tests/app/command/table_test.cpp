#include "command/table.h"

#include <gtest/gtest.h>

namespace sparsight {

TEST(Table, AlignsColumnsByWhatATerminalShows) {
    Table table({{"name"}, {"time ms", Align::Right}, {"remark"}});
    table.add_row({"a", "1.5", ""});
    table.add_row({"Größe", "12.25", "ok"});
    table.add_row({"疎行列", "7", ""});
    EXPECT_EQ(table.text(), "name    time ms  remark\n"
                            "a           1.5\n"
                            "Größe     12.25  ok\n"
                            "疎行列        7\n");
}

TEST(Table, OfNothingIsItsHeader) {
    EXPECT_EQ(Table({{"a"}, {"b", Align::Right}}).text(), "a  b\n");
}

TEST(Table, CannotBeBrokenByWhatIsInACell) {
    Table table({{"name"}, {"next"}});
    table.add_row({"a\nb\tc\x1b[31m", "x"});
    EXPECT_EQ(table.text(), "name        next\na?b?c?[31m  x\n");
}

} // namespace sparsight
