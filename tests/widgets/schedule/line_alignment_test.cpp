#include "widgets/schedule/line_alignment.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

/// "3|4" where lines correspond, "3|-" where the right has a gap, "*" where they differ.
std::string printed(const char* left, const char* right) {
    std::string text;
    for (const AlignedLine& line : align_lines(QString::fromUtf8(left), QString::fromUtf8(right))) {
        text += line.left ? std::to_string(*line.left) : "-";
        text += '|';
        text += line.right ? std::to_string(*line.right) : "-";
        text += line.differs ? "* " : " ";
    }
    return text;
}

TEST(LineAlignment, TheSameCodeCorrespondsLineByLine) {
    EXPECT_EQ(printed("a\nb\nc\n", "a\nb\nc\n"), "0|0 1|1 2|2 ");
}

TEST(LineAlignment, LinesOfOneSideAloneFaceAGap) {
    EXPECT_EQ(printed("for (i)\nwork;\n", "for (i)\nfor (k)\nwork;\n"), "0|0 -|1* 1|2 ");
    EXPECT_EQ(printed("for (i)\nfor (k)\nwork;\n", "for (i)\nwork;\n"), "0|0 1|-* 2|1 ");
}

TEST(LineAlignment, IndentationIsNoDifference) {
    EXPECT_EQ(printed("    work;\n", "        work;\n"), "0|0 ");
}

TEST(LineAlignment, LinesThatShareMostWordsFaceEachOtherAndTheOthersDoNot) {
    EXPECT_EQ(
        printed("for (int i = 0; i < 300; ++i)\nA[p] = 1;\n", "for (int i = 0; i < 75; ++i)\nreturn;\n"),
        "0|0* 1|-* -|1* ");
}

TEST(LineAlignment, MarksTheWordsThatDiffer) {
    const auto lines = align_lines(QStringLiteral("  i < 300; ++i"), QStringLiteral("i < 4; ++i"));
    ASSERT_EQ(lines.size(), 1);
    EXPECT_EQ(lines[0].left_marks, (std::vector<TextRange>{{6, 3}}));
    EXPECT_EQ(lines[0].right_marks, (std::vector<TextRange>{{4, 1}}));
}

TEST(LineAlignment, NeighbouringWordsThatDifferAreOneMark) {
    const auto lines = align_lines(QStringLiteral("a = b + c; d; e"), QStringLiteral("a = b * f; d; e"));
    ASSERT_EQ(lines.size(), 1);
    EXPECT_EQ(lines[0].left_marks, (std::vector<TextRange>{{6, 3}}));
}

TEST(LineAlignment, EveryLineStandsThereOnceInItsOrder) {
    const QString left = QStringLiteral("a\n\nb\nx y z\n\nc");
    const QString right = QStringLiteral("\nq\nb\n\nx y w\nc\nr");
    int next_left = 0;
    int next_right = 0;
    for (const AlignedLine& line : align_lines(left, right)) {
        ASSERT_TRUE(line.left || line.right);
        if (line.left) {
            EXPECT_EQ(*line.left, next_left++);
        }
        if (line.right) {
            EXPECT_EQ(*line.right, next_right++);
        }
    }
    EXPECT_EQ(next_left, 6);
    EXPECT_EQ(next_right, 7);
}

TEST(LineAlignment, WithoutCodeThereIsNothing) {
    EXPECT_EQ(printed("", ""), "");
    EXPECT_EQ(printed("", "a"), "-|0* ");
}

} // namespace
} // namespace sparsight
