#include "drafts.h"
#include "widgets/schedule/editor/loop_chip_row.h"

#include <QSignalSpy>
#include <QTest>
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

using testing::spmm_draft;

class LoopChipRowTest : public ::testing::Test {
protected:
    LoopChipRowTest() {
        row_.show_loops(spmm_draft());
        row_.resize(1200, row_.heightForWidth(1200));
        row_.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&row_));
    }

    LoopChip& chip(const char* loop) { return *row_.chip(QString::fromLatin1(loop)); }

    /// Presses the left button on the chip's name, moves in steps, and leaves the button down.
    void drag(LoopChip& dragged, QPoint by) {
        const QPoint from(16, 12);
        QTest::mousePress(&dragged, Qt::LeftButton, Qt::NoModifier, from);
        const QPoint start = dragged.mapToGlobal(from);
        for (int step = 1; step <= 4; ++step)
            QTest::mouseMove(&dragged, dragged.mapFromGlobal(start + by * step / 4));
    }

    void drag_onto(LoopChip& dragged, const LoopChip& target, int beyond) {
        drag(dragged, target.geometry().center() - dragged.geometry().center() + QPoint(beyond, 0));
        QTest::mouseRelease(&dragged, Qt::LeftButton, Qt::NoModifier, QPoint(16, 12));
    }

    LoopChipRow row_;
};

TEST_F(LoopChipRowTest, StandsTheLoopsInTheirOrder) {
    EXPECT_LT(chip("i1").x(), chip("k1").x());
    EXPECT_LT(chip("k1").x(), chip("i0").x());
    EXPECT_LT(chip("j1").x(), chip("j0").x());
    EXPECT_EQ(row_.chip(QStringLiteral("x1")), nullptr);
}

TEST_F(LoopChipRowTest, DragsAChipBehindAnother) {
    const QSignalSpy moved(&row_, &LoopChipRow::loop_moved);
    drag_onto(chip("i1"), chip("i0"), 20);
    ASSERT_EQ(moved.size(), 1);
    EXPECT_EQ(moved[0][0].toString(), QStringLiteral("i1"));
    EXPECT_EQ(moved[0][1].toLongLong(), 2);
}

TEST_F(LoopChipRowTest, DragsAChipInFrontOfAnother) {
    const QSignalSpy moved(&row_, &LoopChipRow::loop_moved);
    drag_onto(chip("j1"), chip("k1"), -20);
    ASSERT_EQ(moved.size(), 1);
    EXPECT_EQ(moved[0][0].toString(), QStringLiteral("j1"));
    EXPECT_EQ(moved[0][1].toLongLong(), 1);
}

TEST_F(LoopChipRowTest, LetsAChipFallBackWhereItWas) {
    const QSignalSpy moved(&row_, &LoopChipRow::loop_moved);
    const QRect home = chip("k1").geometry();
    drag(chip("k1"), {25, 8});
    EXPECT_NE(chip("k1").geometry(), home) << "the chip follows the mouse";
    QTest::mouseRelease(&chip("k1"), Qt::LeftButton, Qt::NoModifier, QPoint(16, 12));
    EXPECT_EQ(chip("k1").geometry(), home);
    EXPECT_TRUE(moved.isEmpty());
}

TEST_F(LoopChipRowTest, GivesADragUpOnEscape) {
    const QSignalSpy moved(&row_, &LoopChipRow::loop_moved);
    const QRect home = chip("i1").geometry();
    drag(chip("i1"), chip("j0").geometry().center() - home.center());
    QTest::keyClick(&chip("i1"), Qt::Key_Escape);
    EXPECT_EQ(chip("i1").geometry(), home);
    QTest::mouseRelease(&chip("i1"), Qt::LeftButton);
    EXPECT_TRUE(moved.isEmpty());
}

TEST_F(LoopChipRowTest, MovesTheChipWithTheFocusByTheKeyboard) {
    const QSignalSpy moved(&row_, &LoopChipRow::loop_moved);
    QTest::keyClick(&chip("k1"), Qt::Key_Left, Qt::AltModifier);
    QTest::keyClick(&chip("k1"), Qt::Key_Right, Qt::AltModifier);
    QTest::keyClick(&chip("i1"), Qt::Key_Left, Qt::AltModifier);
    ASSERT_EQ(moved.size(), 2) << "the outermost chip moves no further out";
    EXPECT_EQ(moved[0][1].toLongLong(), 0);
    EXPECT_EQ(moved[1][1].toLongLong(), 2);
}

TEST_F(LoopChipRowTest, KeepsAltAndArrowsFromTheWindow) {
    QKeyEvent back(QEvent::ShortcutOverride, Qt::Key_Left, Qt::AltModifier);
    back.ignore();
    QCoreApplication::sendEvent(&chip("k1"), &back);
    EXPECT_TRUE(back.isAccepted());
}

