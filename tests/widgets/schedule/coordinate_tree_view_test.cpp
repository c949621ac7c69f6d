#include "widgets/schedule/coordinate_tree_view.h"

#include "tree_pictures.h"
#include "widgets/look/theme.h"
#include "widgets/schedule/picture_export.h"

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

namespace sparsight {
namespace {

using testing::csr_picture;
using testing::wide_picture;

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

TEST_F(CoordinateTreeViewTest, ShowsTheRootOfALargeTreeFirst) {
    view_.set_picture(wide_picture(200));
    EXPECT_GT(view_.horizontalScrollBar()->maximum(), 0);
    EXPECT_GT(view_.horizontalScrollBar()->value(), 0);
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
