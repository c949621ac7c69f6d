#include "widgets/chart/waterfall_chart.h"

#include "widgets/chart/waterfall_scene.h"
#include "widgets/look/number_text.h"
#include "widgets/schedule/picture_export.h"

#include <QFile>
#include <QLocale>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <gmock/gmock.h>
#include <numeric>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

WaterfallBar step(const char* key, double amount, double uncertainty, bool is_significant) {
    WaterfallBar step;
    step.key = step.label = QString::fromLatin1(key);
    step.change = QStringLiteral("1 → 4");
    step.amount = amount;
    step.uncertainty = uncertainty;
    step.is_significant = is_significant;
    return step;
}

WaterfallPicture waterfall_picture() {
    WaterfallPicture picture;
    picture.axis = {QStringLiteral("time"), QStringLiteral("ms"), false, ValueFormat::Number, {}, {}, false};
    picture.from = {QStringLiteral("from"), QStringLiteral("fixed CSR"), 1.25, 0.05, false,
                    ChartColour::Reference};
    picture.to = {QStringLiteral("to"), QStringLiteral("chosen"), 4.1, 0.2, false, ChartColour::Lose};
    picture.steps = {step("split", 3.2, 0.1, true), step("chunk", 0.02, 0.05, false),
                     step("format", -0.37, std::numeric_limits<double>::quiet_NaN(), true)};
    return picture;
}

TEST(WaterfallSpans, EachStepBeginsWhereTheOneBeforeEndedAndTheLastEndsAtTheOtherTime) {
    WaterfallPicture picture = waterfall_picture();
    picture.steps[0].amount = 0.1; // sums that doubles can't hold
    picture.steps[1].amount = 0.2;
    picture.steps[2].amount = 0.3;
    picture.to.value = 1.25 + 0.6;
    const std::vector<WaterfallSpan> spans = spans_of(picture);
    ASSERT_EQ(spans.size(), 5);
    EXPECT_EQ(spans[0].begin, 0);
    for (std::size_t row = 1; row + 1 < spans.size(); ++row)
        EXPECT_EQ(spans[row].begin, spans[row - 1].end) << row;
    EXPECT_EQ(spans[3].end, picture.to.value);
    EXPECT_EQ(spans[4].end, picture.to.value);
}

TEST(WaterfallTexts, AddUpAsTheyAreWritten) {
    const WaterfallPicture picture = waterfall_picture();
    const auto number = [&](std::size_t row) {
        QString text = amount_text(picture, row);
        text.remove(QStringLiteral(" ms")).remove(u'~').remove(u' ').replace(QChar(0x2212), u'-');
        return text.toDouble();
    };
    EXPECT_EQ(amount_text(picture, 0), QStringLiteral("1.250 ms"));
    EXPECT_EQ(amount_text(picture, 1), QStringLiteral("+3.200 ms"));
    EXPECT_EQ(amount_text(picture, 2), QStringLiteral("~ +0.020 ms")) << "it may be noise";
    EXPECT_NEAR(number(0) + number(1) + number(2) + number(3), number(4), 1e-9);
}

TEST(WaterfallTexts, RoundedStepsStillAddUpToTheRoundedEnds) {
    WaterfallPicture picture = waterfall_picture();
    picture.from.value = 1;
    picture.steps.resize(2);
    picture.steps[0].amount = picture.steps[1].amount = 0.0004; // each is nothing, both are one thousandth
    picture.to.value = 1.0008;
    EXPECT_EQ(amount_text(picture, 0), QStringLiteral("1.000 ms"));
    EXPECT_EQ(amount_text(picture, 3), QStringLiteral("1.001 ms"));
    EXPECT_TRUE(amount_text(picture, 1).contains(QStringLiteral("0.000")));
    EXPECT_TRUE(amount_text(picture, 2).contains(QStringLiteral("0.001")));
}

