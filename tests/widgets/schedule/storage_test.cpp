#include "widgets/chart/plot_menu.h"
#include "widgets/look/theme.h"
#include "widgets/schedule/storage/coordinate_tree_view.h"
#include "widgets/schedule/storage/storage_bars.h"
#include "widgets/schedule/storage/tree_picture.h"

#include <QApplication>
#include <QFile>
#include <QHelpEvent>
#include <QImage>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolTip>
#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

// Small trees to look at.

/// CSR of 3 × 4 with the entries (0, 1), (0, 3), (2, 0): row 1 is empty.
TreePicture csr_picture() {
    TreePicture picture;
    picture.window = {0, 0, 3, 4};
    picture.entries = 3;
    picture.positions = 3;
    picture.levels.push_back(
        {QStringLiteral("i1"),
         QStringLiteral("rows"),
         false,
         3,
         {{0, 0, {0, 0, 1, 4}, true}, {1, 0, {1, 0, 1, 4}, false}, {2, 0, {2, 0, 1, 4}, true}},
         {},
         {},
         0});
    picture.levels.push_back(
        {QStringLiteral("k1"),
         QStringLiteral("columns"),
         true,
         4,
         {{1, 0, {0, 1, 1, 1}, true}, {3, 0, {0, 3, 1, 1}, true}, {0, 2, {2, 0, 1, 1}, true}},
         {0, 2, 2, 3},
         {1, 3, 0},
         0});
    picture.values = {1, 2, 2.5}; // the last one is wider than its cell
    return picture;
}

/// One level, dense, of `count` positions: every other one is padding.
TreePicture wide_picture(int count) {
    TreePicture picture;
    picture.window = {0, 0, 1, count};
    TreePictureLevel level{QStringLiteral("k1"), QStringLiteral("columns"), false, count, {}, {}, {}, 0};
    for (int c = 0; c < count; ++c) {
        level.nodes.push_back({c, 0, {0, c, 1, 1}, c % 2 == 0});
        picture.values.push_back(c % 2 == 0 ? 1 : 0);
    }
    picture.levels.push_back(level);
    picture.entries = (count + 1) / 2;
    picture.positions = count;
    return picture;
}

/// A level above such a picture: the only row.
TreePictureLevel one_row(int columns) {
    return {QStringLiteral("i1"),
            QStringLiteral("rows"),
            false,
            1,
            {{0, 0, {0, 0, 1, columns}, true}},
            {},
            {},
            0};
}

std::vector<StorageBar> blocks_against_csr() {
    return {{QStringLiteral("This schedule"),
             {{QStringLiteral("k1"), StorageArray::Positions, 400, 0},
              {QStringLiteral("k1"), StorageArray::Coordinates, 600, 0},
              {{}, StorageArray::Values, 3000, 1500}}},
            {QStringLiteral("Fixed CSR"),
             {{QStringLiteral("k1"), StorageArray::Positions, 200, 0},
              {QStringLiteral("k1"), StorageArray::Coordinates, 400, 0},
              {{}, StorageArray::Values, 400, 0}}}};
}

TEST(StorageBarsLayout, MakesTheLargestBarAsLongAsTheArea) {
    const StorageBarsLayout layout = lay_out_bars(blocks_against_csr(), {100, 10, 400, 100}, 20, 30);
    EXPECT_EQ(layout.bars[0].length, 400);
    EXPECT_EQ(layout.bars[1].length, 100);
    EXPECT_EQ(layout.bars[0].segments[0], QRectF(100, 10, 40, 20));
    EXPECT_EQ(layout.bars[0].segments[2], QRectF(200, 10, 300, 20));
    EXPECT_EQ(layout.bars[0].padding[2], QRectF(350, 10, 150, 20));
    EXPECT_EQ(layout.bars[1].segments[0].top(), 40);
}

TEST(StorageBarsLayout, LeavesASliverOfWhatIsTinyAndNothingOfWhatIsEmpty) {
    std::vector<StorageBar> bars = blocks_against_csr();
    bars[0].segments[2].bytes = std::numeric_limits<quint64>::max();
    bars[0].segments[0].bytes = 0;
    const StorageBarsLayout layout = lay_out_bars(bars, {0, 0, 400, 100}, 20, 30);
    EXPECT_EQ(layout.bars[0].segments[0].width(), 0);
    EXPECT_EQ(layout.bars[1].segments[1].width(), 1);
    EXPECT_NEAR(layout.bars[0].segments[2].width(), 400, 1);
}

