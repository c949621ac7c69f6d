#include "widgets/chart/parallel/parallel_plot.h"
#include "widgets/chart/plot_menu.h"
#include "widgets/look/screenshot.h"
#include "widgets/look/theme.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Two decisions and four configurations.
ParallelPicture small_picture() {
    ParallelPicture picture;
    picture.title = QStringLiteral("all of them");
    picture.noun = QStringLiteral("configurations");
    picture.measure = {
        QStringLiteral("time"), QStringLiteral("ms"), true, ValueFormat::Duration, {}, {}, false};
    picture.axes = {
        {QStringLiteral("tile"), {QStringLiteral("8"), QStringLiteral("16"), QStringLiteral("32")}},
        {QStringLiteral("unroll"), {QStringLiteral("off"), QStringLiteral("on")}}};
    picture.lines = {{QStringLiteral("a"), 1},
                     {QStringLiteral("b"), 2},
                     {QStringLiteral("c"), 10},
                     {QStringLiteral("d"), 100}};
    picture.places = {1, 1, 1, 0, 0, 1, 2, 0};
    return picture;
}

ParallelBrushes no_brushes() {
    return ParallelBrushes(3);
}

TEST(ParallelPictureTest, BrushesOnAllAxesHoldTogether) {
    const ParallelPicture picture = small_picture();
    EXPECT_THAT(brushed_lines(picture, no_brushes()), ElementsAre(0, 1, 2, 3));
    ParallelBrushes brushes = no_brushes();
    brushes[0] = ParallelBrush{0, 1};
    EXPECT_THAT(brushed_lines(picture, brushes), ElementsAre(0, 1, 2));
    brushes[2] = ParallelBrush{1.5, 50};
    EXPECT_THAT(brushed_lines(picture, brushes), ElementsAre(1, 2));
    brushes[1] = ParallelBrush{1, 1};
    EXPECT_THAT(brushed_lines(picture, brushes), ElementsAre(2));
}

TEST(ParallelPictureTest, OfManyTheBestAndASampleAreDrawnAndTheCaptionSaysSo) {
    ParallelPicture picture = small_picture();
    picture.most_best = 1;
    picture.most_others = 1;
    const std::vector<std::size_t> all{0, 1, 2, 3};
    EXPECT_THAT(drawn_lines(picture, all), ElementsAre(0, 2));
    EXPECT_EQ(parallel_caption(picture, 4, false).toStdString(),
              "Drawn: the 1 fastest and 1 of the other 3.");
    EXPECT_EQ(parallel_caption(picture, 2, true).toStdString(), "Brushed: 2 of 4 configurations.");
    EXPECT_EQ(parallel_caption(small_picture(), 4, false).toStdString(), "Drawn: all 4 configurations.");
}

TEST(ParallelPictureTest, FasterLinesLieLowerOnEveryAxis) {
    const ParallelPicture picture = small_picture();
    const ParallelLayout layout = lay_out_parallel(picture, {640, 360}, {});
    EXPECT_TRUE(QRectF(0, 0, 640, 360).contains(layout.area));
    EXPECT_GT(layout.y_of_line(picture, 0, 0), layout.y_of_line(picture, 0, 1)) << "both have the tile 16";
    EXPECT_GT(layout.y_of_line(picture, 2, 0), layout.y_of_line(picture, 2, 1));
    for (std::size_t line = 0; line < 4; ++line)
        EXPECT_EQ(layout.place_at(picture, 0, layout.y_of_line(picture, 0, line)), picture.place(line, 0));
    EXPECT_NEAR(layout.measure_at(layout.y_of_measure(10)), 10, 1e-9);
    EXPECT_EQ(layout.axis_at(QPointF(layout.across[1] + 5, layout.area.center().y())), 1U);
    EXPECT_EQ(layout.axis_at(QPointF(layout.across[1] + 50, layout.area.center().y())), std::nullopt);
}