TEST(WaterfallTexts, ATimeThatWasCutOffIsALowerBound) {
    WaterfallPicture picture = waterfall_picture();
    picture.to.is_at_least = true;
    EXPECT_EQ(amount_text(picture, 4), QStringLiteral("≥ 4.100 ms"));
}

TEST(WaterfallCsv, HasAllRowsInFullPrecision) {
    const std::string csv = waterfall_csv(waterfall_picture()).toStdString();
    EXPECT_THAT(csv, HasSubstr("\"from\",\"fixed CSR\",,1.25,0.050000000000000003,,0,1.25\n"));
    EXPECT_THAT(csv, HasSubstr("\"chunk\",\"chunk\",\"1 → 4\",0.02,0.050000000000000003,0,4.45"));
    EXPECT_THAT(csv, HasSubstr("\"format\",\"format\",\"1 → 4\",-0.37,,1,"))
        << "an uncertainty that is not known is nothing";
}

TEST(WaterfallLayout, HoldsAllRowsInTheHeightItAsksForAndEveryBarInItsArea) {
    const WaterfallPicture picture = waterfall_picture();
    const WaterfallLayout layout =
        lay_out_waterfall(picture, {700, waterfall_height(picture)}, {28, 24}, whole_scale(picture));
    EXPECT_LE(layout.axis.bottom(), waterfall_height(picture) + 1);
    for (const WaterfallSpan& span : spans_of(picture))
        for (const double value : {span.begin, span.end}) {
            EXPECT_GE(layout.pixel(value), layout.area().left() - 1e-6);
            EXPECT_LE(layout.pixel(value), layout.area().right());
        }
    EXPECT_EQ(layout.pixel(0), layout.area().left()) << "lengths are told truly from zero";
}

class WaterfallChartTest : public ::testing::Test {
protected:
    void SetUp() override {
        chart_.resize(700, chart_.sizeHint().height());
        chart_.set_picture(waterfall_picture());
        chart_.resize(700, chart_.sizeHint().height());
        chart_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&chart_));
    }
    void wheel(QWidget& target, const QPointF& place, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(place, target.mapToGlobal(place), {}, {0, 120}, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        accepted_ = QApplication::sendEvent(&target, &event) && event.isAccepted();
    }
    WaterfallChart chart_;
    bool accepted_ = false;
};

TEST_F(WaterfallChartTest, AClickPicksABarAndBothEnds) {
    QSignalSpy picked(&chart_, &WaterfallChart::picked);
    for (const std::size_t row : {std::size_t{1}, std::size_t{0}, std::size_t{4}})
        QTest::mouseClick(&chart_, Qt::LeftButton, {}, chart_.place_of(row).toPoint());
    ASSERT_EQ(picked.size(), 3);
    EXPECT_EQ(picked[0][0].toString(), QStringLiteral("split"));
    EXPECT_EQ(picked[1][0].toString(), QStringLiteral("from"));
    EXPECT_EQ(picked[2][0].toString(), QStringLiteral("to"));
    EXPECT_EQ(chart_.selected(), QStringLiteral("to"));
}

TEST_F(WaterfallChartTest, ArrowKeysWalkFromTheOneTimeToTheOther) {
    chart_.setFocus();
    QTest::keyClick(&chart_, Qt::Key_Down);
    EXPECT_EQ(chart_.selected(), QStringLiteral("from"));
    QTest::keyClick(&chart_, Qt::Key_Down);
    EXPECT_EQ(chart_.selected(), QStringLiteral("split"));
    QTest::keyClick(&chart_, Qt::Key_End);
    QTest::keyClick(&chart_, Qt::Key_Down);
    EXPECT_EQ(chart_.selected(), QStringLiteral("to"));
    QTest::keyClick(&chart_, Qt::Key_Up);
    EXPECT_EQ(chart_.selected(), QStringLiteral("format"));
}