TEST(StorageBarsLayout, OfNothingIsNothing) {
    EXPECT_TRUE(lay_out_bars({}, {0, 0, 400, 100}, 20, 30).bars.empty());
    EXPECT_EQ(lay_out_bars({{QStringLiteral("empty"), {}}}, {0, 0, 400, 100}, 20, 30).bars[0].length, 0);
}

TEST(StorageBars, TellsTheExactBytesOfASegment) {
    StorageBars bars;
    bars.set_bars(blocks_against_csr());
    const std::string values = bars.tooltip_of({0, 2}).toStdString();
    EXPECT_THAT(values, HasSubstr("3\u202F000 bytes"));
    EXPECT_THAT(values, HasSubstr("75.0 % of This schedule"));
    EXPECT_THAT(values, HasSubstr("Padding: 1\u202F500 bytes, 50.0 %"));
    EXPECT_THAT(bars.tooltip_of({1, 1}).toStdString(), HasSubstr("k1 crd"));
}

TEST(StorageBars, ComparesWithTheLastBar) {
    StorageBars bars;
    bars.set_bars(blocks_against_csr());
    EXPECT_THAT(bars.accessibleDescription().toStdString(), HasSubstr("4.00× Fixed CSR"));
}

TEST(StorageBars, FindsTheSegmentUnderTheMouse) {
    StorageBars bars;
    bars.set_bars(blocks_against_csr());
    bars.resize(700, bars.heightForWidth(700));
    const StorageBarsLayout layout = bars.bars_layout();
    EXPECT_EQ(bars.place_at(layout.bars[0].segments[1].center()), (StorageBarPlace{0, 1}));
    EXPECT_EQ(bars.place_at(layout.bars[1].segments[2].center()), (StorageBarPlace{1, 2}));
    EXPECT_EQ(bars.place_at({1, 1}), std::nullopt);
}

TEST(StorageBars, PaintsValuesSolidAndPaddingHatched) {
    StorageBars bars;
    bars.set_bars(blocks_against_csr());
    bars.resize(700, bars.heightForWidth(700));
    const QImage picture = bars.grab().toImage();
    const StorageBarsLayout layout = bars.bars_layout();
    const QRectF values = layout.bars[0].segments[2];
    EXPECT_EQ(picture.pixelColor(
                  (QPointF(values.left() + 4, values.top() + 3) * picture.devicePixelRatio()).toPoint()),
              current_theme().accent);
    const QRectF zeros = layout.bars[0].padding[2];
    std::set<QRgb> colours;
    for (int x = qRound(zeros.left()) + 2; x < qRound(zeros.right()) - 6; ++x)
        colours.insert(
            picture.pixel((QPointF(x, zeros.center().y()) * picture.devicePixelRatio()).toPoint()));
    EXPECT_GT(colours.size(), 1U);
    EXPECT_FALSE(colours.contains(current_theme().accent.rgb()));
}

TEST(StorageBars, GivesItsNumbersAway) {
    StorageBars bars;
    bars.set_bars(blocks_against_csr());
    EXPECT_THAT(bars.exported().csv.toStdString(), HasSubstr("\"This schedule\",,values,3000,1500\n"));
}

TEST(StorageBars, HasRoomForItsTextsAtAnyWidth) {
    StorageBars bars;
    bars.set_bars(blocks_against_csr());
    EXPECT_GE(bars.heightForWidth(bars.minimumSizeHint().width()), bars.heightForWidth(1200));
}

using ::testing::ElementsAre;

TreeMetrics metrics() {
    TreeMetrics result;
    result.text_width = [](const QString& text) { return 8.0 * static_cast<double>(text.size()); };
    return result;
}

TEST(TreeLayout, StandsEachLevelBelowTheOneBefore) {
    const TreeLayout layout = lay_out(csr_picture(), metrics());
    EXPECT_LT(layout.root.bottom(), layout.nodes[0][0].top());
    for (const QRectF& row : layout.nodes[0])
        EXPECT_EQ(row.top(), layout.nodes[0][0].top());
    EXPECT_GT(layout.nodes[1][0].top(), layout.nodes[0][0].bottom());
    EXPECT_LT(layout.nodes[1][0].bottom(), layout.arrays_top);
}

