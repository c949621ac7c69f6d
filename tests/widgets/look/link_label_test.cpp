#include "widgets/look/link_label.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

TEST(LinkLabel, TabComesToALinkAndReturnFollowsIt) {
    QWidget window;
    auto* const column = new QVBoxLayout(&window);
    auto* const before = new QLineEdit(&window);
    auto* const label = new QLabel(&window);
    auto* const after = new QLineEdit(&window);
    for (QWidget* const each : std::initializer_list<QWidget*>{before, label, after})
        column->addWidget(each);
    reach_links_by_keyboard(*label);
    window.show();
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    before->setFocus();
    QTest::keyClick(before, Qt::Key_Tab);
    EXPECT_TRUE(after->hasFocus()) << "a label without a link is no stop";

    label->setText(QStringLiteral("It may be noise. <a href='again'>Measure again</a> later."));
    QApplication::processEvents(); // painted with its link
    before->setFocus();
    QTest::keyClick(before, Qt::Key_Tab);
    ASSERT_TRUE(label->hasFocus());
    const QSignalSpy followed(label, &QLabel::linkActivated);
    QTest::keyClick(label, Qt::Key_Return);
    ASSERT_EQ(followed.count(), 1);
    EXPECT_EQ(followed.front().front().toString(), QStringLiteral("again"));
    QTest::keyClick(label, Qt::Key_Tab);
    EXPECT_TRUE(after->hasFocus());
}

} // namespace
} // namespace sparsight
