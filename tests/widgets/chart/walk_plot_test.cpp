#include "../look/screenshot.h"

#include "widgets/chart/score_colours.h"
#include "widgets/chart/walk_plot.h"
#include "widgets/schedule/picture_export.h"

#include <QFile>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWheelEvent>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <random>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Nodes 0 … 4 on a line; the walk began at 4, passed it in two layers, and went 4 → 2 → 0, which is the
/// best. Node 1 was expanded from 2, 3 was never looked at; 5 is the reference.
WalkPicture small_walk() {
    WalkPicture picture;
    picture.title = QStringLiteral("walk");
    picture.reference_name = QStringLiteral("fixed CSR");
    picture.explained = {0.6, 0.25};
    for (int i = 0; i < 6; ++i) {
        WalkNode node;
        node.x = i;
        node.y = i % 2;
        node.score = i;
        node.label = QStringLiteral("schedule %1").arg(i);
        node.key = QStringLiteral("s%1").arg(i);
        picture.nodes.push_back(node);
    }
    picture.nodes[0].rank = 1;
    picture.nodes[2].rank = 2;
    picture.nodes[3].seen = false;
    picture.nodes[5].reference = true;
    picture.steps = {{4, 4, 1}, {4, 4, 0}, {2, 4, 0}, {1, 2, 0}, {0, 2, 0}};
    return picture;
}

TEST(WalkPicture, KnowsTheWayToWhatWasFound) {
    const WalkPicture picture = small_walk();
    EXPECT_THAT(path_to_best(picture), ElementsAre(4, 2, 0));
    EXPECT_THAT(path_to(picture, 1), ElementsAre(4, 2, 1));
    EXPECT_THAT(path_to(picture, 4), ElementsAre(4));
    EXPECT_THAT(path_to(picture, 3), IsEmpty()) << "it was never there";
    EXPECT_THAT(path_to_best({}), IsEmpty());
}

TEST(WalkPicture, AWalkThatLeadsInACircleHasNoWay) {
    WalkPicture picture = small_walk();
    picture.steps = {{0, 2, 0}, {2, 0, 0}};
    EXPECT_THAT(path_to_best(picture), IsEmpty());
}

TEST(WalkPicture, ItsTableHasEveryNodeAndWhenItWasExpanded) {
    const QStringList lines = walk_csv(small_walk()).split(QStringLiteral("\r\n"));
    ASSERT_GE(lines.size(), 7);
    EXPECT_EQ(lines[0].toStdString(), "name,x,y,score,rank,seen,step,from,layer");
    EXPECT_EQ(lines[1].toStdString(), "s0,0,0,0,1,1,5,s2,0");
    EXPECT_EQ(lines[4].toStdString(), "s3,3,1,3,,0,,,");
    EXPECT_EQ(lines[5].toStdString(), "s4,4,0,4,,1,1,,1");
}

TEST(ScoreColours, AreBlueBeforeTheReferenceAndOrangeBehindIt) {
    const ScoreColours colours({-2, 0, 1, 2, 3, 4, 5, 6, 7, 100}, 1);
    EXPECT_EQ(colours.place(-2), -1);
    EXPECT_EQ(colours.place(1), 0);
    EXPECT_NEAR(colours.place(-0.5), -0.5, 1e-12);
    EXPECT_EQ(colours.place(100), 1);
    EXPECT_EQ(colours.place(colours.worst()), 1) << "one far off takes the colours from no others";
    EXPECT_LT(colours.worst(), 100);
    EXPECT_EQ(colours.place(std::numeric_limits<double>::quiet_NaN()), 0);
    EXPECT_EQ(colours.colour(-2, light_theme()), light_theme().win);
    EXPECT_EQ(colours.colour(100, light_theme()), light_theme().lose);
    EXPECT_EQ(ScoreColours({1, 2, 3}, std::nullopt).middle(), 2) << "the median";
    EXPECT_EQ(ScoreColours({}, std::nullopt).place(7), 1);
}

