#include "widgets/plot/plot_view.h"

#include "widgets/plot/plot_scene.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;

constexpr QSizeF wide(800, 400);

void expect_point(QPointF actual, QPointF expected, double tolerance = 1e-6) {
    EXPECT_NEAR(actual.x(), expected.x(), tolerance);
    EXPECT_NEAR(actual.y(), expected.y(), tolerance);
}

TEST(PlotView, BeginsWithTheWholeMatrixInTheMiddle) {
    const PlotView view(1000, 1000, wide, true);
    EXPECT_TRUE(view.is_whole());
    EXPECT_EQ(view.matrix_pixels(), QRectF(200, 0, 400, 400));
    EXPECT_EQ(view.visible_area(), (PatternArea{0, 1000, 0, 1000}));
}

TEST(PlotView, StretchesAMatrixOverTheViewportWithoutEqualAspect) {
    const PlotView view(1'000'000, 50, wide, false);
    EXPECT_EQ(view.matrix_pixels(), QRectF(0, 0, 800, 400));
    EXPECT_DOUBLE_EQ(view.col_pixels(), 16);
}

TEST(PlotView, SquareCellsSuitMatricesThatAreNotMuchLongerInOneDirection) {
    EXPECT_TRUE(PlotView::suits_equal_aspect(100, 100));
    EXPECT_TRUE(PlotView::suits_equal_aspect(100, 400));
    EXPECT_FALSE(PlotView::suits_equal_aspect(100, 401));
    EXPECT_FALSE(PlotView::suits_equal_aspect(1'000'000, 64));
}

TEST(PlotView, ZoomKeepsThePointUnderTheCursor) {
    for (const bool equal : {true, false}) {
        PlotView view(100'000, 100'000, wide, equal);
        for (const QPointF cursor :
             {QPointF(250, 30), QPointF(590, 380), QPointF(400, 200), QPointF(333, 77)}) {
            const QPointF point = view.to_matrix(cursor);
            for (int step = 0; step < 8; ++step) {
                view.zoom_at(cursor, 1.37);
                expect_point(view.to_pixels(point), cursor);
            }
            view.show_whole();
        }
    }
}

TEST(PlotView, ZoomingInAndOutAgainLeadsBack) {
    PlotView view(5000, 5000, wide, true);
    view.show({1000, 1000, 1500, 1250});
    const PlotView before = view;
    view.zoom_at({123, 45}, 3);
    view.zoom_at({123, 45}, 1.0 / 3);
    expect_point(view.to_matrix(QPointF(0, 0)), before.to_matrix(QPointF(0, 0)));
    EXPECT_DOUBLE_EQ(view.col_pixels(), before.col_pixels());
}

TEST(PlotView, IsNeverSmallerThanTheWholeMatrix) {
    PlotView view(1000, 1000, wide, true);
    view.zoom_at({10, 10}, 0.1);
    EXPECT_TRUE(view.is_whole());
    EXPECT_EQ(view.matrix_pixels(), QRectF(200, 0, 400, 400));
    view.zoom_at({210, 10}, 4);
    EXPECT_FALSE(view.is_whole());
    view.zoom_at({790, 390}, 0.01);
    EXPECT_EQ(view.matrix_pixels(), QRectF(200, 0, 400, 400));
}

TEST(PlotView, ACellHasALargestSizeUnlessTheMatrixIsTiny) {
    PlotView view(1000, 1000, wide, true);
    view.zoom_at({400, 200}, 1e9);
    EXPECT_DOUBLE_EQ(view.col_pixels(), PlotView::max_cell);
    EXPECT_DOUBLE_EQ(view.row_pixels(), PlotView::max_cell);
    PlotView tiny(2, 2, wide, true);
    EXPECT_DOUBLE_EQ(tiny.col_pixels(), 200);
    tiny.zoom_at({400, 200}, 2);
    EXPECT_TRUE(tiny.is_whole());
}

TEST(PlotView, StretchedCellsBecomeSquareAtTheLargestSize) {
    PlotView view(1'000'000, 50, wide, false);
    view.zoom_at({400, 200}, 1e9);
    EXPECT_DOUBLE_EQ(view.col_pixels(), PlotView::max_cell);
    EXPECT_DOUBLE_EQ(view.row_pixels(), PlotView::max_cell);
}

