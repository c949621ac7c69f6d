// Messages over the page.
#include "gui/shell/notices.h"
#include "widgets/look/banner.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

class NoticesTest : public ::testing::Test {
protected:
    NoticesTest() {
        page.resize(900, 600);
        page.show();
    }

    [[nodiscard]] QStringList in_sight() const {
        QStringList texts;
        for (const Banner* banner : notices.findChildren<Banner*>())
            if (banner->isVisible())
                texts << banner->text();
        return texts;
    }
    [[nodiscard]] std::string rest() const {
        const auto* label = notices.findChild<QPushButton*>(QStringLiteral("close-notices"))
                                ->parentWidget()
                                ->findChild<QLabel*>();
        return label->isVisible() ? label->text().toStdString() : "";
    }

    QWidget page;
    Notices notices{&page};
};

TEST_F(NoticesTest, AreNotThereWithoutAMessage) {
    EXPECT_FALSE(notices.isVisible());
    notices.tell(QString(), true);
    EXPECT_FALSE(notices.isVisible());
}

TEST_F(NoticesTest, LieInTheLowerLeftCornerWhateverThePageDoes) {
    notices.tell(QString(300, u'm').replace(50, 1, u' '), true);
    const auto is_in_the_corner = [&] {
        return page.rect().contains(notices.geometry()) && notices.x() < 20 &&
               page.height() - notices.geometry().bottom() < 20 && notices.height() < page.height() / 3;
    };
    EXPECT_TRUE(is_in_the_corner());
    page.resize(500, 400);
    QTest::qWait(10);
    EXPECT_TRUE(is_in_the_corner());
}

TEST_F(NoticesTest, AtMostTwoAreInSightAndTheOthersAreCounted) {
    for (const char* text : {"a", "b", "c", "d", "b"})
        notices.tell(QLatin1String(text), true);
    EXPECT_EQ(notices.texts(), (QStringList{u"a"_qs, u"b"_qs, u"c"_qs, u"d"_qs})) << "the same is said once";
    EXPECT_EQ(in_sight(), (QStringList{u"c"_qs, u"d"_qs}));
    EXPECT_EQ(rest(), "and 2 more");
    for (Banner* banner : notices.findChildren<Banner*>())
        if (banner->text() == QStringLiteral("d"))
            banner->close_message();
    EXPECT_EQ(in_sight(), (QStringList{u"b"_qs, u"c"_qs})) << "an older one comes back into sight";
    EXPECT_EQ(rest(), "and 1 more");
    QTest::mouseClick(notices.findChild<QPushButton*>(QStringLiteral("close-notices")), Qt::LeftButton);
    EXPECT_TRUE(notices.texts().isEmpty());
    EXPECT_FALSE(notices.isVisible());
}

} // namespace
} // namespace sparsight
