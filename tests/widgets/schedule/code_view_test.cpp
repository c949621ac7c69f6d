#include "widgets/schedule/code_view.h"

#include "widgets/look/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolButton>
#include <QWheelEvent>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

const QString code = QStringLiteral("void spmm(const int32_t* k_pos) {\n"
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
    view.set_code(code);
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
    view.set_code(code);
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
    view.set_code(code);
    QTest::mouseClick(copy, Qt::LeftButton);
    EXPECT_EQ(QApplication::clipboard()->text(), code);
}

TEST(CodeView, GrowsItsTypeWithCtrlAndTheWheelAndShrinksItBack) {
    CodeView view;
    view.resize(500, 300);
    view.set_code(code);
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
    view.set_code(code.repeated(20));
    view.show();
    QTest::keyClicks(&view, QStringLiteral("x"));
    EXPECT_EQ(view.toPlainText(), code.repeated(20).chopped(1)) << "no empty last line";
    EXPECT_EQ(view.lineWrapMode(), QPlainTextEdit::NoWrap);
    view.verticalScrollBar()->setValue(40);
    view.set_code(code.repeated(21));
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

} // namespace
} // namespace sparsight
