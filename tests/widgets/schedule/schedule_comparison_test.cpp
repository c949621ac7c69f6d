#include "widgets/look/theme.h"
#include "widgets/schedule/code/code_view.h"
#include "widgets/schedule/code/schedule_comparison.h"
#include "widgets/schedule/storage/coordinate_tree_view.h"
#include "widgets/schedule/storage/storage_bars.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QScrollBar>
#include <QTabWidget>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolButton>
#include <QToolTip>
#include <QWheelEvent>
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

const QString spmm_code = QStringLiteral("void spmm(const int32_t* k_pos) {\n"
                                         "#pragma omp parallel for\n"
                                         "    for (int64_t i = 0; i < 1024; i++) // rows\n"
                                         "        add(i); /* over\n"
                                         "   two lines */ return;\n"
                                         "}\n");

/// The colour in which a word of a line is shown.
QColor colour_of(const CodeView& view, int line, const QString& word) {
    const QTextBlock block = view.document()->findBlockByNumber(line);
    const auto begin = static_cast<int>(block.text().indexOf(word));
    EXPECT_GE(begin, 0) << word.toStdString();
    for (const QTextLayout::FormatRange& range : block.layout()->formats())
        if (begin >= range.start && begin < range.start + range.length)
            return range.format.foreground().color();
    return {};
}

TEST(CodeView, ColoursC) {
    CodeView view;
    view.set_code(spmm_code);
    const CodeColours& colours = current_theme().code;
    EXPECT_EQ(colour_of(view, 0, QStringLiteral("void")), colours.type);
    EXPECT_EQ(colour_of(view, 0, QStringLiteral("spmm")), colours.function);
    EXPECT_EQ(colour_of(view, 0, QStringLiteral("const")), colours.keyword);
    EXPECT_EQ(colour_of(view, 0, QStringLiteral("int32_t")), colours.type);
    EXPECT_EQ(colour_of(view, 0, QStringLiteral("k_pos")), colours.text);
    EXPECT_EQ(colour_of(view, 1, QStringLiteral("#pragma")), colours.keyword);
    EXPECT_EQ(colour_of(view, 2, QStringLiteral("for")), colours.keyword);
    EXPECT_EQ(colour_of(view, 2, QStringLiteral("1024")), colours.number);
    EXPECT_EQ(colour_of(view, 2, QStringLiteral("// rows")), colours.comment);
    EXPECT_EQ(colour_of(view, 3, QStringLiteral("/* over")), colours.comment);
    EXPECT_EQ(colour_of(view, 4, QStringLiteral("two")), colours.comment);
    EXPECT_EQ(colour_of(view, 4, QStringLiteral("return")), colours.keyword);
}

TEST(CodeView, FollowsTheThemeWhileItIsShown) {
    CodeView view;
    view.set_code(spmm_code);
    view.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&view));
    apply_theme(*qApp, ThemeChoice::Dark);
    QCoreApplication::processEvents();
    EXPECT_EQ(colour_of(view, 0, QStringLiteral("const")), dark_theme().code.keyword);
    apply_theme(*qApp, ThemeChoice::Light);
    QCoreApplication::processEvents();
    EXPECT_EQ(colour_of(view, 0, QStringLiteral("const")), light_theme().code.keyword);
}

TEST(CodeView, CopiesAllOfTheCodeAtOneClick) {
    CodeView view;
    view.resize(500, 300);
    view.show();
    auto* const copy = view.findChild<QToolButton*>();
    EXPECT_FALSE(copy->isVisible()) << "there is nothing to copy yet";
    view.set_code(spmm_code);
    QTest::mouseClick(copy, Qt::LeftButton);
    EXPECT_EQ(QApplication::clipboard()->text(), spmm_code);
}