TEST(TreeLayout, StandsParentsOverTheMiddleOfTheirChildren) {
    const TreeLayout layout = lay_out(csr_picture(), metrics());
    EXPECT_NEAR(layout.nodes[0][0].center().x(),
                (layout.nodes[1][0].center().x() + layout.nodes[1][1].center().x()) / 2, 1e-9);
    EXPECT_NEAR(layout.nodes[0][2].center().x(), layout.nodes[1][2].center().x(), 1e-9);
    EXPECT_NEAR(layout.root.center().x(),
                (layout.nodes[0][0].center().x() + layout.nodes[0][2].center().x()) / 2, 1e-9);
}

TEST(TreeLayout, LetsNoNodesOverlap) {
    TreePicture picture = csr_picture();
    picture.levels[0].nodes[1].coordinate = 1'000'000; // a wide empty row between narrow ones
    const TreeLayout layout = lay_out(picture, metrics());
    for (const std::vector<QRectF>& level : layout.nodes)
        for (std::size_t n = 1; n < level.size(); ++n)
            EXPECT_GT(level[n].left(), level[n - 1].right());
}

TEST(TreeLayout, StandsFamiliesFurtherApartThanSiblings) {
    const TreeLayout layout = lay_out(csr_picture(), metrics());
    const double siblings = layout.nodes[1][1].left() - layout.nodes[1][0].right();
    const double families = layout.nodes[1][2].left() - layout.nodes[1][1].right();
    EXPECT_GT(families, siblings);
}

TEST(TreeLayout, ListsTheArraysInTheOrderOfTheLevels) {
    const TreeLayout layout = lay_out(csr_picture(), metrics());
    std::vector<TreeArray> arrays;
    for (const TreeArrayRow& row : layout.arrays)
        arrays.push_back(row.array);
    EXPECT_THAT(arrays, ElementsAre(TreeArray::Positions, TreeArray::Coordinates, TreeArray::Values));
    EXPECT_EQ(layout.arrays[0].texts, (QStringList{QStringLiteral("0"), QStringLiteral("2"),
                                                   QStringLiteral("2"), QStringLiteral("3")}));
    EXPECT_EQ(layout.arrays[2].texts, (QStringList{QStringLiteral("1"), QStringLiteral("2"), QString()}))
        << "a value that does not fit is left out";
    EXPECT_LE(layout.arrays.back().cells.back().bottom(), layout.size.height());
}

TEST(TreeLayout, FindsTheNodeAndTheCellUnderAPoint) {
    const TreeLayout layout = lay_out(csr_picture(), metrics());
    EXPECT_EQ(layout.node_at(layout.nodes[1][2].center()), (TreePlace{1, 2}));
    EXPECT_EQ(layout.node_at({-50, -50}), std::nullopt);
    EXPECT_EQ(layout.cell_at(layout.arrays[1].cells[1].center()), (TreePlace{1, 1}));
    EXPECT_EQ(layout.cell_at(layout.arrays[0].cells[1].center()), std::nullopt) << "pos belongs to parents";
}

TEST(TreeLayout, OfNothingIsTheRootAlone) {
    const TreeLayout layout = lay_out({}, metrics());
    EXPECT_FALSE(layout.root.isEmpty());
    EXPECT_TRUE(layout.arrays.empty());
}

TEST(TreeLayout, GrowsWithTheNumberOfLeaves) {
    EXPECT_GT(lay_out(wide_picture(100), metrics()).size.width(), 100 * metrics().node_height);
}

TEST(TreeLayout, StandsEveryCellBelowWhatItBelongsTo) {
    const TreeLayout layout = lay_out(csr_picture(), metrics());
    for (const std::size_t n : {0U, 1U, 2U}) {
        EXPECT_EQ(layout.arrays[0].cells[n].center().x(), layout.nodes[0][n].center().x())
            << "pos below parents";
        EXPECT_EQ(layout.arrays[1].cells[n].center().x(), layout.nodes[1][n].center().x());
        EXPECT_EQ(layout.arrays[2].cells[n].center().x(), layout.nodes[1][n].center().x());
    }
    EXPECT_GE(layout.arrays[0].cells[3].left(), layout.arrays[0].cells[2].right());
    EXPECT_GE(layout.size.width(), layout.arrays[0].cells[3].right());
}

