#include "support/event_loop.h"
#include "widgets/chart/plot_menu.h"
#include "widgets/chart/plots/stacked_bars.h"
#include "widgets/chart/plots/stacked_picture.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/chart/plots/waterfall_picture.h"
#include "widgets/look/number_text.h"

#include <QFile>
#include <QFontMetricsF>
#include <QImage>
#include <QLocale>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <gmock/gmock.h>
#include <numeric>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

StackedBar bar(const char* key, std::vector<double> parts) {
    StackedBar bar;
    bar.key = bar.label = QString::fromLatin1(key);
    bar.parts = std::move(parts);
    return bar;
}

StackedPicture picture() {
    StackedPicture picture;
    picture.axis = {QStringLiteral("time"), {}, false, ValueFormat::Duration, {}, {}, false};
    picture.marker_name = QStringLiteral("measured");
    picture.terms = {
        {QStringLiteral("compute"), QStringLiteral("what it works"), ChartColour::Series1, false},
        {QStringLiteral("waste"), QStringLiteral("what it need not"), ChartColour::Series1, true}};
    picture.bars = {bar("a", {1, 0.5}), bar("b", {2, 0.2}), bar("c", {2, 1})};
    picture.bars[1].marker = 1.8;
    return picture;
}

TEST(StackedPose, HasEveryBarInItsRowAndAllOfThemOnTheAxis) {
    const StackedPose pose = pose_of(picture());
    EXPECT_EQ(pose.bars.at(QStringLiteral("c")).row, 2);
    EXPECT_DOUBLE_EQ(pose.limit, 3);
}

TEST(StackedPose, AnIntervalIsSeenToItsEnd) {
    StackedPicture uncertain = picture();
    uncertain.bars[2].low = 2.5;
    uncertain.bars[2].high = 3.5;
    EXPECT_DOUBLE_EQ(pose_of(uncertain).limit, 3.5);
    EXPECT_DOUBLE_EQ(reach_of(uncertain).high, 3.5);
}

TEST(StackedPose, ABarThatTakesManyTimesAsLongRunsOutOfTheAxis) {
    StackedPicture long_one = picture();
    long_one.bars.push_back(bar("d", {1000, 0}));
    for (const char* key : {"e", "f", "g"})
        long_one.bars.push_back(bar(key, {2, 0}));
    EXPECT_LT(pose_of(long_one).limit, 5);
    EXPECT_GE(pose_of(long_one).limit, 3) << "all but that one are seen to their ends";
}

TEST(StackedLayout, HasRoomForRanksOfThreeDigits) {
    const auto label_width = [](int bars) {
        StackedPicture many = picture();
        many.bars.clear();
        for (int each = 0; each < bars; ++each) {
            many.bars.push_back(bar("a", {2, 0}));
            many.bars.back().key = QString::number(each);
        }
        return lay_out_stacked(many, {600, 300}, {}, 0).label_width;
    };
    EXPECT_EQ(label_width(99), label_width(9));
    EXPECT_GT(label_width(100), label_width(99));
}

TEST(StackedPose, HalfWayBarsAreBetweenTheirRowsAndLengths) {
    StackedPicture other = picture();
    std::swap(other.bars[0], other.bars[2]);
    other.bars[2].parts = {3, 0.5};
    const StackedPose half = between(pose_of(picture()), pose_of(other), 0.5);
    EXPECT_DOUBLE_EQ(half.bars.at(QStringLiteral("a")).row, 1);
    EXPECT_DOUBLE_EQ(half.bars.at(QStringLiteral("a")).parts[0], 2);
    EXPECT_DOUBLE_EQ(half.bars.at(QStringLiteral("b")).row, 1);
}

TEST(StackedCsv, HasEveryPartTotalAndMarker) {
    EXPECT_EQ(stacked_csv(picture()).toStdString(),
              "rank,key,label,\"compute\",\"waste\",total,\"measured\"\n1,\"a\",\"a\",1,0.5,1.5,\n"
              "2,\"b\",\"b\",2,0.20000000000000001,2.2000000000000002,1.8\n3,\"c\",\"c\",2,1,3,\n");
}

TEST(StackedCsv, HasTheEndsOfIntervalsWhereSomeAreStated) {
    StackedPicture uncertain = picture();
    uncertain.bars[0].low = 1;
    uncertain.bars[0].high = 2;
    EXPECT_THAT(stacked_csv(uncertain).toStdString(),
                ::testing::AllOf(HasSubstr(",\"measured\",low,high\n1,\"a\",\"a\",1,0.5,1.5,,1,2\n"),
                                 HasSubstr("3,\"c\",\"c\",2,1,3,,,\n")));
}

class StackedBarsTest : public ::testing::Test {
protected:
    void SetUp() override {
        bars_.resize(600, 300);
        bars_.set_picture(picture());
        bars_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&bars_));
    }
    StackedBars bars_;
};

