#include "widgets/chart/plot_menu.h"
#include "widgets/chart/plots/lane_plot.h"
#include "widgets/look/theme.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

/// Two threads that share four chunks, of which the last is long; below, the same in equal parts.
LanePicture lanes() {
    LanePicture picture{.title = QStringLiteral("Threads"),
                        .x = {.title = QStringLiteral("Time"), .unit = QStringLiteral("ms")},
                        .lane_title = QStringLiteral("Thread")};
    picture.groups = {{.name = QStringLiteral("recorded: 4 ms"),
                       .lanes = 2,
                       .total = 4,
                       .opening = 0.5,
                       .opening_note = QStringLiteral("cleared"),
                       .bars = {{0, 0.5, 1, QStringLiteral("first")},
                                {0, 1, 2, QStringLiteral("second")},
                                {1, 0.5, 1, QStringLiteral("third")},
                                {1, 1, 4, QStringLiteral("last")}}},
                      {.name = QStringLiteral("simulated: 2 ms"),
                       .lanes = 2,
                       .hatched = true,
                       .total = 2,
                       .bars = {{0, 0, 2, QStringLiteral("half")}, {1, 0, 2, QStringLiteral("half")}}}};
    picture.csv = QStringLiteral("thread,begin\n1,0\n");
    return picture;
}

class LanePlotTest : public ::testing::Test {
protected:
    void SetUp() override {
        plot_.resize(640, 320);
        plot_.set_picture(lanes());
        plot_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&plot_));
    }
    QColor colour_at(std::size_t group, std::size_t lane, double time) {
        return plot_.grab().toImage().pixelColor(plot_.place_of(group, lane, time).toPoint());
    }
    std::optional<LaneHit> hit(std::size_t group, std::size_t lane, double time) {
        return lane_at(plot_.picture(), lay_out_lanes(plot_.picture(), plot_.size(), {}, plot_.shown()),
                       plot_.place_of(group, lane, time));
    }
    void turn_wheel(double time, int notches) {
        const QPointF place = plot_.place_of(0, 0, time);
        QWheelEvent event(place, plot_.mapToGlobal(place), {}, {0, 120 * notches}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&plot_, &event);
    }
    LanePlot plot_;
};

TEST_F(LanePlotTest, ChunksThatFollowEachOtherDifferInColourAndIdleTimeIsEmpty) {
    const QColor first = colour_at(0, 0, 0.75);
    const QColor second = colour_at(0, 0, 1.5);
    const QColor idle = colour_at(0, 0, 3);
    EXPECT_NE(first, second);
    EXPECT_NE(first, idle);
    EXPECT_NE(second, idle);
    EXPECT_NE(colour_at(0, 0, 0.25), idle) << "before the first chunk nobody waits";
    EXPECT_EQ(idle, colour_at(0, 0, 3.5));
}

TEST_F(LanePlotTest, GroupsShareOneTimeAxis) {
    EXPECT_EQ(plot_.place_of(0, 0, 2).x(), plot_.place_of(1, 1, 2).x());
    EXPECT_LT(plot_.place_of(0, 1, 2).y(), plot_.place_of(1, 0, 2).y());
    EXPECT_EQ(colour_at(1, 0, 3.5), current_theme().surface) << "that run is over";
}

TEST_F(LanePlotTest, TellsOfTheChunkUnderTheMouse) {
    EXPECT_THAT(plot_.tooltip_of(*hit(0, 1, 2)).toStdString(), ::testing::HasSubstr("last"));
    EXPECT_THAT(plot_.tooltip_of(*hit(0, 1, 2)).toStdString(), ::testing::HasSubstr("3.00\u00A0ms"));
    EXPECT_THAT(plot_.tooltip_of(*hit(0, 0, 3)).toStdString(), ::testing::HasSubstr("Idle"));
    EXPECT_THAT(plot_.tooltip_of(*hit(0, 0, 0.2)).toStdString(), ::testing::HasSubstr("cleared"));
    EXPECT_THAT(plot_.tooltip_of(*hit(1, 1, 3)).toStdString(), ::testing::HasSubstr("Run is over"));
    EXPECT_EQ(hit(0, 1, 2)->bar, 3U);
}

