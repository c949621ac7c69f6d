// Messages in the bar at the bottom of the window.
#include "gui/shell/notices.h"
#include "support/settle_layout.h"
#include "widgets/look/banner.h"

#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

class NoticesTest : public ::testing::Test {
protected:
    NoticesTest() {
        auto* column = new QVBoxLayout(&window);
        column->addWidget(&field);
        column->addStretch(1); // as the page takes the room above them
        column->addWidget(&notices);
        window.resize(500, 400);
        window.show();
    }

    void click(const char* button) {
        auto* found = notices.findChild<QAbstractButton*>(QLatin1String(button));
        ASSERT_NE(found, nullptr) << button;
        QTest::mouseClick(found, Qt::LeftButton);
    }
    [[nodiscard]] QStringList listed() const {
        QStringList texts;
        for (const Banner* banner : notices.findChildren<Banner*>())
            if (banner->isVisible())
                texts << banner->text();
        return texts;
    }

    QWidget window;
    QLineEdit field;
    Notices notices{&window};
};

TEST_F(NoticesTest, AreNotThereWithoutAMessage) {
    EXPECT_FALSE(notices.isVisible());
    notices.tell(QString(), true);
    EXPECT_FALSE(notices.isVisible());
}

TEST_F(NoticesTest, HaveOneLineHoweverLongTheyAre) {
    notices.tell(QStringLiteral("short"), true);
    testing::settle_layout();
    const int height = notices.height();
    notices.tell(QString(900, u'm').replace(50, 1, u'\n'), true);
    testing::settle_layout();
    EXPECT_EQ(notices.height(), height);
    EXPECT_EQ(window.width(), 500);
}

TEST_F(NoticesTest, TheNewestIsInTheLineAndAllAreInTheList) {
    for (const char* text : {"a", "b", "c", "b"})
        notices.tell(QLatin1String(text), true);
    EXPECT_EQ(notices.texts(), (QStringList{u"a"_qs, u"c"_qs, u"b"_qs})) << "the same is said once";
    EXPECT_EQ(notices.newest(), u"b"_qs) << "where it was said last";
    click("all-notices");
    ASSERT_TRUE(notices.list_is_open());
    EXPECT_EQ(listed(), notices.texts());
    for (Banner* banner : notices.findChildren<Banner*>())
        if (banner->text() == u"b"_qs)
            banner->close_message();
    EXPECT_EQ(notices.texts(), (QStringList{u"a"_qs, u"c"_qs}));
    EXPECT_EQ(listed(), notices.texts());
    click("close-notices");
    EXPECT_FALSE(notices.isVisible());
    EXPECT_FALSE(notices.list_is_open());
}

TEST_F(NoticesTest, WhatHappensAgainIsOverWithItsNewCause) {
    const QString text = QStringLiteral("The disk is full");
    notices.tell_of(QStringLiteral("first"), text);
    notices.tell_of(QStringLiteral("second"), text);
    notices.settle(QStringLiteral("first"));
    EXPECT_EQ(notices.texts(), QStringList{text});
    notices.settle(QStringLiteral("second"));
    EXPECT_TRUE(notices.texts().isEmpty());
}

TEST_F(NoticesTest, TheListIsNoHigherThanTheWindowAndBeginsAtTheNewest) {
    for (int i = 0; i < 30; ++i)
        notices.tell(QStringLiteral("%1: ").arg(i) + QString(300, u'm').replace(50, 1, u' '), true);
    testing::settle_layout();
    click("all-notices");
    const auto* list = notices.findChild<QScrollArea*>();
    const QRect shown(list->window()->pos(), list->window()->size());
    EXPECT_TRUE(QRect(window.mapToGlobal(QPoint()), window.size()).contains(shown)) << shown.height();
    EXPECT_GT(shown.height(), window.height() / 2) << "and takes the room that there is";
    EXPECT_GT(list->verticalScrollBar()->maximum(), 0);
    EXPECT_EQ(list->verticalScrollBar()->value(), list->verticalScrollBar()->maximum());
    click("close-notices");
    EXPECT_FALSE(notices.list_is_open());
}

TEST_F(NoticesTest, EscapeClosesTheNewestUnlessSomebodyElseWantsIt) {
    notices.tell(QStringLiteral("old"), true);
    notices.tell(QStringLiteral("new"), true);
    field.setFocus();
    QTest::keyClick(&field, Qt::Key_Escape);
    EXPECT_EQ(notices.newest(), QStringLiteral("old"));
    QTest::keyClick(&window, Qt::Key_Escape);
    EXPECT_TRUE(notices.texts().isEmpty());
    EXPECT_TRUE(window.isVisible());
}

TEST_F(NoticesTest, TheButtonClosesTheNewest) {
    notices.tell(QStringLiteral("old"), true);
    notices.tell(QStringLiteral("new"), true);
    click("close-notice");
    EXPECT_EQ(notices.texts(), QStringList{QStringLiteral("old")});
}

TEST_F(NoticesTest, AProblemGoesWithItsCause) {
    notices.tell_of(QStringLiteral("disk"), QStringLiteral("The disk is full"));
    notices.tell_of(QStringLiteral("file"), QStringLiteral("No such file"));
    notices.settle(QStringLiteral("disk"));
    EXPECT_EQ(notices.texts(), QStringList{QStringLiteral("No such file")});
    notices.tell(QStringLiteral("Copied"), false);
    notices.settle_all();
    EXPECT_EQ(notices.texts(), QStringList{QStringLiteral("Copied")}) << "it is no problem";
}

} // namespace
} // namespace sparsight