TEST_F(StackedBarsTest, AClickPicksABar) {
    QSignalSpy picked(&bars_, &StackedBars::picked);
    QTest::mouseClick(bars_.viewport(), Qt::LeftButton, {}, bars_.place_of(1).toPoint());
    ASSERT_EQ(picked.size(), 1);
    EXPECT_EQ(picked[0][0].toString(), QStringLiteral("b"));
    EXPECT_EQ(bars_.selected(), QStringLiteral("b"));
}

TEST_F(StackedBarsTest, ArrowKeysWalkThroughTheRanking) {
    bars_.setFocus();
    QTest::keyClick(&bars_, Qt::Key_Down);
    EXPECT_EQ(bars_.selected(), QStringLiteral("a"));
    QTest::keyClick(&bars_, Qt::Key_Down);
    EXPECT_EQ(bars_.selected(), QStringLiteral("b"));
    QTest::keyClick(&bars_, Qt::Key_End);
    EXPECT_EQ(bars_.selected(), QStringLiteral("c"));
    QTest::keyClick(&bars_, Qt::Key_Down);
    EXPECT_EQ(bars_.selected(), QStringLiteral("c"));
}

TEST_F(StackedBarsTest, TellsOfThePartUnderTheMouse) {
    const std::string text = bars_.tooltip_of({1, 0}).toStdString();
    EXPECT_THAT(text, HasSubstr("compute: 2.00\u00A0ms"));
    EXPECT_THAT(text, HasSubstr("what it works"));
    EXPECT_THAT(text, HasSubstr("measured: 1.80\u00A0ms"));
}

TEST_F(StackedBarsTest, MovesToANewOrderAndComesToRest) {
    StackedPicture other = picture();
    std::swap(other.bars[0], other.bars[2]);
    bars_.set_picture(other);
    EXPECT_TRUE(bars_.is_moving());
    EXPECT_TRUE(testing::wait_until([&] { return !bars_.is_moving(); }));
    bars_.set_picture(picture(), true);
    EXPECT_FALSE(bars_.is_moving());
}

TEST_F(StackedBarsTest, WhatDoesNotFitScrollsUnderTheKeys) {
    StackedPicture many = picture();
    for (int i = 0; i < 60; ++i)
        many.bars.push_back(bar(qPrintable(QStringLiteral("more%1").arg(i)), {2, 2}));
    bars_.set_picture(many, true);
    EXPECT_GT(bars_.verticalScrollBar()->maximum(), 0);
    QTest::keyClick(&bars_, Qt::Key_End);
    EXPECT_EQ(bars_.verticalScrollBar()->value(), bars_.verticalScrollBar()->maximum());
    EXPECT_TRUE(QRectF(bars_.viewport()->rect()).contains(bars_.place_of(62)));
}

TEST(StackedLayout, HasWholeRowsOnlyAndRoomForAMarkerBesideTheValue) {
    for (const double height : {200.0, 207.0, 213.0}) {
        const StackedLayout layout = lay_out_stacked(picture(), {600, height}, {}, 0);
        const double rows = layout.rows.height() / layout.row_height;
        EXPECT_DOUBLE_EQ(rows, std::round(rows)) << height;
        EXPECT_LE(layout.axis.bottom(), height);
        const double value = QFontMetricsF(layout.text_font).horizontalAdvance(QStringLiteral("00.0 ms"));
        const double value_begins = layout.rows.right() - 6 - value;
        EXPECT_LE(layout.area().right() + layout.marker_half, value_begins);
    }
}

TEST_F(StackedBarsTest, ScrollsByWholeRows) {
    StackedPicture many = picture();
    for (int i = 0; i < 60; ++i)
        many.bars.push_back(bar(qPrintable(QStringLiteral("more%1").arg(i)), {2, 2}));
    bars_.set_picture(many, true);
    const QPointF before = bars_.place_of(5);
    bars_.verticalScrollBar()->setValue(3); // less than half a row
    EXPECT_EQ(bars_.place_of(5), before);
}

TEST_F(StackedBarsTest, IsSavedAsPictureAndTable) {
    const QTemporaryDir folder;
    for (const char* suffix : {"png", "svg", "csv"}) {
        const QString path = folder.filePath(QStringLiteral("ranking.") + QLatin1String(suffix));
        ASSERT_TRUE(save_picture(bars_.exported(), path).has_value()) << suffix;
        EXPECT_GT(QFile(path).size(), 60) << suffix;
    }
}

