#include "gui/help/help_page.h"

#include "gui/help/help_browser.h"
#include "gui/help/help_text.h"
#include "gui/help/help_topics.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextTable>
#include <QToolButton>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

class HelpPageTest : public ::testing::Test {
protected:
    HelpPageTest() {
        apply_theme(application_, ThemeChoice::Light);
        page_.resize(1100, 720);
        page_.show();
    }
    HelpBrowser& browser() { return *page_.findChild<HelpBrowser*>(); }
    QListWidget& list() { return *page_.findChild<QListWidget*>(); }
    QLineEdit& search() { return *page_.findChild<QLineEdit*>(); }

    /// What stands first in the view.
    QString first_visible_line() {
        return browser().cursorForPosition(QPoint(browser().viewport()->width() / 2, 26)).block().text();
    }

    int count_ = 1;
    char program_[5] = "help";
    char* arguments_[2] = {program_, nullptr};
    QApplication application_{count_, arguments_};
    HelpPage page_;
};

TEST_F(HelpPageTest, BeginsWithTheIndexAndListsEveryPage) {
    EXPECT_EQ(page_.topic(), QStringLiteral("index"));
    QStringList expected;
    for (const HelpTopic& topic : help_topics)
        expected << QString::fromLatin1(topic.id);
    EXPECT_EQ(page_.listed_topics(), expected);
    EXPECT_FALSE(page_.can_go_back());
}

TEST_F(HelpPageTest, ShowsATopicAtAHeadingOrAtTheNameOfAStatistic) {
    page_.show_topic(QStringLiteral("measuring"), QStringLiteral("protocols"));
    EXPECT_EQ(first_visible_line().toStdString(), "Protocols");
    page_.show_topic(QStringLiteral("statistics"), QStringLiteral("bandwidth"));
    EXPECT_TRUE(first_visible_line().startsWith(QStringLiteral("bandwidth")))
        << first_visible_line().toStdString();
}

TEST_F(HelpPageTest, FindsEveryHeadingOfEveryPageInItsDocument) {
    for (const HelpTopic& topic : help_topics) {
        const auto id = QString::fromLatin1(topic.id);
        page_.show_topic(id);
        for (const HelpSection& section : help_sections(id, help_markdown(id)))
            EXPECT_TRUE(browser().show_anchor(section.anchor))
                << topic.id << "#" << section.anchor.toStdString();
    }
    EXPECT_FALSE(browser().show_anchor(QStringLiteral("no-such-heading")));
}

TEST_F(HelpPageTest, ShowsTheIndexForATopicThatDoesNotExist) {
    page_.show_topic(QStringLiteral("jobs"));
    page_.show_topic(QStringLiteral("no-such-topic"));
    EXPECT_EQ(page_.topic(), QStringLiteral("index"));
}

TEST_F(HelpPageTest, WalksBackToWhereThePageWasLeftAndForwardAgain) {
    page_.show_topic(QStringLiteral("statistics"));
    browser().verticalScrollBar()->setValue(300);
    Q_EMIT browser().anchorClicked(QUrl(QStringLiteral("measuring.md#spread")));
    EXPECT_EQ(page_.topic(), QStringLiteral("measuring"));

    QTest::keyClick(&browser(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(page_.topic(), QStringLiteral("statistics"));
    EXPECT_EQ(browser().verticalScrollBar()->value(), 300);
    ASSERT_TRUE(page_.can_go_forward());
    QTest::keyClick(&browser(), Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(page_.topic(), QStringLiteral("measuring"));

    page_.go_back();
    page_.show_topic(QStringLiteral("jobs"));
    EXPECT_FALSE(page_.can_go_forward()) << "a new way begins here";
}

TEST_F(HelpPageTest, SearchesFromTheKeyboard) {
    QTest::keyClick(&browser(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(&search(), QStringLiteral("gini"));
    ASSERT_GT(list().count(), 0);
    EXPECT_THAT(page_.listed_topics(), ::testing::Contains(QStringLiteral("statistics")));
    QTest::keyClick(&search(), Qt::Key_Return);
    EXPECT_FALSE(browser().extraSelections().isEmpty()) << "the words are marked";

    QTest::keyClick(&search(), Qt::Key_Escape);
    EXPECT_EQ(page_.listed_topics().size(), static_cast<qsizetype>(help_topics.size()));
}

TEST_F(HelpPageTest, SaysWhenNothingIsFound) {
    page_.seek(QStringLiteral("qwertz"));
    EXPECT_TRUE(page_.listed_topics().isEmpty());
    EXPECT_FALSE(list().isVisible());
}

TEST_F(HelpPageTest, KeepsLinesComfortableOnAWideScreen) {
    page_.show_topic(QStringLiteral("index"));
    for (const int width : {700, 1100, 2400}) {
        page_.resize(width, 720);
        QApplication::sendPostedEvents();
        const QTextFrameFormat root = browser().document()->rootFrame()->frameFormat();
        const double text = browser().viewport()->width() - root.leftMargin() - root.rightMargin();
        EXPECT_LT(text, 80 * QFontMetricsF(QApplication::font()).horizontalAdvance(QStringLiteral("e")))
            << width;
        EXPECT_GE(root.leftMargin(), 16) << width;
        EXPECT_LE(browser().document()->size().width(), browser().viewport()->width()) << width;
    }
}

TEST_F(HelpPageTest, ChangesTheSizeOfTheTextAndKeepsIt) {
    const auto heading_size = [&] {
        return browser().document()->begin().begin().fragment().charFormat().fontPointSize();
    };
    const double usual = heading_size();
    QTest::keyClick(&browser(), Qt::Key_Plus, Qt::ControlModifier);
    QTest::keyClick(&browser(), Qt::Key_Plus, Qt::ControlModifier);
    EXPECT_EQ(page_.text_size(), 120);
    EXPECT_NEAR(heading_size(), usual * 1.2, 0.1);

    HelpPage other;
    other.restore_layout(page_.layout_state());
    EXPECT_EQ(other.text_size(), 120);
    QTest::keyClick(&browser(), Qt::Key_0, Qt::ControlModifier);
    EXPECT_EQ(page_.text_size(), 100);
    other.restore_layout("nonsense");
    EXPECT_EQ(other.text_size(), 120);
}

TEST_F(HelpPageTest, FollowsAChangeOfThemeWhileItIsShown) {
    page_.show_topic(QStringLiteral("level-formats"));
    apply_theme(application_, ThemeChoice::Dark);
    QApplication::sendPostedEvents();
    const QTextCharFormat text = browser().document()->begin().begin().fragment().charFormat();
    EXPECT_EQ(text.foreground().color(), dark_theme().text);
    const QString artefact = qEnvironmentVariable("SPARSIGHT_SCREENSHOTS");
    if (!artefact.isEmpty()) {
        EXPECT_TRUE(page_.grab().save(artefact + QStringLiteral("/help-dark.png")));
    }
}

} // namespace
} // namespace sparsight