TEST(ParallelPictureTest, LongTitlesStandInTwoRows) {
    ParallelPicture picture = small_picture();
    picture.axes[0].title =
        QStringLiteral("a decision with a name that is much longer than the axes are apart");
    const ParallelLayout layout = lay_out_parallel(picture, {400, 300}, {});
    EXPECT_GT(layout.axis_titles[1].top(), layout.axis_titles[0].top());
    EXPECT_EQ(layout.axis_titles[2].top(), layout.axis_titles[0].top());
    EXPECT_LE(layout.axis_titles[1].bottom(), layout.area.top());
}

TEST(ParallelPictureTest, ItsTableHasALineForEachThatIsWanted) {
    const std::vector<std::size_t> some{0, 3};
    EXPECT_EQ(parallel_csv(small_picture(), some).toStdString(),
              R"("tile","unroll","time [ms]","configurations"
"16","on",1,"a"
"32","off",100,"d"
)");
}

class ParallelPlotTest : public ::testing::Test {
protected:
    void SetUp() override {
        apply_theme(*qApp, ThemeChoice::Light);
        plot_.resize(640, 360);
        plot_.set_picture(small_picture());
        plot_.show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&plot_));
    }
    void drag(const QPointF& from, const QPointF& to) {
        QTest::mousePress(&plot_, Qt::LeftButton, {}, from.toPoint());
        QMouseEvent move(QEvent::MouseMove, to, plot_.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&plot_, &move);
        QTest::mouseRelease(&plot_, Qt::LeftButton, {}, to.toPoint());
    }
    void press(std::initializer_list<Qt::Key> keys) {
        for (const Qt::Key key : keys)
            QTest::keyClick(&plot_, key);
    }
    ParallelPlot plot_;
};

TEST_F(ParallelPlotTest, AClickOnALinePicksIt) {
    QSignalSpy picked(&plot_, &ParallelPlot::picked);
    QTest::mouseClick(&plot_, Qt::LeftButton, {}, plot_.place_between(1, 1).toPoint()); // far from others
    ASSERT_EQ(picked.size(), 1);
    EXPECT_EQ(picked[0][0].toString(), QStringLiteral("b"));
    EXPECT_EQ(plot_.selected(), QStringLiteral("b"));
    plot_.set_selected(QStringLiteral("of another workload"));
    EXPECT_EQ(plot_.selected(), QString());
}

TEST_F(ParallelPlotTest, DraggingAlongAnAxisBrushesIt) {
    QSignalSpy changed(&plot_, &ParallelPlot::brushes_changed);
    QSignalSpy picked(&plot_, &ParallelPlot::picked);
    drag(plot_.place_of_value(0, 1), plot_.place_of_value(0, 0));
    EXPECT_EQ(plot_.brushes()[0], (ParallelBrush{0, 1}));
    EXPECT_THAT(plot_.fitting(), ElementsAre(0, 1, 2));
    EXPECT_GE(changed.size(), 1);
    drag(plot_.place_of(2, 1) + QPointF(0, -3), plot_.place_of(2, 0) + QPointF(0, 3));
    EXPECT_THAT(plot_.fitting(), ElementsAre(0, 1)) << "at most about 2 ms";
    EXPECT_EQ(picked.size(), 0);
    QTest::mouseClick(&plot_, Qt::LeftButton, {}, plot_.place_of_value(0, 0).toPoint());
    EXPECT_EQ(plot_.brushes()[0], std::nullopt) << "a click on a brushed axis clears it";
    plot_.clear_brushes();
    EXPECT_THAT(plot_.fitting(), SizeIs(4));
}