TEST(PlotView, PanMovesTheMatrixWithTheMouse) {
    PlotView view(10'000, 10'000, wide, true);
    view.show({2000, 2000, 4000, 3000});
    const QPointF point = view.to_matrix(QPointF(100, 100));
    view.pan({-37, 21});
    expect_point(view.to_pixels(point), QPointF(63, 121));
}

TEST(PlotView, TheMatrixIsNeverLostByPanning) {
    PlotView view(10'000, 10'000, wide, true);
    view.zoom_at({400, 200}, 3);
    for (const QPointF far : {QPointF(1e6, 1e6), QPointF(-1e7, 0), QPointF(0, -1e7), QPointF(1e9, -1e9)}) {
        view.pan(far);
        const QPointF middle = view.to_matrix(QPointF(400, 200));
        EXPECT_TRUE(QRectF(-0.01, -0.01, 10'000.02, 10'000.02).contains(middle));
        EXPECT_FALSE(view.visible_area().empty());
    }
}

TEST(PlotView, TheWholeMatrixStaysInTheMiddle) {
    PlotView view(1000, 1000, wide, true);
    view.pan({50, 50});
    EXPECT_EQ(view.matrix_pixels(), QRectF(200, 0, 400, 400));
}

TEST(PlotView, ShowsAnAreaAndSaysWhichItIs) {
    PlotView view(10'000, 10'000, wide, true);
    const PatternArea area{2000, 2400, 5000, 5800};
    view.show(to_rect(area));
    EXPECT_EQ(view.visible_area(), area);
    view.show(to_rect(view.visible_area()));
    EXPECT_EQ(view.visible_area(), area);
}

TEST(PlotView, ShowsMoreThanTheAreaWhereTheAspectAsksForIt) {
    PlotView square(10'000, 10'000, wide, true);
    square.show({5000, 2000, 5400, 2400});
    EXPECT_EQ(square.visible_area(), (PatternArea{2000, 2400, 4800, 5600}));
    PlotView stretched(10'000, 10'000, wide, false);
    stretched.show({5000, 2000, 5400, 2400});
    EXPECT_EQ(stretched.visible_area(), (PatternArea{2000, 2400, 5000, 5400}));
}