TEST_F(LanePlotTest, TheTipHasWholeNumbersWhoseDigitsFollowTheZoom) {
    const auto tip = [&] { return plot_.tooltip_of(*hit(0, 1, 2)).toStdString(); };
    EXPECT_THAT(tip(), ::testing::HasSubstr("from 1.000\u00A0ms to 4.000\u00A0ms")) << "a pixel is some µs";
    EXPECT_THAT(tip(), ::testing::HasSubstr("white-space:nowrap"));
    turn_wheel(2, 20);
    EXPECT_THAT(tip(), ::testing::HasSubstr("from 1.0000")) << "a pixel is below 1 µs";
}

TEST_F(LanePlotTest, TheWheelZoomsAtTheMouseAndADragMoves) {
    const double before = plot_.place_of(0, 0, 2).x();
    turn_wheel(2, 3);
    EXPECT_TRUE(plot_.is_zoomed());
    EXPECT_NEAR(plot_.place_of(0, 0, 2).x(), before, 1);
    const double low = plot_.shown().low;
    const QPoint from = plot_.place_of(0, 0, 2).toPoint();
    QTest::mousePress(&plot_, Qt::LeftButton, {}, from);
    QTest::mouseMove(&plot_, from + QPoint(40, 0));
    QTest::mouseRelease(&plot_, Qt::LeftButton, {}, from + QPoint(40, 0));
    EXPECT_LT(plot_.shown().low, low) << "the time follows the mouse";
    QTest::mouseDClick(&plot_, Qt::LeftButton, {}, from);
    EXPECT_FALSE(plot_.is_zoomed());
}

TEST_F(LanePlotTest, KeysZoomAndMoveToo) {
    plot_.setFocus();
    QTest::keyClick(&plot_, Qt::Key_Plus);
    ASSERT_TRUE(plot_.is_zoomed());
    const double low = plot_.shown().low;
    QTest::keyClick(&plot_, Qt::Key_Right);
    EXPECT_GT(plot_.shown().low, low);
    QTest::keyClick(&plot_, Qt::Key_0);
    EXPECT_FALSE(plot_.is_zoomed());
}

TEST_F(LanePlotTest, IsSavedAsPictureAndTable) {
    const QTemporaryDir folder;
    for (const char* suffix : {"png", "svg", "csv"}) {
        const QString path = folder.filePath(QStringLiteral("lanes.") + QLatin1String(suffix));
        ASSERT_TRUE(save_picture(plot_.exported(), path).has_value()) << suffix;
        EXPECT_GT(QFile(path).size(), 10) << suffix;
    }
    EXPECT_EQ(plot_.exported().csv, plot_.picture().csv);
}

TEST_F(LanePlotTest, ManyTinyChunksAreOneStretchAndGapsBetweenThemStay) {
    LaneGroup group{.lanes = 1, .total = 10};
    for (int i = 0; i < 4000; ++i)
        if (i < 1000 || i >= 3000)
            group.bars.push_back({0, 0.0025 * i, 0.0025 * (i + 1)});
    const LanePicture picture{.groups = {group}};
    const auto stretches =
        busy_stretches(group, 0, lay_out_lanes(picture, {640, 200}, {}, whole_scale(picture)));
    ASSERT_EQ(stretches.size(), 2);
    EXPECT_GT(stretches[1].first - stretches[0].second, 250) << "half of the time nothing ran";
}

TEST(LaneLayout, FewLanesUseTheHeightOfThePlot) {
    LanePicture picture;
    picture.groups.push_back({.lanes = 2, .total = 1});
    const LaneLayout layout = lay_out_lanes(picture, {440, 380}, {}, whole_scale(picture));
    EXPECT_GT(layout.lane_height, 90);
    EXPECT_GT(layout.axis.bottom(), 250);
    EXPECT_LE(layout.axis.bottom(), 380);
}

TEST(LaneLayout, FitsTheLanesOfAServerIntoASmallPlot) {
    LanePicture picture;
    for (int group = 0; group < 2; ++group)
        picture.groups.push_back({.lanes = 256, .total = 1});
    const LaneLayout layout = lay_out_lanes(picture, {300, 400}, {}, whole_scale(picture));
    EXPECT_LE(layout.axis.bottom(), 400);
}

} // namespace
} // namespace sparsight
