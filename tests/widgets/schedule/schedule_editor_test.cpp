#include "drafts.h"
#include "widgets/schedule/editor/loop_chip_row.h"
#include "widgets/schedule/editor/schedule_editor.h"
#include "widgets/schedule/editor/split_row.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>
#include <gmock/gmock.h>
#include <map>

namespace sparsight {
namespace {

using testing::order_of;
using testing::spmm_draft;

TEST(ScheduleDraft, CountsHowOftenALoopRuns) {
    const ScheduleDraft draft = spmm_draft();
    EXPECT_EQ(iterations(draft, QStringLiteral("i1")), 250);
    EXPECT_EQ(iterations(draft, QStringLiteral("i0")), 4);
    EXPECT_EQ(iterations(draft, QStringLiteral("k1")), 2000);
    EXPECT_EQ(iterations(draft, QStringLiteral("x1")), 0);
    ScheduleDraft uneven = draft;
    set_split(uneven, u'i', 3);
    EXPECT_EQ(iterations(uneven, QStringLiteral("i1")), 334);
}

TEST(ScheduleDraft, HasTheInnerLoopOfSplitIndicesOnly) {
    const ScheduleDraft draft = spmm_draft();
    EXPECT_TRUE(has_loop(draft, QStringLiteral("i0")));
    EXPECT_TRUE(has_loop(draft, QStringLiteral("k1")));
    EXPECT_FALSE(has_loop(draft, QStringLiteral("k0")));
    EXPECT_FALSE(has_loop(draft, QStringLiteral("z1")));
}

TEST(ScheduleDraft, MovesALoopToAPlaceCountedWithoutIt) {
    ScheduleDraft draft = spmm_draft();
    move_loop(draft, QStringLiteral("i1"), 2);
    EXPECT_EQ(order_of(draft), "k1 i0 i1 k0 j1 j0");
    move_loop(draft, QStringLiteral("j0"), 0);
    EXPECT_EQ(order_of(draft), "j0 k1 i0 i1 k0 j1");
    move_loop(draft, QStringLiteral("j0"), 99);
    EXPECT_EQ(order_of(draft), "k1 i0 i1 k0 j1 j0");
}

TEST(ScheduleDraft, PutsAnInnerLoopThatAppearsInsideItsOuterLoop) {
    ScheduleDraft draft = spmm_draft();
    move_loop(draft, QStringLiteral("k0"), 0);
    EXPECT_EQ(order_of(draft), "k0 i1 k1 i0 j1 j0");
    set_split(draft, u'k', 16);
    EXPECT_EQ(order_of(draft), "i1 k1 k0 i0 j1 j0");
    EXPECT_TRUE(has_loop(draft, QStringLiteral("k0")));
}

TEST(ScheduleDraft, KeepsAnInnerLoopThatAlreadyStandsInside) {
    ScheduleDraft draft = spmm_draft();
    set_split(draft, u'k', 16);
    EXPECT_EQ(order_of(draft), "i1 k1 i0 k0 j1 j0");
}

TEST(ScheduleDraft, FlipsTheFormatsOfLevelsOnly) {
    ScheduleDraft draft = spmm_draft();
    flip_format(draft, QStringLiteral("k1"));
    EXPECT_EQ(draft.formats[QStringLiteral("k1")], DraftFormat::Uncompressed);
    flip_format(draft, QStringLiteral("j1"));
    EXPECT_FALSE(draft.formats.contains(QStringLiteral("j1")));
}

TEST(ScheduleDraft, SaysWhatALoopWalksOver) {
    const ScheduleDraft draft = spmm_draft();
    EXPECT_EQ(loop_meaning(draft, QStringLiteral("i1")), QStringLiteral("row blocks"));
    EXPECT_EQ(loop_meaning(draft, QStringLiteral("i0")), QStringLiteral("positions in a block"));
    EXPECT_EQ(loop_meaning(draft, QStringLiteral("k1")), QStringLiteral("columns"));
    EXPECT_EQ(loop_meaning(draft, QStringLiteral("k0")), QStringLiteral("not split"));
}

using ::testing::HasSubstr;

/// A small engine: the text is "split of i, chunk", and i0 must stand inside i1.
ScheduleKnowledge small_engine() {
    ScheduleKnowledge knowledge;
    knowledge.reason_against = [](const ScheduleDraft& draft) {
        return draft.order.indexOf(QStringLiteral("i0")) < draft.order.indexOf(QStringLiteral("i1"))
                   ? QStringLiteral("i0 stands before i1")
                   : QString();
    };
    knowledge.to_text = [](const ScheduleDraft& draft) {
        return QStringLiteral("%1 %2").arg(draft.indices[0].split).arg(draft.chunk);
    };
    knowledge.parse = [](const ScheduleDraft& like,
                         const QString& text) -> std::expected<ScheduleDraft, QString> {
        const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
        if (words.size() != 2)
            return std::unexpected(QStringLiteral("word 2 is missing"));
        ScheduleDraft draft = like;
        set_split(draft, u'i', words[0].toLongLong());
        draft.chunk = words[1].toInt();
        return draft;
    };
    knowledge.describe = [](const ScheduleDraft& draft) {
        return QStringLiteral("Rows in blocks of %1").arg(draft.indices[0].split);
    };
    return knowledge;
}

class ScheduleEditorTest : public ::testing::Test {
protected:
    ScheduleEditorTest() {
        editor_.set_schedule(spmm_draft());
        editor_.resize(1100, editor_.sizeHint().height());
        editor_.show();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&editor_));
    }