TEST(TreeLayout, KeepsAncestorsInViewWhileTheirLeavesAre) {
    TreePicture picture = wide_picture(100);
    picture.levels.insert(picture.levels.begin(), one_row(100));
    const TreeLayout layout = lay_out(picture, metrics());
    const TreeLayout at_left = kept_in_view(layout, {0, 300});
    EXPECT_LE(at_left.root.right(), 300);
    EXPECT_LE(at_left.nodes[0][0].right(), 300);
    EXPECT_EQ(at_left.nodes[1], layout.nodes[1]) << "leaves stay where they are";
    const double end = layout.size.width();
    EXPECT_GE(kept_in_view(layout, {end - 300, end}).nodes[0][0].left(), end - 300);
    EXPECT_EQ(kept_in_view(layout, {0, end}).nodes, layout.nodes) << "what is all in view does not move";
    const TreeLayout csr = lay_out(csr_picture(), metrics());
    const TreeLayout kept = kept_in_view(csr, {csr.spans[0][2].left, csr.size.width()});
    EXPECT_EQ(kept.nodes[0][0], csr.nodes[0][0]) << "out of view with all of its subtree";
}

TEST(TreeFamily, IsThePathToTheRootAndAllBelow) {
    const TreePicture picture = csr_picture();
    EXPECT_THAT(family_of(picture, {0, 0}),
                ElementsAre(ElementsAre(true, false, false), ElementsAre(true, true, false)));
    EXPECT_THAT(family_of(picture, {1, 2}),
                ElementsAre(ElementsAre(false, false, true), ElementsAre(false, false, true)));
}

class CoordinateTreeViewTest : public ::testing::Test {
protected:
    CoordinateTreeViewTest() {
        view_.set_picture(csr_picture());
        view_.resize(900, 500);
        view_.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&view_));
        QObject::connect(&view_, &CoordinateTreeView::range_hovered, &view_,
                         [this](const MatrixRange& range) { hovered_.push_back(range); });
    }

    void point_at(TreePlace place) {
        QTest::mouseMove(view_.viewport(), view_.node_rect(place).center().toPoint());
    }

    CoordinateTreeView view_;
    std::vector<MatrixRange> hovered_;
};

TEST_F(CoordinateTreeViewTest, LightsTheNodeUnderTheMouseAndSaysWhereItLiesInTheMatrix) {
    const QSignalSpy ended(&view_, &CoordinateTreeView::hover_ended);
    point_at({1, 1});
    EXPECT_EQ(view_.lit_node(), (TreePlace{1, 1}));
    ASSERT_EQ(hovered_.size(), 1U);
    EXPECT_EQ(hovered_[0], (MatrixRange{0, 3, 1, 1}));
    QTest::mouseMove(view_.viewport(), QPoint(2, 2));
    EXPECT_EQ(view_.lit_node(), std::nullopt);
    EXPECT_EQ(ended.size(), 1);
}

TEST_F(CoordinateTreeViewTest, WalksThroughTheTreeByTheArrows) {
    view_.setFocus();
    QTest::keyClick(&view_, Qt::Key_Right);
    EXPECT_EQ(view_.lit_node(), (TreePlace{0, 0}));
    QTest::keyClick(&view_, Qt::Key_Down);
    EXPECT_EQ(view_.lit_node(), (TreePlace{1, 0}));
    QTest::keyClick(&view_, Qt::Key_Right);
    QTest::keyClick(&view_, Qt::Key_Right);
    EXPECT_EQ(view_.lit_node(), (TreePlace{1, 2}));
    QTest::keyClick(&view_, Qt::Key_Up);
    EXPECT_EQ(view_.lit_node(), (TreePlace{0, 2}));
    QTest::keyClick(&view_, Qt::Key_Left);
    QTest::keyClick(&view_, Qt::Key_Down);
    EXPECT_EQ(view_.lit_node(), (TreePlace{0, 1})) << "an empty row has no children";
    QTest::keyClick(&view_, Qt::Key_Escape);
    EXPECT_EQ(view_.lit_node(), std::nullopt);
}

TEST_F(CoordinateTreeViewTest, ScrollsToTheNodeThatTheKeyboardReaches) {
    view_.set_picture(wide_picture(200));
    view_.setFocus();
    view_.light(TreePlace{0, 198});
    QTest::keyClick(&view_, Qt::Key_Right);
    EXPECT_TRUE(QRectF(view_.viewport()->rect()).contains(view_.node_rect({0, 199})));
    EXPECT_GT(view_.horizontalScrollBar()->value(), 0);
}

TEST_F(CoordinateTreeViewTest, KeepsParentsInViewWhileItScrolls) {
    TreePicture picture = wide_picture(200);
    picture.levels.insert(picture.levels.begin(), one_row(200));
    view_.set_picture(picture);
    const QRectF room(view_.viewport()->rect());
    EXPECT_GT(view_.horizontalScrollBar()->maximum(), 0);
    EXPECT_TRUE(room.contains(view_.node_rect({0, 0})));
    view_.horizontalScrollBar()->setValue(view_.horizontalScrollBar()->maximum());
    EXPECT_TRUE(room.contains(view_.node_rect({0, 0})));
    point_at({0, 0});
    EXPECT_EQ(view_.lit_node(), (TreePlace{0, 0})) << "it is found where it is seen";
}

