#include "widgets/chart/region_map.h"

#include "widgets/look/theme.h"
#include "widgets/schedule/picture_export.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

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
    EXPECT_TRUE(cells[0] == (RegionCell{1, 2}) || cells[0] == (RegionCell{2, 2}));
    EXPECT_EQ(cells[1], (RegionCell{4, 2}));
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

} // namespace
} // namespace sparsight