TEST(PlotView, FillsTheViewportWithTheMatrixWhereItIsLargeEnough) {
    PlotView view(10'000, 10'000, QSizeF(400, 800), true);
    view.show({0, 0, 100, 100});
    EXPECT_EQ(view.visible_area(), (PatternArea{0, 200, 0, 100})) << "the aspect adds rows that there are";
    view.zoom_at({390, 790}, 0.5);
    EXPECT_EQ(view.visible_area(), (PatternArea{0, 400, 0, 200})) << "and so does zooming out";
    view.show({9'900, 9'900, 10'000, 10'000});
    EXPECT_EQ(view.visible_area(), (PatternArea{9'800, 10'000, 9'900, 10'000}));
    PlotView flat(50, 10'000, QSizeF(400, 800), true);
    flat.show({0, 0, 100, 100});
    EXPECT_DOUBLE_EQ(flat.matrix_pixels().center().y(), 400) << "too few rows to fill it: in the middle";
}

TEST(PlotView, PixelsAndMatrixCoordinatesAreInverse) {
    PlotView view(123'456, 98'765, wide, true);
    view.zoom_at({300, 100}, 57.3);
    for (const QPointF pixel : {QPointF(0, 0), QPointF(799, 399), QPointF(12.5, 300.25)})
        expect_point(view.to_pixels(view.to_matrix(pixel)), pixel);
    const PlotRect rect{1, 2, 30, 40};
    const PlotRect back = view.to_matrix(view.to_pixels(rect));
    EXPECT_NEAR(back.left, 1, 1e-6);
    EXPECT_NEAR(back.bottom, 40, 1e-6);
}

TEST(PlotView, ResizingKeepsTheWholeWholeAndAPartInTheMiddle) {
    PlotView view(1000, 1000, wide, true);
    view.resize(QSizeF(300, 600));
    EXPECT_EQ(view.matrix_pixels(), QRectF(0, 150, 300, 300));
    view.zoom_at({150, 300}, 10);
    const QPointF middle = view.to_matrix(QPointF(150, 300));
    const double cell = view.col_pixels();
    view.resize(QSizeF(500, 500));
    expect_point(view.to_matrix(QPointF(250, 250)), middle);
    EXPECT_DOUBLE_EQ(view.col_pixels(), cell);
}

TEST(PlotView, SquareCellsCanBeTurnedOnAndOff) {
    PlotView view(4000, 1000, wide, true);
    view.set_equal_aspect(false);
    EXPECT_EQ(view.matrix_pixels(), QRectF(0, 0, 800, 400));
    view.show({100, 100, 200, 1100});
    view.set_equal_aspect(true);
    EXPECT_DOUBLE_EQ(view.col_pixels(), view.row_pixels());
    expect_point(view.to_matrix(QPointF(400, 200)), {150, 600});
}

TEST(PlotView, NothingIsVisibleWithoutAMatrixOrWithoutRoom) {
    EXPECT_TRUE(PlotView().empty());
    EXPECT_TRUE(PlotView(0, 5, wide, true).empty());
    PlotView view(5, 5, QSizeF(0, 10), true);
    EXPECT_TRUE(view.empty());
    view.zoom_at({1, 1}, 2);
    view.pan({1, 1});
    view.show({0, 0, 1, 1});
    EXPECT_TRUE(view.visible_area().empty());
    view.resize(wide);
    EXPECT_EQ(view.visible_area(), (PatternArea{0, 5, 0, 5}));
}

TEST(AxisTicks, StandAtRoundNumbersFarEnoughApart) {
    EXPECT_EQ(nice_step(1, 40), 50);
    EXPECT_EQ(nice_step(40, 40), 1);
    EXPECT_EQ(nice_step(0.001, 60), 100'000);
    std::vector<std::int64_t> indices;
    for (const AxisTick& tick : axis_ticks({950, 0.5, 400, 10'000}, 50))
        indices.push_back(tick.index);
    EXPECT_THAT(indices, ElementsAre(1000, 1100, 1200, 1300, 1400, 1500, 1600, 1700));
}

TEST(AxisTicks, PointAtTheMiddleOfARowAndStayInsideTheMatrix) {
    const auto ticks = axis_ticks({-2, 20, 200, 3}, 15);
    ASSERT_EQ(ticks.size(), 3U);
    EXPECT_DOUBLE_EQ(ticks[0].position, 50);
    EXPECT_EQ(ticks[2].index, 2);
    EXPECT_TRUE(axis_ticks({0, 1, 100, 0}, 10).empty());
}

TEST(PixelArea, IsOneCellWhenZoomedIn) {
    PlotView view(1000, 1000, wide, true);
    view.show({100, 100, 120, 110}); // 40 pixels a cell
    EXPECT_EQ(pixel_area(view, {41, 79}), (PatternArea{101, 102, 101, 102}));
}

TEST(PixelArea, SharesRowsAndColumnsOutAmongNeighbouringPixels) {
    const PlotView view(1000, 1000, wide, true); // 2.5 rows a pixel
    std::int64_t next = 0;
    for (int y = 0; y < 400; ++y) {
        const auto area = pixel_area(view, {300.5, y + 0.5});
        ASSERT_TRUE(area);
        EXPECT_EQ(area->row_begin, next);
        next = area->row_end;
    }
    EXPECT_EQ(next, 1000);
}

TEST(PixelArea, IsNothingBesideTheMatrix) {
    const PlotView view(1000, 1000, wide, true);
    EXPECT_FALSE(pixel_area(view, {100, 100}));
    EXPECT_FALSE(pixel_area(view, {300, -1}));
    EXPECT_FALSE(pixel_area(PlotView(), {0, 0}));
}

TEST(ReadoutText, NamesTheCellOrTheRanges) {
    EXPECT_EQ(readout_text({12'034, 12'035, 8811, 8812}, 3, {}),
              QStringLiteral("row 12\u202F034 · column 8\u202F811 · 3 entries"));
    EXPECT_EQ(readout_text({12'032, 12'064, 0, 32}, 1234, {}),
              QStringLiteral("rows 12\u202F032–12\u202F063 · columns 0–31 · 1\u202F234 entries"));
    EXPECT_EQ(readout_text({0, 1, 0, 2}, 1, {}), QStringLiteral("row 0 · columns 0–1 · 1 entry"));
    EXPECT_EQ(readout_text({0, 1, 1, 2}, 0, {}), QStringLiteral("row 0 · column 1 · no entry"));
}

} // namespace
} // namespace sparsight
