#include "widgets/look/value_slider.h"

#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

class ValueSliderTest : public ::testing::Test {
protected:
    void SetUp() override {
        slider_.set_stops({1, 2, 4, 8, 16});
        slider_.set_format([](double value) { return QStringLiteral("%1 GB/s").arg(value); });
        slider_.set_origin(4);
        slider_.set_value(4);
        slider_.resize(200, 50);
        slider_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&slider_));
    }
    [[nodiscard]] QStringList texts() const {
        QStringList texts;
        for (const QLabel* label : slider_.findChildren<QLabel*>())
            texts << label->text();
        return texts;
    }
    ValueSlider slider_{QStringLiteral("Bandwidth")};
};

TEST_F(ValueSliderTest, SlidesFromStopToStop) {
    QSignalSpy moved(&slider_, &ValueSlider::moved);
    QTest::keyClick(slider_.slider(), Qt::Key_Right);
    ASSERT_EQ(moved.size(), 1);
    EXPECT_EQ(moved[0][0].toDouble(), 8);
    EXPECT_EQ(slider_.value(), 8);
    EXPECT_TRUE(slider_.is_changed());
    EXPECT_TRUE(texts().contains(QStringLiteral("<b>8 GB/s</b>"))) << "what was changed stands out";
}

TEST_F(ValueSliderTest, TheWayBackLeadsToTheOrigin) {
    EXPECT_FALSE(slider_.reset_button()->isVisible());
    QTest::keyClick(slider_.slider(), Qt::Key_Home);
    EXPECT_EQ(slider_.value(), 1);
    ASSERT_TRUE(slider_.reset_button()->isVisible());
    QSignalSpy moved(&slider_, &ValueSlider::moved);
    QTest::mouseClick(slider_.reset_button(), Qt::LeftButton);
    ASSERT_EQ(moved.size(), 1);
    EXPECT_EQ(moved[0][0].toDouble(), 4);
    EXPECT_FALSE(slider_.is_changed());
}

TEST_F(ValueSliderTest, AValueBetweenStopsIsKeptAndStandsAtTheNearest) {
    QSignalSpy moved(&slider_, &ValueSlider::moved);
    slider_.set_value(7.5);
    EXPECT_EQ(slider_.value(), 7.5);
    EXPECT_EQ(slider_.slider()->value(), 3);
    slider_.set_value(100);
    EXPECT_EQ(slider_.slider()->value(), 4);
    EXPECT_TRUE(moved.isEmpty()) << "only the user moves";
}

} // namespace
} // namespace sparsight