TEST_F(CoordinateTreeViewTest, ExplainsTheFormatOfALevelWhereItsCaptionStands) {
    const QPoint caption(20, view_.node_rect({1, 0}).center().toPoint().y());
    QHelpEvent help(QEvent::ToolTip, caption, view_.viewport()->mapToGlobal(caption));
    QCoreApplication::sendEvent(view_.viewport(), &help);
    EXPECT_THAT(QToolTip::text().toStdString(), ::testing::HasSubstr("k1 is compressed"));
    const QPoint node = view_.node_rect({0, 1}).center().toPoint();
    QHelpEvent other(QEvent::ToolTip, node, view_.viewport()->mapToGlobal(node));
    QCoreApplication::sendEvent(view_.viewport(), &other);
    EXPECT_THAT(QToolTip::text().toStdString(), ::testing::HasSubstr("row 1, columns 0 to 3"));
    QToolTip::hideText();
}

TEST_F(CoordinateTreeViewTest, FillsEntriesAndLeavesPaddingHollow) {
    view_.set_picture(wide_picture(4));
    const QImage picture = view_.viewport()->grab().toImage();
    const auto colour_in = [&](std::size_t node) {
        const QRectF box = view_.node_rect({0, node});
        const double scale = picture.devicePixelRatio();
        return picture.pixelColor((QPointF(box.left() + 4, box.center().y()) * scale).toPoint());
    };
    EXPECT_EQ(colour_in(0), current_theme().accent);
    EXPECT_EQ(colour_in(1), current_theme().surface);
}

TEST_F(CoordinateTreeViewTest, SavesItselfAsPictureDrawingAndData) {
    QTemporaryDir folder;
    const ExportedPicture exported = view_.exported();
    ASSERT_TRUE(save_picture(exported, folder.filePath(QStringLiteral("tree.png"))));
    const QImage png(folder.filePath(QStringLiteral("tree.png")));
    EXPECT_EQ(png.width(), qRound(2 * exported.size.width()));
    EXPECT_EQ(png.pixelColor(png.width() - 3, png.height() - 3), light_theme().surface);

    ASSERT_TRUE(save_picture(exported, folder.filePath(QStringLiteral("tree.svg"))));
    QFile svg(folder.filePath(QStringLiteral("tree.svg")));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    EXPECT_TRUE(svg.readAll().contains("compressed"));

    ASSERT_TRUE(save_picture(exported, folder.filePath(QStringLiteral("tree.csv"))));
    QFile csv(folder.filePath(QStringLiteral("tree.csv")));
    ASSERT_TRUE(csv.open(QIODevice::ReadOnly));
    EXPECT_TRUE(csv.readAll().contains("k1,compressed,3,0,0,3,1,1,1\n"));
}

TEST_F(CoordinateTreeViewTest, SaysWhyAPictureCouldNotBeSaved) {
    const auto nowhere = save_picture(view_.exported(), QStringLiteral("/no/such/folder/tree.png"));
    ASSERT_FALSE(nowhere);
    EXPECT_THAT(nowhere.error().toStdString(), ::testing::HasSubstr("/no/such/folder/tree.png"));
    const auto unknown = save_picture(view_.exported(), QDir::tempPath() + QStringLiteral("/tree.xyz"));
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().toStdString(), ::testing::HasSubstr("PNG or SVG"));
}

TEST_F(CoordinateTreeViewTest, OffersToSaveInItsMenu) {
    QContextMenuEvent right_click(QContextMenuEvent::Mouse, QPoint(100, 100),
                                  view_.mapToGlobal(QPoint(100, 100)));
    QCoreApplication::sendEvent(view_.viewport(), &right_click);
    const auto* const menu = view_.findChild<QMenu*>();
    ASSERT_NE(menu, nullptr);
    EXPECT_EQ(menu->actions().size(), 3);
}

TEST(CoordinateTreeView, SaysWhatToDoWhileThereIsNoTree) {
    CoordinateTreeView view;
    view.resize(400, 200);
    view.show();
    EXPECT_FALSE(view.grab().isNull());
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(view.lit_node(), std::nullopt);
}

} // namespace
} // namespace sparsight