class WalkPlotTest : public ::testing::Test {
protected:
    WalkPlotTest() {
        apply_theme(*qApp, ThemeChoice::Light);
        plot.resize(640, 440);
        plot.set_picture(small_walk());
        plot.show();
    }
    void point_at(const QPointF& place) { QTest::mouseMove(&plot, place.toPoint()); }
    void turn_wheel(const QPointF& place, int angle) {
        QWheelEvent event(place, plot.mapToGlobal(place), {}, {0, angle}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&plot, &event);
    }

    WalkPlot plot;
};

TEST_F(WalkPlotTest, FindsTheNodeUnderTheMouse) {
    for (std::size_t node = 0; node < 6; ++node) {
        point_at(plot.place_of(node) + QPointF(2, 2));
        EXPECT_EQ(plot.hovered(), node);
    }
    point_at((plot.place_of(0) + plot.place_of(2)) / 2 + QPointF(0, 60));
    EXPECT_EQ(plot.hovered(), std::nullopt);
}

TEST_F(WalkPlotTest, OfNodesThatLieOnOneAnotherTheBestIsMeant) {
    WalkPicture picture = small_walk();
    for (WalkNode& node : picture.nodes)
        node.x = node.y = 1;
    picture.nodes[1].x = 0; // there is an extent
    plot.set_picture(picture);
    point_at(plot.place_of(5));
    EXPECT_EQ(plot.hovered(), 0U);
}

TEST_F(WalkPlotTest, AClickPicksTheSchedule) {
    QSignalSpy picked(&plot, &WalkPlot::picked);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.place_of(2).toPoint());
    ASSERT_EQ(picked.size(), 1);
    EXPECT_EQ(picked[0][0].toString(), QStringLiteral("s2"));
    const QPoint nowhere = ((plot.place_of(0) + plot.place_of(2)) / 2 + QPointF(0, 60)).toPoint();
    QTest::mouseClick(&plot, Qt::LeftButton, {}, nowhere);
    EXPECT_EQ(picked.size(), 1) << "beside all of them nothing is picked";
}

TEST_F(WalkPlotTest, TheWheelZoomsAtTheCursorAndADragPicksNothing) {
    const QPointF before = plot.place_of(2);
    turn_wheel(before, 240);
    EXPECT_TRUE(plot.is_zoomed());
    EXPECT_LT((plot.place_of(2) - before).manhattanLength(), 2) << "what is under the cursor stays";
    EXPECT_GT(plot.place_of(4).x() - plot.place_of(2).x(), 1);
    QSignalSpy picked(&plot, &WalkPlot::picked);
    QTest::mousePress(&plot, Qt::LeftButton, {}, before.toPoint());
    QTest::mouseMove(&plot, (before + QPointF(40, 30)).toPoint());
    QTest::mouseRelease(&plot, Qt::LeftButton, {}, (before + QPointF(40, 30)).toPoint());
    EXPECT_EQ(picked.size(), 0);
    QTest::keyClick(&plot, Qt::Key_Home);
    EXPECT_FALSE(plot.is_zoomed());
    for (const auto key : {Qt::Key_Plus, Qt::Key_Left, Qt::Key_Down})
        QTest::keyClick(&plot, key);
    EXPECT_TRUE(plot.is_zoomed());
    QTest::mouseDClick(&plot, Qt::LeftButton, {}, QPoint(20, plot.height() - 4));
    EXPECT_FALSE(plot.is_zoomed());
}

TEST_F(WalkPlotTest, AZoomStaysWhenTheSameNodesAreShownAgain) {
    turn_wheel(plot.place_of(2), 240);
    plot.set_picture(small_walk());
    EXPECT_TRUE(plot.is_zoomed());
    WalkPicture other = small_walk();
    other.nodes[0].x = -5;
    plot.set_picture(other);
    EXPECT_FALSE(plot.is_zoomed());
}