TEST_F(LoopChipRowTest, WalksThroughTheChipsWithTheArrows) {
    row_.activateWindow();
    chip("i1").setFocus();
    QTest::keyClick(&chip("i1"), Qt::Key_Right);
    EXPECT_TRUE(chip("k1").hasFocus());
    QTest::keyClick(&chip("k1"), Qt::Key_Left);
    EXPECT_TRUE(chip("i1").hasFocus());
}

TEST_F(LoopChipRowTest, FlipsTheFormatByClickAndByKey) {
    const QSignalSpy flipped(&row_, &LoopChipRow::format_flipped);
    QTest::mouseClick(&chip("k1"), Qt::LeftButton, Qt::NoModifier, chip("k1").format_area().center());
    QTest::keyClick(&chip("k1"), Qt::Key_F);
    QTest::keyClick(&chip("k1"), Qt::Key_C);
    EXPECT_EQ(flipped.size(), 2) << "C changes nothing on a compressed level";
    QTest::keyClick(&chip("k1"), Qt::Key_U);
    EXPECT_EQ(flipped.size(), 3);
}

TEST_F(LoopChipRowTest, HasNoFormatWhereTheLoopIsNoLevelOrNotThere) {
    EXPECT_TRUE(chip("j1").format_area().isEmpty());
    EXPECT_TRUE(chip("k0").format_area().isEmpty());
    const QSignalSpy flipped(&row_, &LoopChipRow::format_flipped);
    QTest::keyClick(&chip("j1"), Qt::Key_F);
    QTest::keyClick(&chip("k0"), Qt::Key_F);
    EXPECT_TRUE(flipped.isEmpty());
    EXPECT_THAT(chip("k0").accessibleDescription().toStdString(), ::testing::HasSubstr("not split"));
}

TEST_F(LoopChipRowTest, MakesAnotherAllowedLoopParallel) {
    ScheduleDraft draft = spmm_draft();
    draft.may_be_parallel << QStringLiteral("k1");
    row_.show_loops(draft);
    const QSignalSpy wanted(&row_, &LoopChipRow::parallel_wanted);
    QTest::mouseClick(&chip("k1"), Qt::LeftButton, Qt::NoModifier, chip("k1").parallel_area().center());
    QTest::mouseClick(&chip("i1"), Qt::LeftButton, Qt::NoModifier, chip("i1").parallel_area().center());
    QTest::keyClick(&chip("k1"), Qt::Key_P);
    EXPECT_EQ(wanted.size(), 2) << "the parallel loop stays parallel";
    EXPECT_TRUE(chip("j1").parallel_area().isEmpty());
}

TEST_F(LoopChipRowTest, KeepsTheFocusOnTheChipThatMoved) {
    row_.activateWindow();
    chip("k1").setFocus();
    LoopChip* const before = &chip("k1");
    ScheduleDraft draft = spmm_draft();
    move_loop(draft, QStringLiteral("k1"), 0);
    row_.show_loops(draft);
    EXPECT_EQ(&chip("k1"), before);
    EXPECT_TRUE(chip("k1").hasFocus());
    EXPECT_LT(chip("k1").x(), chip("i1").x());
}

TEST_F(LoopChipRowTest, BreaksIntoLinesWhenItIsNarrow) {
    row_.resize(300, row_.heightForWidth(300));
    EXPECT_GT(row_.heightForWidth(300), row_.heightForWidth(1200));
    EXPECT_GT(chip("j0").y(), chip("i1").y());
}

TEST_F(LoopChipRowTest, DropsAChipAtTheStartOfEachLine) {
    ScheduleDraft draft = spmm_draft();
    draft.indices[0].item = QStringLiteral("a meaning that makes both chips of this index wide");
    draft.order.move(0, draft.order.size() - 1);
    row_.show_loops(draft);
    const int width = chip("i1").width() + 20;
    row_.resize(width, row_.heightForWidth(width));
    const qsizetype last = draft.order.size() - 1;
    for (qsizetype place = 0; place < last; ++place) {
        const LoopChip& target = *row_.chip(draft.order[place]);
        if (target.x() > 0)
            continue;
        const QSignalSpy moved(&row_, &LoopChipRow::loop_moved);
        drag(chip("i1"), target.pos() - chip("i1").pos());
        QTest::mouseRelease(&chip("i1"), Qt::LeftButton, Qt::NoModifier, QPoint(16, 12));
        ASSERT_EQ(moved.size(), 1) << target.face().loop.toStdString();
        EXPECT_EQ(moved[0][1].toLongLong(), place);
    }
}

} // namespace
} // namespace sparsight