TEST_F(WaterfallChartTest, TheWheelScrollsThePageAndZoomsWithControl) {
    const QPointF middle(400, 60);
    wheel(chart_, middle, Qt::NoModifier);
    EXPECT_FALSE(accepted_);
    EXPECT_FALSE(chart_.is_zoomed());
    wheel(chart_, middle, Qt::ControlModifier);
    EXPECT_TRUE(chart_.is_zoomed());
    QTest::mouseDClick(&chart_, Qt::LeftButton, {}, middle.toPoint());
    EXPECT_FALSE(chart_.is_zoomed());
    chart_.setFocus();
    QTest::keyClick(&chart_, Qt::Key_Plus);
    EXPECT_TRUE(chart_.is_zoomed());
    QTest::keyClick(&chart_, Qt::Key_0);
    EXPECT_FALSE(chart_.is_zoomed());
}

TEST_F(WaterfallChartTest, DraggingMovesWhatIsZoomedAndPicksNothing) {
    QSignalSpy picked(&chart_, &WaterfallChart::picked);
    QTest::keyClick(&chart_, Qt::Key_Plus);
    const QImage before = chart_.grab().toImage();
    QTest::mousePress(&chart_, Qt::LeftButton, {}, {420, 70});
    QTest::mouseMove(&chart_, {380, 70});
    QTest::mouseRelease(&chart_, Qt::LeftButton, {}, {380, 70});
    EXPECT_EQ(picked.size(), 0);
    EXPECT_NE(chart_.grab().toImage(), before);
}

TEST_F(WaterfallChartTest, TellsOfTheBarUnderTheMouse) {
    EXPECT_THAT(chart_.tooltip_of(1).toStdString(), HasSubstr("1 → 4"));
    EXPECT_THAT(chart_.tooltip_of(1).toStdString(), Not(HasSubstr("noise")));
    EXPECT_THAT(chart_.tooltip_of(2).toStdString(), HasSubstr("may be noise"));
    EXPECT_THAT(chart_.tooltip_of(3).toStdString(), HasSubstr("not known"));
    EXPECT_THAT(chart_.tooltip_of(0).toStdString(), HasSubstr("±0.05"));
    EXPECT_THAT(chart_.accessibleDescription().toStdString(), HasSubstr("split +3.200 ms"));
}

TEST_F(WaterfallChartTest, WhatMayBeNoiseIsPalerThanWhatIsNot) {
    const auto bar_colour = [&](bool is_significant) {
        WaterfallPicture picture = waterfall_picture();
        picture.steps[0].is_significant = is_significant;
        chart_.set_picture(picture);
        const QImage image = chart_.grab().toImage();
        const double y = chart_.place_of(1).y() * image.devicePixelRatio();
        QColor loudest = Qt::black;
        for (int x = image.width() / 3; x < image.width() * 4 / 5; ++x)
            if (const QColor pixel = image.pixelColor(x, static_cast<int>(y) - 4);
                pixel.saturation() > loudest.saturation())
                loudest = pixel;
        return loudest;
    };
    EXPECT_GT(bar_colour(true).saturation(), bar_colour(false).saturation());
}

TEST_F(WaterfallChartTest, IsSavedAsPictureAndTable) {
    const QTemporaryDir folder;
    for (const char* suffix : {"png", "svg", "csv"}) {
        const QString path = folder.filePath(QStringLiteral("waterfall.") + QLatin1String(suffix));
        ASSERT_TRUE(save_picture(chart_.exported(), path).has_value()) << suffix;
        EXPECT_GT(QFile(path).size(), 60) << suffix;
    }
}

TEST_F(WaterfallChartTest, WithoutAPictureItSaysWhatToDo) {
    chart_.set_picture({});
    chart_.set_empty_text(QStringLiteral("Choose a case"));
    EXPECT_EQ(chart_.picture().rows(), 0);
    QTest::keyClick(&chart_, Qt::Key_Down);
    EXPECT_TRUE(chart_.selected().isEmpty());
}

} // namespace
} // namespace sparsight
