#include "widgets/chart/plot_menu.h"
#include "widgets/chart/plot_parts.h"
#include "widgets/chart/plots/heat_map.h"
#include "widgets/chart/plots/region_map.h"
#include "widgets/chart/plots/walk_plot.h"
#include "widgets/look/number_text.h"
#include "widgets/look/screenshot.h"
#include "widgets/look/theme.h"

#include <QFile>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

namespace sparsight {
namespace {

/// Distance in Oklab (Ottosson, 2020), times 100.
double distance(const QColor& a, const QColor& b) {
    const auto lab = [](const QColor& colour) {
        const auto linear = [](double c) {
            return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        };
        const double red = linear(colour.redF());
        const double green = linear(colour.greenF());
        const double blue = linear(colour.blueF());
        const double l = std::cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
        const double m = std::cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
        const double s = std::cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
        return std::array{0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
    };
    const auto x = lab(a);
    const auto y = lab(b);
    return 100 * std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

class OwnerColours : public ::testing::TestWithParam<bool> {
protected:
    const Theme& theme = GetParam() ? dark_theme() : light_theme();
};
INSTANTIATE_TEST_SUITE_P(Chart, OwnerColours, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "Dark" : "Light"; });

TEST_P(OwnerColours, DifferFromEachOtherAndFromTheColoursOfSeries) {
    std::vector<QColor> colours(theme.series.begin(), theme.series.end());
    for (std::size_t owner = 0; owner < owner_colour_count; ++owner) {
        const OwnerLook look = owner_look(owner, theme);
        EXPECT_FALSE(look.striped);
        for (std::size_t other = 0; other < colours.size(); ++other)
            EXPECT_GT(distance(look.colour, colours[other]), 10) << owner << ' ' << other;
        colours.push_back(look.colour);
    }
}

TEST_P(OwnerColours, MoreOwnersHaveStripes) {
    const OwnerLook again = owner_look(owner_colour_count, theme);
    EXPECT_TRUE(again.striped);
    EXPECT_NE(again, owner_look(0, theme));
}

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// b a a
/// a a b   upwards
RegionPicture picture() {
    RegionPicture picture;
    picture.x = {QStringLiteral("cores"), {}, true, ValueFormat::Number, {}, {}, false};
    picture.y = {
        QStringLiteral("bandwidth"), QStringLiteral("GB/s"), true, ValueFormat::Number, {}, {}, false};
    picture.x_values = {1, 10, 100};
    picture.y_values = {5, 50};
    picture.owners = {{QStringLiteral("a"), QStringLiteral("first"), QStringLiteral("A"), 0},
                      {QStringLiteral("b"), QStringLiteral("second"), QStringLiteral("B"), 1}};
    picture.cells = {0, 0, 1, 1, 0, 0};
    picture.here = QPointF(10, 5);
    return picture;
}

TEST(CellEdges, LieHalfWayBetweenNeighboursAsTheAxisIsDrawn) {
    const auto edges = cell_edges({1, 100}, true);
    EXPECT_THAT(edges, ElementsAre(DoubleNear(0.1, 1e-9), DoubleNear(10, 1e-9), DoubleNear(1000, 1e-9)));
    EXPECT_THAT(cell_edges({2, 4, 8}, false), ElementsAre(1, 3, 6, 10));
    EXPECT_EQ(cell_edges({7}, true).size(), 2);
}

TEST(CellEdges, FindTheCellOfAnyValue) {
    const std::vector<double> edges{1, 3, 6, 10};
    EXPECT_EQ(cell_of(edges, 4), 1);
    EXPECT_EQ(cell_of(edges, 0), 0);
    EXPECT_EQ(cell_of(edges, 100), 2);
}

TEST(RegionPicture, SharesAddUpAndLettersStandInCellsOfTheirOwner) {
    const RegionPicture shown = picture();
    EXPECT_THAT(owner_shares(shown), ElementsAre(DoubleNear(4.0 / 6, 1e-9), DoubleNear(2.0 / 6, 1e-9)));
    const auto cells = letter_cells(shown);
    for (std::size_t owner = 0; owner < cells.size(); ++owner)
        EXPECT_EQ(shown.owner(cells[owner]->column, cells[owner]->row), owner);
    EXPECT_EQ(owner_letter(0), QStringLiteral("A"));
    EXPECT_EQ(owner_letter(27), QStringLiteral("AB"));
}

TEST(RegionPicture, ALetterStandsAwayFromTheBorders) {
    RegionPicture shown = picture();
    shown.x_values = {1, 2, 3, 4, 5};
    shown.y_values = {1, 2, 3, 4, 5};
    shown.cells.assign(25, 0);
    for (std::size_t row = 0; row < 5; ++row)
        shown.cells[row * 5 + 4] = 1; // a strip at the right
    const auto cells = letter_cells(shown);
    EXPECT_TRUE(cells[0] == (MapCell{1, 2}) || cells[0] == (MapCell{2, 2}));
    EXPECT_EQ(cells[1], (MapCell{4, 2}));
}

TEST(RegionPicture, ItsTableHasALineForEachCell) {
    const QString csv = region_csv(picture());
    EXPECT_EQ(csv.count(u'\n'), 7);
    EXPECT_THAT(csv.toStdString(),
                HasSubstr("\"cores\",\"bandwidth [GB/s]\",key,name\n1,5,\"a\",\"first\"\n"));
}

TEST(RegionScene, NoLetterStandsUnderTheCross) {
    RegionPicture shown = picture();
    for (const QPointF here : {QPointF(1, 5), QPointF(10, 5), QPointF(100, 5), QPointF(100, 50)}) {
        shown.here = here;
        const RegionScene scene = region_scene(shown, {640, 360}, {});
        const QPointF cross = *scene.here();
        for (const auto& box : scene.letters()) {
            EXPECT_FALSE(box->left() <= cross.x() && cross.x() <= box->right())
                << here.x() << ' ' << here.y();
            EXPECT_FALSE(box->top() <= cross.y() && cross.y() <= box->bottom())
                << here.x() << ' ' << here.y();
            EXPECT_TRUE(scene.layout.transform.area.contains(*box));
        }
    }
}

class RegionMapTest : public ::testing::Test {
protected:
    void SetUp() override {
        map_.resize(640, 360);
        map_.set_picture(picture());
        map_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&map_));
    }
    QColor colour_at(const QPointF& place) { return map_.grab().toImage().pixelColor(place.toPoint()); }
    RegionMap map_;
};

TEST_F(RegionMapTest, CellsHaveTheColoursOfTheirOwners) {
    map_.set_here(std::nullopt);
    const QPointF off_the_letter(12, 12);
    const QColor a = colour_at(map_.place_of({0, 0}) + off_the_letter);
    const QColor b = colour_at(map_.place_of({2, 0}) + off_the_letter);
    EXPECT_NE(a, b);
    EXPECT_EQ(colour_at(map_.place_of({1, 1}) + off_the_letter), a);
}

TEST_F(RegionMapTest, AClickGoesToTheCell) {
    QSignalSpy went(&map_, &RegionMap::went);
    QTest::mouseClick(&map_, Qt::LeftButton, {}, map_.place_of({2, 1}).toPoint());
    ASSERT_EQ(went.size(), 1);
    EXPECT_EQ(went[0][0].toDouble(), 100);
    EXPECT_EQ(went[0][1].toDouble(), 50);
    EXPECT_EQ(map_.picture().here, QPointF(100, 50));
}

TEST_F(RegionMapTest, ArrowKeysGoCellByCellAndStayInside) {
    QSignalSpy went(&map_, &RegionMap::went);
    map_.setFocus();
    QTest::keyClick(&map_, Qt::Key_Up);
    QTest::keyClick(&map_, Qt::Key_Up);
    QTest::keyClick(&map_, Qt::Key_Left);
    ASSERT_EQ(went.size(), 3);
    EXPECT_EQ(went[2][0].toDouble(), 1);
    EXPECT_EQ(went[2][1].toDouble(), 50);
}

TEST_F(RegionMapTest, DraggingGoesToEachCellOnce) {
    QSignalSpy went(&map_, &RegionMap::went);
    QTest::mouseMove(&map_, map_.place_of({0, 0}).toPoint());
    QTest::mousePress(&map_, Qt::LeftButton, {}, map_.place_of({0, 0}).toPoint());
    for (const QPointF& place :
         {map_.place_of({1, 0}), map_.place_of({1, 0}) + QPointF(3, 0), map_.place_of({1, 1})}) {
        QMouseEvent move(QEvent::MouseMove, place, map_.mapToGlobal(place), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&map_, &move);
    }
    ASSERT_EQ(went.size(), 3);
    EXPECT_EQ(went[2][0].toDouble(), 10);
    EXPECT_EQ(went[2][1].toDouble(), 50);
}

TEST_F(RegionMapTest, AClickOnAnOwnerPicksIt) {
    QSignalSpy picked(&map_, &RegionMap::picked);
    QTest::mouseClick(&map_, Qt::LeftButton, {}, map_.place_of_owner(1).toPoint());
    ASSERT_EQ(picked.size(), 1);
    EXPECT_EQ(picked[0][0].toString(), QStringLiteral("b"));
}

TEST_F(RegionMapTest, TellsOfTheCellUnderTheMouse) {
    const std::string text = map_.tooltip_of({2, 0}).toStdString();
    EXPECT_THAT(text, HasSubstr("second"));
    EXPECT_THAT(text, HasSubstr("bandwidth: 5.00 GB/s"));
}

TEST_F(RegionMapTest, IsSavedAsPictureAndTable) {
    const QTemporaryDir folder;
    for (const char* suffix : {"png", "svg", "csv"}) {
        const QString path = folder.filePath(QStringLiteral("map.") + QLatin1String(suffix));
        ASSERT_TRUE(save_picture(map_.exported(), path).has_value()) << suffix;
        EXPECT_GT(QFile(path).size(), 100) << suffix;
    }
}

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// Two rows and three columns.
HeatPicture heat_picture() {
    HeatPicture picture;
    picture.title = QStringLiteral("cost");
    picture.x_title = QStringLiteral("from");
    picture.y_title = QStringLiteral("to");
    picture.value_title = QStringLiteral("slowdown");
    picture.format = ValueFormat::Speedup;
    picture.rows = {{QStringLiteral("a"), QStringLiteral("A100")},
                    {QStringLiteral("m"), QStringLiteral("MI50")}};
    picture.columns = {picture.rows[0], picture.rows[1], {QStringLiteral("v"), QStringLiteral("V100")}};
    picture.values = {1, 4, not_known, 2, 1, std::numeric_limits<double>::infinity()};
    picture.infinite_text = QStringLiteral("fails");
    picture.good = 1;
    picture.bad = 4;
    picture.logarithmic = true;
    return picture;
}

TEST(HeatPictureTest, ColoursGoFromGoodToBadByFactors) {
    const HeatPicture picture = heat_picture();
    EXPECT_EQ(picture.colour_place(1), -1);
    EXPECT_NEAR(picture.colour_place(2).value(), 0, 1e-12);
    EXPECT_EQ(picture.colour_place(9), 1) << "no worse colour";
    EXPECT_EQ(picture.colour_place(std::numeric_limits<double>::infinity()), 1);
    EXPECT_EQ(picture.colour_place(not_known), std::nullopt);
    EXPECT_EQ(picture.text_of({2, 1}), QStringLiteral("fails"));
    EXPECT_EQ(picture.text_of({2, 0}), unknown_text());
}

TEST(HeatPictureTest, EveryCellHasItsPlaceInsideThePicture) {
    const HeatPicture picture = heat_picture();
    for (const QSizeF size : {QSizeF(640, 400), QSizeF(280, 200)}) {
        const HeatLayout layout = lay_out_heat(picture, size, QSizeF(30, 30));
        EXPECT_TRUE(QRectF(QPointF(), size).contains(layout.cells));
        EXPECT_LE(layout.scale.bottom(), size.height());
        for (std::size_t row = 0; row < 2; ++row)
            for (std::size_t column = 0; column < 3; ++column)
                EXPECT_EQ(heat_cell_at(picture, layout, layout.cell({column, row}).center()),
                          (MapCell{column, row}));
        EXPECT_EQ(heat_cell_at(picture, layout, layout.row_names.center()), std::nullopt);
    }
}

TEST(HeatPictureTest, ItsTableHasALineForEachCell) {
    EXPECT_EQ(heat_csv(heat_picture()).toStdString(),
              R"("to","from","slowdown"
"A100","A100",1
"A100","MI50",4
"A100","V100",
"MI50","A100",2
"MI50","MI50",1
"MI50","V100",fails
)");
}

class HeatMapTest : public ::testing::Test {
protected:
    void SetUp() override {
        map_.resize(640, 360);
        map_.set_picture(heat_picture());
        map_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&map_));
    }
    HeatMap map_;
};