TEST_F(StackedBarsTest, TheWheelWithControlZoomsTheAxisAboutTheMouseAndADoubleClickShowsAll) {
    const ChartScale whole = bars_.axis();
    EXPECT_FALSE(bars_.is_zoomed());
    const auto turn = [&](Qt::KeyboardModifiers modifiers) {
        const QPointF place = bars_.place_of(1) + QPointF(60, 0);
        QWheelEvent event(place, bars_.viewport()->mapToGlobal(place), {}, QPoint(0, 240), Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(bars_.viewport(), &event);
    };
    turn({});
    EXPECT_EQ(bars_.axis(), whole) << "without Ctrl the rows scroll";
    turn(Qt::ControlModifier);
    EXPECT_TRUE(bars_.is_zoomed());
    EXPECT_GT(bars_.axis().low, 0);
    EXPECT_LT(bars_.axis().high, whole.high);
    bars_.set_picture(picture(), true);
    EXPECT_TRUE(bars_.is_zoomed()) << "numbers change under a zoom that stays";
    QTest::mouseDClick(bars_.viewport(), Qt::LeftButton, {}, bars_.place_of(1).toPoint());
    EXPECT_FALSE(bars_.is_zoomed());
    EXPECT_EQ(bars_.axis(), whole);
}

TEST_F(StackedBarsTest, KeysAndTheMouseZoomAndMoveTheAxisWithinTheBars) {
    const ChartScale whole = bars_.axis();
    for (const auto key : {Qt::Key_Right, Qt::Key_Left})
        QTest::keyClick(&bars_, key);
    EXPECT_FALSE(bars_.is_zoomed()) << "there is nowhere to go, and other bars get an axis of their own";
    QTest::keyClick(&bars_, Qt::Key_Plus);
    EXPECT_EQ(bars_.axis().low, 0);
    EXPECT_DOUBLE_EQ(bars_.axis().high, whole.high / 1.5);
    for (int step = 0; step < 100; ++step)
        QTest::keyClick(&bars_, Qt::Key_Right);
    EXPECT_DOUBLE_EQ(bars_.axis().high, 3) << "to the end of the longest bar, and no farther";
    const double before = bars_.axis().low;
    const QPoint place = bars_.place_of(2).toPoint() + QPoint(50, 0);
    QTest::mousePress(bars_.viewport(), Qt::LeftButton, {}, place);
    QTest::mouseMove(bars_.viewport(), place + QPoint(40, 0));
    QTest::mouseRelease(bars_.viewport(), Qt::LeftButton, {}, place + QPoint(40, 0));
    EXPECT_LT(bars_.axis().low, before) << "dragged to the right";
    QTest::keyClick(&bars_, Qt::Key_0);
    EXPECT_EQ(bars_.axis(), whole);
}

TEST_F(StackedBarsTest, IsExportedWholeWhileItIsZoomed) {
    const auto picture = [this] {
        const ExportedPicture exported = bars_.exported();
        QImage image(exported.size.toSize(), QImage::Format_RGB32);
        QPainter painter(&image);
        exported.paint(painter);
        return image;
    };
    const QImage whole = picture();
    QTest::keyClick(&bars_, Qt::Key_Plus);
    ASSERT_TRUE(bars_.is_zoomed());
    EXPECT_EQ(picture(), whole);
}

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

TEST(WaterfallSpans, StepsMultiplyOnALogarithmicAxis) {
    WaterfallPicture picture = waterfall_picture();
    picture.axis.logarithmic = true;
    picture.from.value = 8;
    picture.to.value = 2;
    const double factors[] = {0.1, 5, 0.5};
    for (std::size_t at = 0; at < 3; ++at)
        picture.steps[at].factor = factors[at];
    const std::vector<WaterfallSpan> spans = spans_of(picture);
    EXPECT_DOUBLE_EQ(spans[1].end, 0.8);
    EXPECT_DOUBLE_EQ(spans[2].end, 4);
    EXPECT_DOUBLE_EQ(spans[3].end, 2);
    EXPECT_EQ(amount_text(picture, 2), QStringLiteral("~ ×5.00"));
    const ChartScale scale = whole_scale(picture);
    EXPECT_TRUE(scale.logarithmic);
    EXPECT_LT(scale.value(scale.low), 0.8);
    EXPECT_GT(scale.value(scale.high), 8);
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

TEST(WaterfallLayout, TheTitleOfTheAxisIsWholeEvenWhereBarsAreNarrow) {
    WaterfallPicture picture = waterfall_picture();
    picture.axis.title = QStringLiteral("simulated time");
    for (const double width : {700.0, 320.0, 220.0}) {
        const WaterfallLayout layout =
            lay_out_waterfall(picture, {width, 300}, {28, 24}, whole_scale(picture));
        EXPECT_GE(layout.axis_title.width(),
                  QFontMetricsF(layout.text_font).horizontalAdvance(picture.axis.title))
            << width;
        EXPECT_GE(layout.axis_title.left(), 0) << width;
        EXPECT_LE(layout.axis_title.right(), width) << width;
    }
}

TEST(WaterfallLayout, HasRoomForTheBoldLabelsOfItsEnds) {
    WaterfallPicture picture = waterfall_picture();
    picture.from.label = QStringLiteral("The best of its whole choice");
    const WaterfallLayout layout = lay_out_waterfall(picture, {700, 300}, {28, 24}, whole_scale(picture));
    QFont bold = layout.text_font;
    bold.setBold(true);
    EXPECT_GE(layout.label_width, QFontMetricsF(bold).horizontalAdvance(picture.from.label) + 16);
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
