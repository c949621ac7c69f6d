#include "command/terminal_text.h"

#include <gtest/gtest.h>

namespace sparsight {

TEST(DisplayedText, KeepsUtf8AndReplacesTheRest) {
    EXPECT_EQ(displayed("cage8 × é 疎 𝄞"), "cage8 × é 疎 𝄞");
    EXPECT_EQ(displayed("a\x01\x7f\xc2\x85z"), "a???z") << "control characters, those of Unicode too";
    EXPECT_EQ(displayed("\xff\xfe"), "??");
    EXPECT_EQ(displayed("cut \xe2\x82"), "cut ??");
    EXPECT_EQ(displayed("\xc0\xaf"), "??") << "overlong";
    EXPECT_EQ(displayed("\xed\xa0\x80"), "???") << "a surrogate";
    EXPECT_EQ(displayed("\xe2\x80\xaetxt.exe"), "?txt.exe") << "turns the direction of writing";
}

TEST(DisplayedText, HasTheWidthThatATerminalGivesIt) {
    EXPECT_EQ(display_width(""), 0);
    EXPECT_EQ(display_width("ab×"), 3);
    EXPECT_EQ(display_width("e\xcc\x81"), 1) << "a combining accent";
    EXPECT_EQ(display_width("疎行"), 4);
}

TEST(DisplayedText, IsCutBetweenCharacters) {
    EXPECT_EQ(fitting("abc", 2), "ab");
    EXPECT_EQ(fitting("abc", 9), "abc");
    EXPECT_EQ(fitting("×××", 2), "××");
    EXPECT_EQ(fitting("疎行", 3), "疎");
    EXPECT_EQ(fitting("疎行", 0), "");
}

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