TEST_F(HeatMapTest, AClickGoesToTheCell) {
    QSignalSpy went(&map_, &HeatMap::went);
    QTest::mouseClick(&map_, Qt::LeftButton, {}, map_.place_of({2, 1}).toPoint());
    ASSERT_EQ(went.size(), 1);
    EXPECT_EQ(went[0][0].toString(), QStringLiteral("m"));
    EXPECT_EQ(went[0][1].toString(), QStringLiteral("v"));
}

TEST_F(HeatMapTest, ArrowKeysGoCellByCellAndStayInside) {
    QSignalSpy went(&map_, &HeatMap::went);
    map_.setFocus();
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Right, Qt::Key_Down, Qt::Key_Down})
        QTest::keyClick(&map_, key);
    ASSERT_EQ(went.size(), 4);
    EXPECT_EQ(went[0][0].toString(), QStringLiteral("a")) << "the first key only shows the place";
    EXPECT_EQ(went[3][0].toString(), QStringLiteral("m"));
    EXPECT_EQ(went[3][1].toString(), QStringLiteral("m"));
    EXPECT_EQ(map_.accessibleDescription().toStdString(), "to: MI50; from: MI50; slowdown: 1.00×");
}

TEST_F(HeatMapTest, TellsOfTheCellUnderTheMouse) {
    EXPECT_THAT(map_.tooltip_of({1, 0}).toStdString(), HasSubstr("slowdown: <b>4.00×</b>"));
}

TEST_F(HeatMapTest, AMarkedCellHasARing) {
    const auto accents = [this] { return pixels_like(map_.grab().toImage(), current_theme().accent); };
    map_.clearFocus();
    const int before = accents();
    map_.set_marked(MapCell{1, 1});
    EXPECT_GT(accents(), before + 50);
    map_.set_picture(heat_picture());
    EXPECT_EQ(map_.marked(), std::nullopt) << "its cell belongs to another picture";
}

TEST_F(HeatMapTest, IsSavedAsPictureAndTable) {
    const QTemporaryDir folder;
    for (const char* suffix : {"png", "svg", "csv"}) {
        const QString path = folder.filePath(QStringLiteral("map.") + QLatin1String(suffix));
        ASSERT_TRUE(save_picture(map_.exported(), path).has_value()) << suffix;
        EXPECT_GT(QFile(path).size(), 100) << suffix;
    }
}

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