TEST_F(ParallelPlotTest, LinesAreJaggedOnlyWhileABrushIsDragged) {
    const QPointF from = plot_.place_of_value(0, 1);
    const QPointF to = plot_.place_of_value(0, 0);
    QTest::mousePress(&plot_, Qt::LeftButton, {}, from.toPoint());
    QMouseEvent move(QEvent::MouseMove, to, plot_.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&plot_, &move);
    const QImage dragged = plot_.grab().toImage();
    QTest::mouseRelease(&plot_, Qt::LeftButton, {}, to.toPoint());
    const QImage released = plot_.grab().toImage();
    EXPECT_NE(dragged, released);
    plot_.set_brush(0, std::nullopt);
    plot_.set_brush(0, ParallelBrush{0, 1});
    EXPECT_EQ(plot_.grab().toImage(), released);
}

TEST_F(ParallelPlotTest, AClickOnAValueBrushesIt) {
    QTest::mouseClick(&plot_, Qt::LeftButton, {}, plot_.place_of_value(1, 1).toPoint());
    EXPECT_EQ(plot_.brushes()[1], (ParallelBrush{1, 1}));
    EXPECT_THAT(plot_.fitting(), ElementsAre(0, 2));
}

TEST_F(ParallelPlotTest, KeysBrushAndClear) {
    plot_.setFocus();
    press({Qt::Key_Right, Qt::Key_Up, Qt::Key_Space}); // the first key only shows where the keys are
    EXPECT_EQ(plot_.brushes()[0], (ParallelBrush{1, 1}));
    EXPECT_EQ(plot_.accessibleDescription().toStdString(), "tile: 16; Brushed: 2 of 4 configurations.");
    QTest::keyClick(&plot_, Qt::Key_Up, Qt::ShiftModifier);
    EXPECT_EQ(plot_.brushes()[0], (ParallelBrush{1, 2}));
    press({Qt::Key_Delete});
    EXPECT_EQ(plot_.brushes()[0], std::nullopt);
    press({Qt::Key_Right, Qt::Key_Right, Qt::Key_Right, Qt::Key_Up, Qt::Key_Space});
    ASSERT_TRUE(plot_.brushes()[2].has_value()) << "the last axis";
    EXPECT_EQ(plot_.brushes()[2]->low, 1);
    EXPECT_THAT(plot_.fitting(), ElementsAre(0)) << "all that are at most as slow";
    press({Qt::Key_Escape});
    EXPECT_FALSE(has_brush(plot_.brushes()));
}

TEST_F(ParallelPlotTest, KeysGoFromOneLineThatFitsToTheNext) {
    QSignalSpy picked(&plot_, &ParallelPlot::picked);
    plot_.set_brush(1, ParallelBrush{1, 1});
    press({Qt::Key_PageDown, Qt::Key_PageDown, Qt::Key_PageDown, Qt::Key_PageUp});
    ASSERT_EQ(picked.size(), 4);
    EXPECT_EQ(picked[0][0].toString(), QStringLiteral("a")) << "the best first";
    EXPECT_EQ(picked[1][0].toString(), QStringLiteral("c"));
    EXPECT_EQ(picked[2][0].toString(), QStringLiteral("c"));
    EXPECT_EQ(picked[3][0].toString(), QStringLiteral("a"));
}

TEST_F(ParallelPlotTest, TellsOfTheLineAndOfTheValueUnderTheMouse) {
    EXPECT_THAT(plot_.tooltip_at(plot_.place_between(0, 3)).toStdString(),
                HasSubstr("<b>d</b><br>time: 100"));
    const std::string value = plot_.tooltip_at(plot_.place_of_value(0, 1)).toStdString();
    EXPECT_THAT(value, HasSubstr("tile: <b>16</b><br>2 configurations<br>the fastest: 1.00"));
}

TEST_F(ParallelPlotTest, BrushesStayWhileTheAxesAreTheSame) {
    plot_.set_brush(0, ParallelBrush{1, 1});
    ParallelPicture picture = small_picture();
    picture.lines[3].measure = 200;
    plot_.set_picture(picture);
    EXPECT_TRUE(has_brush(plot_.brushes()));
    picture.axes[0].values[0] = QStringLiteral("4");
    plot_.set_picture(picture);
    EXPECT_FALSE(has_brush(plot_.brushes()));
}

