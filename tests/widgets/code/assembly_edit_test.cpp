// The editor of assembly: its marks, its error, and what is dropped on it.
#include "widgets/code/assembly_edit.h"

#include <QApplication>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QUrl>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

class AssemblyEditTest : public ::testing::Test {
protected:
    AssemblyEditTest() {
        edit_.resize(400, 200);
        edit_.setPlainText(QStringLiteral("loop: imul rax, 3 # product\nmovq $5, %rbx\njne loop"));
        edit_.show();
        QTest::qWait(1);
    }
    /// Of the letter in the line.
    [[nodiscard]] QColor colour(int line, int letter) const {
        for (const auto& part : edit_.document()->findBlockByNumber(line).layout()->formats())
            if (letter >= part.start && letter < part.start + part.length)
                return part.format.foreground().color();
        return {};
    }

    AssemblyEdit edit_;
};

TEST_F(AssemblyEditTest, ColoursBothSyntaxes) {
    const CodeColours& colours = current_theme().code;
    EXPECT_EQ(colour(0, 0), colours.function) << "a label";
    EXPECT_EQ(colour(0, 6), colours.keyword);
    EXPECT_EQ(colour(0, 11), colours.type) << "rax";
    EXPECT_EQ(colour(0, 16), colours.number);
    EXPECT_EQ(colour(0, 20), colours.comment);
    EXPECT_EQ(colour(1, 6), colours.number) << "$5";
    EXPECT_EQ(colour(1, 10), colours.type) << "%rbx";
}

TEST_F(AssemblyEditTest, MarksChangeTheirLinesAlone) {
    const QImage before = edit_.grab().toImage();
    edit_.set_marks({{.is_critical = true, .note = QStringLiteral("port 1")}, {}, {.is_explained = true}});
    const QImage after = edit_.grab().toImage();
    const auto differs = [&](int line) {
        const QRect row = edit_.cursorRect(QTextCursor(edit_.document()->findBlockByNumber(line)));
        const QRect place(0, edit_.viewport()->y() + row.top() + 2, before.width(), row.height() - 4);
        return before.copy(place) != after.copy(place);
    };
    EXPECT_TRUE(differs(0));
    EXPECT_FALSE(differs(1));
    EXPECT_TRUE(differs(2));
    edit_.set_marks({});
    EXPECT_EQ(edit_.grab().toImage(), before);
}

TEST_F(AssemblyEditTest, AnErrorIsUnderlinedInItsLine) {
    edit_.set_error_line(1);
    ASSERT_EQ(edit_.extraSelections().size(), 1);
    EXPECT_EQ(edit_.extraSelections().front().cursor.blockNumber(), 1);
    EXPECT_EQ(edit_.extraSelections().front().format.underlineStyle(), QTextCharFormat::WaveUnderline);
    edit_.set_error_line(7); // the line was removed meanwhile
    EXPECT_TRUE(edit_.extraSelections().isEmpty());
    edit_.set_error_line(std::nullopt);
    EXPECT_TRUE(edit_.extraSelections().isEmpty());
}

TEST_F(AssemblyEditTest, ReplacedTextCanBeUndone) {
    const QString before = edit_.toPlainText();
    edit_.replace_text(QStringLiteral("nop"));
    EXPECT_EQ(edit_.toPlainText(), QStringLiteral("nop"));
    edit_.undo();
    EXPECT_EQ(edit_.toPlainText(), before);
}

TEST_F(AssemblyEditTest, TellsTheLineOfTheCursorAndTabLeavesIt) {
    const QSignalSpy entered(&edit_, &AssemblyEdit::line_entered);
    edit_.go_to_line(2);
    ASSERT_EQ(entered.size(), 1);
    EXPECT_EQ(entered.front().front().toInt(), 2);
    edit_.go_to_line(9); // there is no such line
    EXPECT_EQ(entered.size(), 1);
    QWidget window;
    QLineEdit next(&window); // Tab stays where there is nothing else
    edit_.setParent(&window);
    window.show();
    edit_.setFocus();
    QTest::keyClick(&edit_, Qt::Key_Tab);
    EXPECT_FALSE(edit_.toPlainText().contains(u'\t'));
    edit_.setParent(nullptr);
}

TEST_F(AssemblyEditTest, FilesThatAreDroppedAreNotText) {
    const QSignalSpy dropped(&edit_, &AssemblyEdit::files_dropped);
    const QString before = edit_.toPlainText();
    QMimeData files;
    files.setUrls({QUrl::fromLocalFile(QStringLiteral("/somewhere/kernel.o"))});
    QDropEvent drop(QPointF(100, 50), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    QDragEnterEvent enter(QPoint(100, 50), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(edit_.viewport(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QApplication::sendEvent(edit_.viewport(), &drop);
    ASSERT_EQ(dropped.size(), 1);
    EXPECT_EQ(dropped.front().front().toStringList(), QStringList{QStringLiteral("/somewhere/kernel.o")});
    EXPECT_EQ(edit_.toPlainText(), before);
}

} // namespace
} // namespace sparsight