/// 90 % at the third line and 1 % at the fourth.
std::vector<LineCostMark> two_costs() {
    std::vector<LineCostMark> costs(6);
    costs[2] = {.share = 0.9, .text = QStringLiteral("0.450"), .meaning = QStringLiteral("rows"), .note = {}};
    costs[3] = {.share = 0.01,
                .text = QStringLiteral("0.005"),
                .meaning = QStringLiteral("sum"),
                .note = QStringLiteral("4.00 cycles")};
    return costs;
}

int differing_pixels(const QImage& a, const QImage& b, const QRect& area) {
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x)
            count += a.pixel(x, y) != b.pixel(x, y);
    return count;
}

TEST(CodeView, ShowsWhatEachLineCostsBesideItsNumber) {
    for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
        apply_theme(*qApp, theme);
        CodeView view;
        view.resize(700, 300);
        view.set_code(spmm_code);
        EXPECT_TRUE(view.cost_cell(2).isEmpty()) << "nothing is known of costs yet";
        view.set_line_costs(two_costs());
        view.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
        const QImage with = view.grab().toImage();
        const QRect dear = view.cost_cell(2);
        const QRect cheap = view.cost_cell(3);
        ASSERT_GT(dear.width(), 30);
        EXPECT_EQ(cheap.top(), dear.top() + dear.height());
        // The bars: the longer one reaches where the shorter one does not.
        const QPoint far(dear.left() + 5, dear.top() + 2);
        const QPoint same_place(cheap.left() + 5, cheap.top() + 2);
        EXPECT_NE(with.pixelColor(far), with.pixelColor(same_place));
        EXPECT_EQ(with.pixelColor(same_place), current_theme().surface);
        // The tint, where there is no text.
        const int right = view.width() - 120;
        EXPECT_NE(with.pixelColor(right, dear.center().y()), current_theme().surface);
        EXPECT_EQ(with.pixelColor(right, view.cost_cell(4).center().y()), current_theme().surface);
        auto costs = two_costs();
        costs[3].note.clear();
        view.set_line_costs(costs);
        const QRect line(dear.right() + 1, cheap.top(), right - dear.right(), cheap.height());
        EXPECT_GT(differing_pixels(with, view.grab().toImage(), line), 20) << "the note stands behind it";
    }
    apply_theme(*qApp, ThemeChoice::Light);
}

TEST(CodeView, TellsWhatALineCostsWhereTheMouseIs) {
    CodeView view;
    view.resize(700, 300);
    view.set_code(spmm_code);
    view.set_line_costs(two_costs());
    view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    const auto told_at = [&](int line) {
        const QRect cell = view.cost_cell(line);
        const QPoint place = view.viewport()->mapFrom(&view, cell.center() + QPoint(cell.width() + 60, 0));
        QHelpEvent hover(QEvent::ToolTip, place, view.viewport()->mapToGlobal(place));
        QApplication::sendEvent(view.viewport(), &hover);
        return QToolTip::text();
    };
    EXPECT_EQ(told_at(2), QStringLiteral("rows"));
    EXPECT_EQ(told_at(3), QStringLiteral("sum"));
    QWidget* const margin = view.childAt(view.cost_cell(2).center());
    const QPoint place = margin->mapFrom(&view, view.cost_cell(2).center());
    QHelpEvent hover(QEvent::ToolTip, place, margin->mapToGlobal(place));
    QApplication::sendEvent(margin, &hover);
    EXPECT_EQ(QToolTip::text(), QStringLiteral("rows"));
    QToolTip::hideText();
}

TEST(CodeView, ForgetsTheCostsOfOtherCode) {
    CodeView view;
    view.set_code(spmm_code);
    view.set_line_costs(two_costs());
    view.set_code(spmm_code);
    EXPECT_EQ(view.line_costs().size(), 6U) << "it is the same code";
    view.set_code(QStringLiteral("int x;\n"));
    EXPECT_TRUE(view.line_costs().empty());
}