    template <typename Widget>
    Widget& named(const char* accessible_name) {
        for (Widget* const widget : editor_.findChildren<Widget*>())
            if (widget->accessibleName() == QString::fromLatin1(accessible_name))
                return *widget;
        ADD_FAILURE() << "nothing is called " << accessible_name;
        static Widget none;
        return none;
    }
    QPushButton& measure() { return *editor_.findChild<QPushButton*>(); }
    LoopChip& chip(const char* loop) { return *editor_.loops()->chip(QString::fromLatin1(loop)); }
    QLineEdit& text() { return named<QLineEdit>("Schedule as text"); }
    QString verdict() { return named<QLabel>("Whether the schedule is valid").text(); }
    PowerOfTwoField& split_field(const char* name) {
        for (PowerOfTwoField* const field : editor_.findChildren<PowerOfTwoField*>())
            if (field->accessibleName() == QString::fromLatin1(name))
                return *field;
        ADD_FAILURE() << "no field is called " << name;
        return *editor_.findChild<PowerOfTwoField*>();
    }

    ScheduleEditor editor_{small_engine()};
};

TEST_F(ScheduleEditorTest, ShowsWhatItWasGiven) {
    EXPECT_EQ(split_field("Split of i").currentText(), QStringLiteral("4"));
    EXPECT_EQ(split_field("Split of j").currentText(), QStringLiteral("8"));
    EXPECT_EQ(split_field("Chunk").currentText(), QStringLiteral("16"));
    EXPECT_EQ(named<QSpinBox>("Threads").value(), 8);
    EXPECT_EQ(text().text(), QStringLiteral("4 16"));
    EXPECT_FALSE(editor_.is_edited());
    EXPECT_FALSE(editor_.undo_action()->isEnabled());
    EXPECT_FALSE(editor_.reset_action()->isEnabled());
    EXPECT_TRUE(measure().isEnabled());
}

TEST_F(ScheduleEditorTest, SplitsByAPowerOfTwoFromTheList) {
    const QSignalSpy changed(&editor_, &ScheduleEditor::draft_changed);
    PowerOfTwoField& field = split_field("Split of k");
    field.setFocus();
    QTest::keyClick(&field, Qt::Key_Down);
    ASSERT_EQ(changed.size(), 1);
    EXPECT_EQ(editor_.draft().indices[1].split, 2);
    EXPECT_TRUE(chip("k0").face().is_there);
}