TEST_F(ParallelPlotTest, PaintsInTheColoursOfTheTheme) {
    plot_.set_selected(QStringLiteral("c"));
    plot_.set_brush(1, ParallelBrush{1, 1});
    in_both_themes(plot_, QStringLiteral("parallel-small"), [&](const QImage& picture) {
        const Theme& theme = current_theme();
        EXPECT_GT(pixels_like(picture, theme.accent), 200) << "what is selected, and the brush";
        EXPECT_GT(pixels_like(picture, theme.text), 50);
        EXPECT_EQ(picture.pixelColor(2, picture.height() - 3), theme.surface);
    });
}

TEST_F(ParallelPlotTest, IsSavedAsPictureAndTable) {
    const QTemporaryDir folder;
    plot_.set_brush(1, ParallelBrush{1, 1});
    for (const char* suffix : {"png", "svg", "csv"}) {
        const QString path = folder.filePath(QStringLiteral("plot.") + QLatin1String(suffix));
        ASSERT_TRUE(save_picture(plot_.exported(), path).has_value()) << suffix;
        EXPECT_GT(QFile(path).size(), 50) << suffix;
    }
    EXPECT_EQ(plot_.exported().csv.count(u'\n'), 3) << "the title and what the brush leaves";
}

TEST_F(ParallelPlotTest, WithoutLinesItSaysWhy) {
    plot_.set_empty_text(QStringLiteral("nothing"));
    plot_.set_picture({});
    press({Qt::Key_Right, Qt::Key_Space, Qt::Key_PageDown});
    QTest::mouseClick(&plot_, Qt::LeftButton, {}, QPoint(100, 100));
    EXPECT_GT(pixels_like(plot_.grab().toImage(), current_theme().dim_text), 5);
}

/// As many as a real space has: to look at, and drawn all the same.
TEST_F(ParallelPlotTest, DrawsAWholeSpace) {
    ParallelPicture picture = small_picture();
    picture.axes.clear();
    picture.lines.clear();
    picture.places.clear();
    for (int axis = 0; axis < 10; ++axis) {
        ParallelAxis made{QStringLiteral("decision_%1").arg(axis), {}};
        for (int value = 0; value < 2 + axis % 6; ++value)
            made.values.push_back(QString::number(1 << value));
        picture.axes.push_back(made);
    }
    for (int line = 0; line < 18'000; ++line) {
        picture.lines.push_back({QString::number(line), std::pow(1.0003, line)});
        for (std::size_t axis = 0; axis < picture.axes.size(); ++axis) {
            const auto count = picture.axes[axis].values.size();
            const auto drawn = static_cast<std::size_t>(line) * (2 * axis + 7) / 11 % count;
            picture.places.push_back(
                static_cast<std::uint16_t>(axis == 3 && line < 4000 ? count - 1 : drawn));
        }
    }
    plot_.resize(900, 420);
    plot_.set_picture(picture);
    plot_.set_selected(QStringLiteral("17000"));
    EXPECT_EQ(plot_.selected(), QStringLiteral("17000")) << "though the sample need not have it";
    in_both_themes(plot_, QStringLiteral("parallel-plot"),
                   [&](const QImage& image) { EXPECT_GT(pixels_like(image, current_theme().accent), 200); });
    plot_.set_brush(3, ParallelBrush{0, 1});
    const QImage draft = plot_.grab().toImage();
    EXPECT_FALSE(plot_.is_settled()) << "the window answers while the lines are drawn smoothly";
    ASSERT_TRUE(QTest::qWaitFor([&] { return plot_.is_settled(); }));
    EXPECT_NE(plot_.grab().toImage(), draft);
    in_both_themes(plot_, QStringLiteral("parallel-brushed"), [](const QImage&) {});
}

} // namespace
} // namespace sparsight