TEST(CodeView, GrowsItsTypeWithCtrlAndTheWheelAndShrinksItBack) {
    CodeView view;
    view.resize(500, 300);
    view.set_code(spmm_code);
    view.show();
    const double before = view.font().pointSizeF();
    const auto turn = [&](int delta, Qt::KeyboardModifiers modifiers) {
        QWheelEvent wheel(QPointF(50, 50), view.mapToGlobal(QPointF(50, 50)), QPoint(), QPoint(0, delta),
                          Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view.viewport(), &wheel);
    };
    turn(120, Qt::ControlModifier);
    EXPECT_GT(view.font().pointSizeF(), before);
    turn(-120, Qt::ControlModifier);
    EXPECT_EQ(view.font().pointSizeF(), before);
    turn(120, Qt::NoModifier);
    EXPECT_EQ(view.font().pointSizeF(), before);
}

TEST(CodeView, IsReadOnlyDoesNotWrapAndKeepsItsPlace) {
    CodeView view;
    view.resize(300, 100);
    view.set_code(spmm_code.repeated(20));
    view.show();
    QTest::keyClicks(&view, QStringLiteral("x"));
    EXPECT_EQ(view.toPlainText(), spmm_code.repeated(20).chopped(1)) << "no empty last line";
    EXPECT_EQ(view.lineWrapMode(), QPlainTextEdit::NoWrap);
    view.verticalScrollBar()->setValue(40);
    view.set_code(spmm_code.repeated(21));
    EXPECT_EQ(view.verticalScrollBar()->value(), 40);
}

TEST(CodeView, FollowsTheFontOfTheApplicationAndKeepsItsZoom) {
    CodeView view;
    view.set_code(QStringLiteral("int a;"));
    view.show();
    QTest::keyClick(&view, Qt::Key_Plus, Qt::ControlModifier);
    const double zoomed = view.font().pointSizeF();
    const QFont before = QApplication::font();
    QFont large = before;
    large.setPointSizeF(before.pointSizeF() + 6);
    QApplication::setFont(large);
    EXPECT_EQ(view.font().pointSizeF(), zoomed + 6);
    QApplication::setFont(before);
    EXPECT_EQ(view.font().pointSizeF(), zoomed);
}

using ::testing::HasSubstr;

ComparedSchedule compared(const char* title, const QString& code) {
    ComparedSchedule one;
    one.title = QString::fromLatin1(title);
    one.time = QStringLiteral("1.24 ms");
    one.meaning = QStringLiteral("A is stored by rows.");
    one.code = code;
    one.storage = {one.title, {{QStringLiteral("k1"), StorageArray::Coordinates, 64, 0}}};
    return one;
}

class ScheduleComparisonTest : public ::testing::Test {
protected:
    void SetUp() override {
        view_.resize(900, 600);
        view_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&view_));
    }
    [[nodiscard]] std::string label(const char* name) {
        return view_.findChild<QLabel*>(QLatin1String(name))->text().toStdString();
    }
    ScheduleComparison view_;
};

TEST_F(ScheduleComparisonTest, ShowsBothLoopNestsAlignedAndCountsWhatDiffers) {
    view_.show_pair(
        compared("Fixed CSR", QStringLiteral("void f()\nfor (int i = 0; i < 300; ++i)\nwork;\n")),
        compared("Chosen", QStringLiteral("void f()\nfor (int i = 0; i < 75; ++i)\nfor (int k)\nwork;\n")));
    const auto& left = view_.code().left().facing_lines();
    const auto& right = view_.code().right().facing_lines();
    ASSERT_EQ(left.size(), 4);
    ASSERT_EQ(right.size(), 4);
    EXPECT_FALSE(left[0].differs);
    EXPECT_TRUE(left[1].differs);
    EXPECT_EQ(right[1].marks.size(), 1) << "75";
    EXPECT_EQ(left[2].number, 0) << "a gap beside the loop that the right has alone";
    EXPECT_EQ(left[3].number, 3) << "counted as in its own code";
    EXPECT_EQ(right[3].number, 4);
    EXPECT_EQ(view_.code().differing_lines(), 2);
    EXPECT_EQ(label("compared-left"), "Fixed CSR");
    EXPECT_EQ(label("compared-right-time"), "1.24 ms");
}