TEST_F(ScheduleEditorTest, SplitsByAnyNumberThatIsTypedInOneUndoStep) {
    QLineEdit& line = *split_field("Split of i").lineEdit();
    line.setFocus();
    line.selectAll();
    QTest::keyClicks(&line, QStringLiteral("125"));
    EXPECT_EQ(editor_.draft().indices[0].split, 125);
    EXPECT_EQ(chip("i1").face().iterations, 8);
    EXPECT_EQ(editor_.undo_stack()->count(), 1);
    QTest::keyClick(&line, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(editor_.draft(), spmm_draft());
    EXPECT_EQ(line.text(), QStringLiteral("4"));
}

TEST_F(ScheduleEditorTest, TakesNothingButNumbersForASplit) {
    QLineEdit& line = *split_field("Split of i").lineEdit();
    line.setFocus();
    line.selectAll();
    QTest::keyClicks(&line, QStringLiteral("0x"));
    QTest::keyClick(&line, Qt::Key_Delete);
    EXPECT_EQ(editor_.draft(), spmm_draft());
    split_field("Split of k").setFocus();
    EXPECT_EQ(line.text(), QStringLiteral("4")) << "what is no number does not stay";
}

TEST_F(ScheduleEditorTest, ReordersLoopsByDragging) {
    LoopChip& dragged = chip("k1");
    const QPoint grip(16, 12);
    const QPoint by = chip("i1").geometry().center() - dragged.geometry().center() - QPoint(20, 0);
    QTest::mousePress(&dragged, Qt::LeftButton, Qt::NoModifier, grip);
    const QPoint start = dragged.mapToGlobal(grip);
    QTest::mouseMove(&dragged, dragged.mapFromGlobal(start + by / 2));
    QTest::mouseMove(&dragged, dragged.mapFromGlobal(start + by));
    QTest::mouseRelease(&dragged, Qt::LeftButton, Qt::NoModifier, grip);
    EXPECT_EQ(order_of(editor_.draft()), "k1 i1 i0 k0 j1 j0");
    EXPECT_EQ(editor_.undo_stack()->undoText(), QStringLiteral("move k1"));
}

TEST_F(ScheduleEditorTest, SaysAtOnceWhyItIsNotValidAndDoesNotMeasure) {
    const QSignalSpy measured(&editor_, &ScheduleEditor::measure_requested);
    QTest::keyClick(&chip("i0"), Qt::Key_Left, Qt::AltModifier);
    EXPECT_TRUE(measure().isEnabled());
    QTest::keyClick(&chip("i0"), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(order_of(editor_.draft()), "i0 i1 k1 k0 j1 j0");
    EXPECT_EQ(verdict(), QStringLiteral("i0 stands before i1"));
    EXPECT_FALSE(measure().isEnabled());
    EXPECT_EQ(measure().toolTip(), QStringLiteral("i0 stands before i1"));
    QTest::mouseClick(&measure(), Qt::LeftButton);
    EXPECT_TRUE(measured.isEmpty());
    QTest::keyClick(&chip("i0"), Qt::Key_Right, Qt::AltModifier);
    EXPECT_TRUE(measure().isEnabled());
}

TEST_F(ScheduleEditorTest, MeasuresWhatIsShown) {
    QTest::mouseClick(&chip("k1"), Qt::LeftButton, Qt::NoModifier, chip("k1").format_area().center());
    ScheduleDraft asked;
    QObject::connect(&editor_, &ScheduleEditor::measure_requested, &editor_,
                     [&](const ScheduleDraft& draft) { asked = draft; });
    QTest::mouseClick(&measure(), Qt::LeftButton);
    EXPECT_EQ(asked, editor_.draft());
    EXPECT_EQ(asked.formats.at(QStringLiteral("k1")), DraftFormat::Uncompressed);
}

TEST_F(ScheduleEditorTest, SaysWhyNothingCanBeMeasuredNow) {
    editor_.set_measuring_blocked(QStringLiteral("A measurement is running"));
    EXPECT_FALSE(measure().isEnabled());
    EXPECT_EQ(measure().toolTip(), QStringLiteral("A measurement is running"));
    editor_.set_measuring_blocked({});
    EXPECT_TRUE(measure().isEnabled());
}

TEST_F(ScheduleEditorTest, UndoesAndRedoesByTheKeyboardAlsoFromAField) {
    QTest::mouseClick(&chip("k1"), Qt::LeftButton, Qt::NoModifier, chip("k1").format_area().center());
    QTest::keyClick(&chip("k1"), Qt::Key_Right, Qt::AltModifier);
    const ScheduleDraft edited = editor_.draft();
    chip("k1").setFocus();
    QTest::keyClick(&chip("k1"), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(order_of(editor_.draft()), order_of(spmm_draft()));
    split_field("Chunk").lineEdit()->setFocus();
    QTest::keyClick(split_field("Chunk").lineEdit(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(editor_.draft(), spmm_draft());
    QTest::keyClick(split_field("Chunk").lineEdit(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(split_field("Chunk").lineEdit(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(editor_.draft(), edited);
}

TEST_F(ScheduleEditorTest, TheUndoButtonKeepsItsWidthWhateverItUndoes) {
    const auto widths = [&] {
        std::vector<int> result;
        for (const QToolButton* const button : editor_.findChildren<QToolButton*>())
            result.push_back(button->sizeHint().width());
        return result;
    };
    const std::vector<int> before = widths();
    QTest::mouseClick(&chip("k1"), Qt::LeftButton, Qt::NoModifier, chip("k1").format_area().center());
    EXPECT_EQ(widths(), before);
    EXPECT_THAT(editor_.undo_action()->toolTip().toStdString(), HasSubstr("change the format of k1"));
}

TEST_F(ScheduleEditorTest, ResetsToTheOriginalAndCanUndoThatToo) {
    QTest::mouseClick(&chip("k1"), Qt::LeftButton, Qt::NoModifier, chip("k1").format_area().center());
    const ScheduleDraft edited = editor_.draft();
    EXPECT_TRUE(editor_.is_edited());
    editor_.reset_action()->trigger();
    EXPECT_EQ(editor_.draft(), spmm_draft());
    EXPECT_FALSE(editor_.is_edited());
    editor_.undo_action()->trigger();
    EXPECT_EQ(editor_.draft(), edited);
}

TEST_F(ScheduleEditorTest, IsEditedAsTextAndKeepsWhatIsBeingTyped) {
    text().setFocus();
    text().selectAll();
    QTest::keyClicks(&text(), QStringLiteral("32  64"));
    EXPECT_EQ(editor_.draft().indices[0].split, 32);
    EXPECT_EQ(editor_.draft().chunk, 64);
    EXPECT_EQ(text().text(), QStringLiteral("32  64"));
    EXPECT_EQ(split_field("Split of i").currentText(), QStringLiteral("32"));
    EXPECT_EQ(split_field("Chunk").currentText(), QStringLiteral("64"));
}

TEST_F(ScheduleEditorTest, SaysWhatIsWrongWithATextAndForgetsItOnEscape) {
    text().setFocus();
    text().selectAll();
    QTest::keyClicks(&text(), QStringLiteral("32"));
    EXPECT_EQ(verdict(), QStringLiteral("word 2 is missing"));
    EXPECT_FALSE(measure().isEnabled());
    EXPECT_EQ(editor_.draft(), spmm_draft());
    QTest::keyClick(&text(), Qt::Key_Escape);
    EXPECT_EQ(text().text(), QStringLiteral("4 16"));
    EXPECT_TRUE(measure().isEnabled());
}

TEST_F(ScheduleEditorTest, ForgetsTheEditsOfAnotherSchedule) {
    QTest::mouseClick(&chip("k1"), Qt::LeftButton, Qt::NoModifier, chip("k1").format_area().center());
    ScheduleDraft other = spmm_draft();
    set_split(other, u'i', 64);
    editor_.set_schedule(other);
    EXPECT_EQ(split_field("Split of i").currentText(), QStringLiteral("64"));
    EXPECT_FALSE(editor_.undo_stack()->canUndo());
    EXPECT_FALSE(editor_.is_edited());
}

TEST_F(ScheduleEditorTest, TextsWithAFontOfTheirOwnFollowThatOfTheApplication) {
    const QFont before = QApplication::font();
    const auto sizes = [&] {
        std::map<QString, double> result{{QStringLiteral("the text"), text().font().pointSizeF()}};
        for (const QLabel* const label : editor_.findChildren<QLabel*>())
            if (label->testAttribute(Qt::WA_SetFont)) // Qt itself tells the others
                result[label->text()] = label->font().pointSizeF();
        return result;
    };
    const auto small = sizes();
    QFont large = before;
    large.setPointSizeF(before.pointSizeF() * 1.5);
    QApplication::setFont(large);
    const auto enlarged = sizes();
    QApplication::setFont(before);
    for (const auto& [name, size] : small)
        EXPECT_GT(enlarged.at(name), size) << name.toStdString();
}

TEST_F(ScheduleEditorTest, DescribesTheScheduleInWords) {
    bool said = false;
    for (const QLabel* const label : editor_.findChildren<QLabel*>())
        said = said || label->text() == QStringLiteral("Rows in blocks of 4");
    EXPECT_TRUE(said);
}

TEST(ScheduleEditor, SaysWhatToDoWithoutASchedule) {
    ScheduleEditor editor(small_engine());
    editor.show();
    bool says = false;
    for (const QLabel* const label : editor.findChildren<QLabel*>())
        says = says || (label->isVisible() && label->text().contains(QStringLiteral("Choose a schedule")));
    EXPECT_TRUE(says);
    EXPECT_FALSE(editor.findChild<QPushButton*>()->isVisible());
}

} // namespace
} // namespace sparsight
