#include "widgets/chart/stacked_bars.h"

#include "support/wait_until.h"
#include "widgets/chart/stacked_scene.h"
#include "widgets/schedule/picture_export.h"

#include <QFile>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <gmock/gmock.h>

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

TEST(StackedPose, ABarThatTakesManyTimesAsLongRunsOutOfTheAxis) {
    StackedPicture long_one = picture();
    long_one.bars.push_back(bar("d", {1000, 0}));
    for (const char* key : {"e", "f", "g"})
        long_one.bars.push_back(bar(key, {2, 0}));
    EXPECT_LT(pose_of(long_one).limit, 5);
    EXPECT_GE(pose_of(long_one).limit, 3) << "all but that one are seen to their ends";
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
    EXPECT_THAT(text, HasSubstr("compute: 2.00 ms"));
    EXPECT_THAT(text, HasSubstr("what it works"));
    EXPECT_THAT(text, HasSubstr("measured: 1.80 ms"));
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

} // namespace
} // namespace sparsight