TEST_F(ScheduleComparisonTest, CopiesTheCodeWithoutGaps) {
    const QString code = QStringLiteral("a;\nb;\n");
    view_.show_pair(compared("1", code), compared("2", QStringLiteral("a;\nx = 1;\nb;\n")));
    view_.code().left().copy_all();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), code);
}

TEST_F(ScheduleComparisonTest, BothSidesScrollTogether) {
    QString code;
    for (int line = 0; line < 200; ++line)
        code += QStringLiteral("line(%1);\n").arg(line);
    view_.show_pair(compared("1", code), compared("2", code));
    view_.code().left().verticalScrollBar()->setValue(50);
    EXPECT_EQ(view_.code().right().verticalScrollBar()->value(), 50);
    view_.code().right().verticalScrollBar()->setValue(20);
    EXPECT_EQ(view_.code().left().verticalScrollBar()->value(), 20);
}

TEST_F(ScheduleComparisonTest, LeadsFromDifferenceToDifferenceAndRound) {
    QString left;
    QString right;
    for (int line = 0; line < 300; ++line) {
        left += QStringLiteral("line(%1);\n").arg(line);
        right += line == 40 || line == 41 || line == 250 ? QStringLiteral("line(%1, 7);\n").arg(line)
                                                         : QStringLiteral("line(%1);\n").arg(line);
    }
    view_.show_pair(compared("1", left), compared("2", right));
    const auto current = [&] { return view_.code().left().textCursor().blockNumber(); };
    view_.code().go_to_difference(1);
    EXPECT_EQ(current(), 40);
    view_.code().go_to_difference(1);
    EXPECT_EQ(current(), 250) << "neighbouring lines are one place";
    view_.code().go_to_difference(1);
    EXPECT_EQ(current(), 40);
    QTest::keyClick(&view_.code(), Qt::Key_F8, Qt::ShiftModifier);
    EXPECT_EQ(current(), 250);
}

TEST_F(ScheduleComparisonTest, SaysWhyAFormatHasNoStorage) {
    ComparedSchedule exploding = compared("2", QStringLiteral("a;"));
    exploding.storage_problem = QStringLiteral("64 PiB");
    exploding.storage = {};
    view_.show_pair(compared("1", QStringLiteral("a;")), exploding);
    view_.tabs().setCurrentIndex(1);
    bool is_told = false;
    for (const QLabel* each : view_.findChildren<QLabel*>())
        is_told = is_told || (each->isVisible() && each->text() == QStringLiteral("64 PiB"));
    EXPECT_TRUE(is_told);
}

TEST_F(ScheduleComparisonTest, StorageStandsInTheOrderOfBothSidesAndTheRightOneIsHeldAgainstTheLeft) {
    ComparedSchedule right = compared("2", QStringLiteral("a;"));
    right.storage.segments.front().bytes = 128;
    view_.show_pair(compared("1", QStringLiteral("a;")), right);
    const std::string said = view_.findChild<StorageBars*>()->accessibleDescription().toStdString();
    EXPECT_THAT(said, HasSubstr("2.00× 1"));
    EXPECT_LT(said.find("1: "), said.find("2: "));
}

TEST_F(ScheduleComparisonTest, FurtherTabsStandBehind) {
    view_.add_tab(new QLabel(QStringLiteral("terms")), QStringLiteral("Terms"), QStringLiteral("parts"));
    EXPECT_EQ(view_.tabs().count(), 3);
    EXPECT_THAT(view_.tabs().tabToolTip(2).toStdString(), HasSubstr("parts"));
}

} // namespace
} // namespace sparsight