TEST_F(WalkPlotTest, PaintsInTheColoursOfTheTheme) {
    plot.set_selected(QStringLiteral("s2"));
    in_both_themes(plot, QStringLiteral("walk-plot-small"), [&](const QImage& picture) {
        const Theme& theme = current_theme();
        EXPECT_GT(pixels_like(picture, theme.win), 40);
        EXPECT_GT(pixels_like(picture, theme.reference), 40);
        EXPECT_GT(pixels_like(picture, theme.accent), 20) << "the ring around what is selected";
        EXPECT_EQ(picture.pixelColor(2, picture.height() - 3), theme.surface);
    });
}

TEST_F(WalkPlotTest, WithoutNodesItSaysWhy) {
    plot.set_empty_text(QStringLiteral("nothing"));
    plot.set_picture({});
    EXPECT_FALSE(plot.findChild<QToolButton*>()->isVisible());
    const QImage picture = plot.grab().toImage();
    EXPECT_GT(pixels_like(picture, current_theme().dim_text), 5);
    QSignalSpy picked(&plot, &WalkPlot::picked);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(100, 100));
    turn_wheel(QPointF(100, 100), 120);
    EXPECT_EQ(picked.size(), 0);
}

TEST_F(WalkPlotTest, IsWrittenAsPictureDrawingAndTable) {
    const QTemporaryDir folder;
    for (const char* name : {"walk.png", "walk.svg", "walk.csv"}) {
        const QString path = folder.filePath(QLatin1String(name));
        ASSERT_TRUE(save_picture(plot.exported(), path).has_value()) << name;
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_GT(file.size(), 100);
        if (path.endsWith(QStringLiteral("csv"))) {
            EXPECT_THAT(file.readAll().toStdString(), HasSubstr("s2,2,0,2,2,1,3,s4,0"));
        }
        if (path.endsWith(QStringLiteral("svg"))) {
            EXPECT_THAT(file.readAll().toStdString(), HasSubstr("principal component"));
        }
    }
}

/// As large as one of a real pool: to look at, and drawn all the same.
TEST_F(WalkPlotTest, DrawsALargeWalk) {
    WalkPicture picture;
    std::mt19937 random(7);
    std::normal_distribution<double> normal(0, 1);
    for (int i = 0; i < 2200; ++i) {
        WalkNode node;
        const int cluster = i % 5;
        node.x = 3 * std::cos(cluster) + 0.6 * normal(random);
        node.y = 2 * std::sin(2.2 * cluster) + 0.4 * normal(random);
        node.score = std::hypot(node.x - 2, node.y + 1) - 1 + 0.1 * normal(random);
        node.label = node.key.toString();
        node.key = i;
        node.seen = i % 3 == 0;
        picture.nodes.push_back(node);
    }
    picture.reference_name = QStringLiteral("fixed CSR");
    picture.title = QStringLiteral("The walk among schedules as the model sees them");
    picture.explained = {0.31, 0.12};
    picture.nodes[20].reference = true;
    std::vector<std::size_t> order(picture.nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::sort(order, std::ranges::greater(), [&](std::size_t i) { return picture.nodes[i].score; });
    std::size_t from = order[0];
    picture.steps.push_back({from, from, 2});
    for (std::size_t i = 100; i < order.size(); i += 60) {
        picture.steps.push_back({order[i], i % 180 == 40 ? order[0] : from, i < 400 ? 1 : 0});
        from = order[i];
    }
    for (int rank = 1; rank <= 20; ++rank)
        picture.nodes[order[order.size() - static_cast<std::size_t>(rank)]].rank = rank;
    picture.steps.push_back({order.back(), from, 0});
    plot.set_picture(picture);
    EXPECT_GT(path_to_best(picture).size(), 2U);
    in_both_themes(plot, QStringLiteral("walk-plot"), [&](const QImage& image) {
        int drawn = 0;
        for (std::size_t node = 0; node < picture.nodes.size(); ++node) {
            const QPoint place = (plot.place_of(node) * image.width() / plot.width()).toPoint();
            drawn += image.rect().contains(place) && image.pixel(place) != image.pixel(1, 1) ? 1 : 0;
        }
        EXPECT_GT(drawn, 2100) << "each of 2200 where it belongs";
    });
}

} // namespace
} // namespace sparsight
