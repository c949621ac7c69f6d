#include "widgets/look/screenshot.h"

#include "widgets/chart/chart.h"
#include "widgets/chart/chart_view.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QFile>
#include <QMenu>
#include <QScatterSeries>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QToolButton>
#include <QWheelEvent>
#include <QXYSeries>
#include <cmath>
#include <gmock/gmock.h>
#include <random>

namespace sparsight {
namespace {

BarSeries speedups(int count) {
    BarSeries series{.name = QStringLiteral("measured"), .baseline = 1};
    for (int i = 0; i < count; ++i) {
        const double value = 3.2 * std::exp(-3.2 * i / count) + 0.15;
        series.bars.push_back({.value = value,
                               .label = QStringLiteral("schedule %1").arg(i),
                               .colour = value >= 1 ? ChartColour::Win : ChartColour::Lose,
                               .hatched = count < 100 && i % 5 == 3,
                               .key = i});
    }
    return series;
}

LineSeries curve(const QString& name, ChartColour colour, std::size_t count, double offset) {
    LineSeries line{.name = name, .colour = colour, .smoothing = 40, .key = name};
    std::mt19937 random(static_cast<unsigned>(count));
    std::normal_distribution<double> noise(0, 0.08);
    for (std::size_t i = 0; i < count; ++i) {
        line.x.push_back(static_cast<double>(i));
        line.y.push_back(offset +
                         std::exp(-3.0 * static_cast<double>(i) / static_cast<double>(count)) *
                             (1 + noise(random)) +
                         0.1 * noise(random) + 0.1);
    }
    return line;
}

class ChartTest : public ::testing::Test {
protected:
    ChartTest() {
        apply_theme(*qApp, ThemeChoice::Light);
        chart.resize(640, 400);
    }

    void show_bars(int count) {
        chart.set_x_axis({.title = QStringLiteral("schedules, fastest first")});
        chart.set_y_axis({.title = QStringLiteral("speedup over fixed CSR"), .format = ValueFormat::Speedup});
        chart.set_bars(speedups(count));
        chart.set_reference(1, QStringLiteral("fixed CSR"));
        show();
    }

    void show_lines(std::size_t count = 2000) {
        chart.set_x_axis({.title = QStringLiteral("step"), .format = ValueFormat::Count});
        chart.set_y_axis({.title = QStringLiteral("loss")});
        chart.set_lines({curve(QStringLiteral("train"), ChartColour::Series1, count, 0),
                         curve(QStringLiteral("validation"), ChartColour::Series2, count, 0.15)});
        show();
    }

    void show() {
        chart.show();
        static_cast<void>(QTest::qWaitForWindowExposed(&chart));
    }

    [[nodiscard]] const ChartTransform& transform() const { return chart.view()->chart_layout().transform; }
    [[nodiscard]] QWidget* surface() const { return chart.view()->viewport(); }

    [[nodiscard]] QPoint on_bar(int bar, double y) const {
        return QPointF(transform().pixel_x(bar + 0.5), transform().pixel_y(y)).toPoint();
    }

    void wheel(const QPoint& place, int turns, Qt::KeyboardModifiers keys = {}) {
        QWheelEvent event(place, surface()->mapToGlobal(place), {}, {0, 120 * turns}, Qt::NoButton, keys,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(surface(), &event);
    }

    Chart chart;
};

TEST_F(ChartTest, AClickOnABarPicksItsKeyAboveTheBarToo) {
    show_bars(20);
    QSignalSpy picked(&chart, &Chart::picked);
    QTest::mouseClick(surface(), Qt::LeftButton, {}, on_bar(3, 1.2));
    QTest::mouseClick(surface(), Qt::LeftButton, {}, on_bar(17, 2.8));
    ASSERT_EQ(picked.count(), 2);
    EXPECT_EQ(picked.at(0).at(0).value<QVariant>().toInt(), 3);
    EXPECT_EQ(picked.at(1).at(0).value<QVariant>().toInt(), 17);
}

TEST_F(ChartTest, BarsAreBlueAboveTheReferenceAndOrangeBelow) {
    show_bars(20);
    const QImage picture = chart.grab().toImage();
    EXPECT_EQ(picture.pixelColor(on_bar(1, 1.5) * picture.devicePixelRatio()), light_theme().win);
    EXPECT_EQ(picture.pixelColor(on_bar(19, 0.6) * picture.devicePixelRatio()), light_theme().lose);
    EXPECT_EQ(picture.pixelColor(on_bar(19, 1.62) * picture.devicePixelRatio()), light_theme().surface);
}

TEST_F(ChartTest, ThousandsOfBarsArePaintedFast) {
    show_bars(5000);
    static_cast<void>(chart.grab());
    QElapsedTimer timer;
    timer.start();
    const QImage picture = chart.grab().toImage();
    // No assertion on the time: it goes into the report.
    RecordProperty("milliseconds", static_cast<int>(timer.elapsed()));
    EXPECT_GT(pixels_like(picture, light_theme().win), 5000);
    EXPECT_GT(pixels_like(picture, light_theme().lose), 5000);
    QSignalSpy picked(&chart, &Chart::picked);
    QTest::mouseClick(surface(), Qt::LeftButton, {}, on_bar(2500, 1.1));
    ASSERT_EQ(picked.count(), 1);
    EXPECT_NEAR(picked.at(0).at(0).value<QVariant>().toInt(), 2500, 10) << "to the pixel";
}

TEST_F(ChartTest, TheSelectedBarIsMarked) {
    show_bars(20);
    const QImage before = chart.grab().toImage();
    chart.set_selected(4);
    EXPECT_EQ(chart.selected().toInt(), 4);
    const QImage after = chart.grab().toImage();
    EXPECT_GT(pixels_like(after, light_theme().text), pixels_like(before, light_theme().text) + 100);
    chart.set_selected({});
    EXPECT_EQ(chart.grab().toImage(), before);
}

TEST_F(ChartTest, WheelZoomsAtTheCursorAndADoubleClickResets) {
    show_lines();
    const QPoint place = transform().area.center().toPoint() + QPoint(60, 20);
    const double x = transform().value_x(place.x());
    const double y = transform().value_y(place.y());
    wheel(place, 3);
    EXPECT_TRUE(chart.is_zoomed());
    EXPECT_LT(transform().x.high - transform().x.low, 1500);
    EXPECT_NEAR(transform().value_x(place.x()), x, 5);
    EXPECT_NEAR(transform().value_y(place.y()), y, 0.01);
    QTest::mouseDClick(surface(), Qt::LeftButton, {}, place);
    EXPECT_FALSE(chart.is_zoomed());
}

TEST_F(ChartTest, OnAPageThatScrollsTheWheelScrollsAndZoomsWithControlAlone) {
    show_lines();
    QScrollArea page;
    auto* const tall = new QWidget;
    tall->setFixedSize(600, 3000);
    chart.setParent(tall);
    page.setWidget(tall);
    page.resize(620, 400);
    page.show();
    chart.show();
    QCoreApplication::processEvents();
    const QPoint place = transform().area.center().toPoint();
    wheel(place, 3);
    EXPECT_FALSE(chart.is_zoomed());
    wheel(place, 3, Qt::ControlModifier);
    EXPECT_TRUE(chart.is_zoomed());
    chart.setParent(nullptr);
}

/// Pages hand over what they show with every event of a training.
TEST_F(ChartTest, AnAxisThatIsSetAgainKeepsTheZoomAndTheScaleThatTheUserChose) {
    ChartAxis up;
    up.title = QStringLiteral("loss");
    chart.set_y_axis(up);
    show_lines();
    chart.set_y_logarithmic(true);
    wheel(transform().area.center().toPoint(), 3);
    const ChartScale x = transform().x;
    const ChartScale y = transform().y;
    chart.set_y_axis(up);
    EXPECT_TRUE(chart.view()->content().y.logarithmic);
    EXPECT_EQ(transform().x, x);
    EXPECT_EQ(transform().y, y);
    up.maximum = 20; // there is more of the same
    chart.set_y_axis(up);
    EXPECT_EQ(transform().x, x);
    up.title = QStringLiteral("accuracy");
    chart.set_y_axis(up);
    EXPECT_FALSE(chart.is_zoomed()) << "it shows something else";
}

TEST_F(ChartTest, WheelOverAnAxisZoomsOnlyThatAxis) {
    show_lines();
    const ChartScale y = transform().y;
    wheel({static_cast<int>(transform().area.center().x()), static_cast<int>(transform().area.bottom()) + 10},
          2);
    EXPECT_EQ(transform().y, y);
    const ChartScale x = transform().x;
    wheel({static_cast<int>(transform().area.left()) - 10, static_cast<int>(transform().area.center().y())},
          2);
    EXPECT_EQ(transform().x, x);
    EXPECT_NE(transform().y, y);
}

TEST_F(ChartTest, BarsZoomOnlyAlongTheirAxis) {
    show_bars(500);
    const ChartScale y = transform().y;
    wheel(transform().area.center().toPoint(), 4);
    EXPECT_TRUE(chart.is_zoomed());
    EXPECT_EQ(transform().y, y);
}

TEST_F(ChartTest, DraggingMovesAZoomedChartWithoutPicking) {
    show_bars(500);
    const QPoint place = transform().area.center().toPoint();
    wheel(place, 5);
    QSignalSpy picked(&chart, &Chart::picked);
    const double low = transform().x.low;
    const double extent = transform().x.high - low;
    QTest::mousePress(surface(), Qt::LeftButton, {}, place);
    QTest::mouseMove(surface(), place - QPoint(50, 0));
    QTest::mouseMove(surface(), place - QPoint(100, 0));
    QTest::mouseRelease(surface(), Qt::LeftButton, {}, place - QPoint(100, 0));
    EXPECT_NEAR(transform().x.low - low, extent * 100 / transform().area.width(), 0.5);
    EXPECT_EQ(picked.count(), 0);
}

TEST_F(ChartTest, ShiftAndDraggingZoomsIntoABox) {
    show_lines();
    const QPoint from = transform().area.center().toPoint();
    const QPoint to = from + QPoint(80, 60);
    const double left = transform().value_x(from.x());
    const double right = transform().value_x(to.x());
    const double top = transform().value_y(from.y());
    QTest::mousePress(surface(), Qt::LeftButton, Qt::ShiftModifier, from);
    QTest::mouseMove(surface(), to);
    QTest::mouseRelease(surface(), Qt::LeftButton, Qt::ShiftModifier, to);
    EXPECT_NEAR(transform().x.low, left, 1e-6);
    EXPECT_NEAR(transform().x.high, right, 1e-6);
    EXPECT_NEAR(transform().y.high, top, 1e-9);
}

TEST_F(ChartTest, KeysZoomAndMove) {
    show_lines();
    chart.setFocus();
    QTest::keyClick(chart.view(), Qt::Key_Plus);
    ASSERT_TRUE(chart.is_zoomed());
    const double low = transform().x.low;
    QTest::keyClick(chart.view(), Qt::Key_Right);
    EXPECT_GT(transform().x.low, low);
    QTest::keyClick(chart.view(), Qt::Key_0);
    EXPECT_FALSE(chart.is_zoomed());
}

TEST_F(ChartTest, AZoomSurvivesLiveDataOfTheSameKind) {
    show_lines(1000);
    wheel(transform().area.center().toPoint(), 4);
    const ChartScale x = transform().x;
    chart.set_lines({curve(QStringLiteral("train"), ChartColour::Series1, 1200, 0)});
    EXPECT_EQ(transform().x, x);
    chart.set_histogram({.edges = {0, 1, 2}, .counts = {1, 2}});
    EXPECT_FALSE(chart.is_zoomed());
}

TEST_F(ChartTest, AnUnzoomedChartFollowsLiveData) {
    show_lines(1000);
    chart.set_lines({curve(QStringLiteral("train"), ChartColour::Series1, 5000, 0)});
    EXPECT_GT(transform().x.high, 4990);
    EXPECT_FALSE(chart.is_zoomed());
}

TEST_F(ChartTest, QtChartsGetsNoMorePointsThanPixelsNeed) {
    show_lines(200'000);
    const auto series = chart.view()->drawn_series();
    ASSERT_EQ(series.size(), 4U) << "raw and smooth of two lines";
    for (const QXYSeries* const one : series) {
        EXPECT_LE(one->count(),
                  4 * (static_cast<int>(transform().area.width() * chart.devicePixelRatioF()) + 3));
        EXPECT_GT(one->count(), 500);
    }
    EXPECT_LT(series[0]->pen().widthF(), series[1]->pen().widthF()) << "the smooth line is the thick one";
}

TEST_F(ChartTest, MutedPointsLieBelowTheOthersAndAreSmaller) {
    ScatterSeries first{.name = QStringLiteral("first")};
    first.points = {{.x = 1, .y = 1}, {.x = 2, .y = 2, .muted = true}};
    ScatterSeries second{.name = QStringLiteral("second"), .colour = ChartColour::Series2};
    second.points = {{.x = 3, .y = 3, .muted = true}};
    chart.set_points({first, second});
    const auto drawn = chart.view()->drawn_series();
    ASSERT_EQ(drawn.size(), 4U) << "of each series its points and its muted ones";
    for (const std::size_t place : {0U, 1U}) {
        EXPECT_EQ(drawn[place]->points().size(), 1);
        EXPECT_LT(drawn[place]->markerSize(), drawn[2]->markerSize());
    }
    EXPECT_EQ(drawn[2]->points(), (QList<QPointF>{{1, 1}}));
}

TEST_F(ChartTest, DotsOfACrowdAreSmallAndLetOthersBeSeen) {
    ScatterSeries few{.name = QStringLiteral("few")};
    few.points = {{.x = 1, .y = 1, .edge = ChartColour::Lose}};
    chart.set_points({few});
    const double alone = chart.view()->drawn_series()[1]->markerSize();
    ScatterSeries crowd{.name = QStringLiteral("crowd")};
    for (int i = 0; i < 1000; ++i)
        crowd.points.push_back({.x = i % 7 + 1.0, .y = i % 11 + 1.0, .edge = ChartColour::Lose});
    chart.set_points({crowd});
    const auto* const drawn = qobject_cast<const QScatterSeries*>(chart.view()->drawn_series()[1]);
    ASSERT_TRUE(drawn);
    EXPECT_LT(drawn->markerSize(), alone);
    EXPECT_LT(drawn->brush().color().alphaF(), 0.9F);
    EXPECT_EQ(drawn->brush().color().rgb(), light_theme().lose.rgb())
        << "what lies on the edge of a large dot";
}

TEST_F(ChartTest, TheLegendHidesASeriesOnAClick) {
    show_lines();
    const auto& legend = chart.view()->chart_layout().legend;
    ASSERT_EQ(legend.size(), 2U);
    const QPoint second = legend[1].rect.center().toPoint();
    const int before = pixels_like(chart.grab().toImage(), light_theme().series[1], 30);
    QTest::mouseClick(surface(), Qt::LeftButton, {}, second);
    EXPECT_FALSE(chart.view()->content().shown(1));
    EXPECT_LT(pixels_like(chart.grab().toImage(), light_theme().series[1], 30), before / 4);
    QTest::mouseClick(surface(), Qt::LeftButton, {}, second);
    EXPECT_TRUE(chart.view()->content().shown(1));
}

TEST_F(ChartTest, HoverTellsValuesAndLeavingForgetsThem) {
    show_bars(20);
    QTest::mouseMove(surface(), on_bar(2, 1.5));
    ASSERT_TRUE(QTest::qWaitFor([this] { return chart.view()->hover().has_value(); }, 2000));
    EXPECT_EQ(chart.view()->hover()->title, QStringLiteral("schedule 2"));
    EXPECT_EQ(surface()->cursor().shape(), Qt::PointingHandCursor);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(surface(), &leave);
    EXPECT_FALSE(chart.view()->hover().has_value());
}

TEST_F(ChartTest, AnEmptyChartSaysWhatToDo) {
    chart.set_empty_text(QStringLiteral("Measure some schedules."));
    show();
    EXPECT_GT(pixels_like(chart.grab().toImage(), light_theme().dim_text, 40), 50);
    QTest::mouseClick(surface(), Qt::LeftButton, {}, QPoint(300, 200));
    wheel({300, 200}, 3);
    EXPECT_FALSE(chart.is_zoomed());
}

TEST_F(ChartTest, AnEmptyPlaceSaysWhyItIsEmpty) {
    BarSeries bars;
    bars.bars = {Bar{.value = 1, .label = QStringLiteral("a")},
                 Bar{.value = std::numeric_limits<double>::quiet_NaN(), .label = QStringLiteral("b")}};
    chart.set_bars(bars);
    show();
    const QImage before = chart.grab().toImage();
    bars.bars[0].absence = QStringLiteral("failed");
    chart.set_bars(bars);
    EXPECT_EQ(chart.grab().toImage(), before) << "this one has a value";
    bars.bars[1].absence = QStringLiteral("failed");
    chart.set_bars(bars);
    EXPECT_NE(chart.grab().toImage(), before);
}

TEST_F(ChartTest, TheMenuSwitchesToALogarithmicAxis) {
    show_bars(20);
    QMenu* const menu = chart.findChild<QToolButton*>()->menu();
    Q_EMIT menu->aboutToShow();
    const auto actions = menu->actions();
    const auto y = std::find_if(actions.begin(), actions.end(),
                                [](const QAction* action) { return action->isCheckable(); });
    ASSERT_NE(y, actions.end());
    (*y)->trigger();
    EXPECT_TRUE(transform().y.logarithmic);
    (*y)->trigger();
    EXPECT_FALSE(transform().y.logarithmic);
}

TEST_F(ChartTest, ExportsAreLightEvenFromADarkWindow) {
    show_bars(20);
    apply_theme(*qApp, ThemeChoice::Dark);
    QCoreApplication::processEvents();
    chart.set_selected(3);
    const QImage before = chart.grab().toImage();
    const QImage exported = chart_image(*chart.view());
    EXPECT_EQ(exported.size(), chart.size() * 2);
    EXPECT_EQ(exported.pixelColor(3, 3), light_theme().surface);
    EXPECT_GT(pixels_like(exported, light_theme().win), 5000);
    EXPECT_EQ(pixels_like(exported, dark_theme().win, 2), 0);
    EXPECT_EQ(chart.grab().toImage(), before) << "the window itself stays as it was";
    apply_theme(*qApp, ThemeChoice::Light);
}

TEST_F(ChartTest, WritesPngSvgAndCsv) {
    show_bars(20);
    const QTemporaryDir folder;
    const QString png = folder.filePath(QStringLiteral("a.png"));
    const QString svg = folder.filePath(QStringLiteral("a.svg"));
    const QString csv = folder.filePath(QStringLiteral("a.csv"));
    ASSERT_TRUE(chart.write(png).has_value());
    ASSERT_TRUE(chart.write(svg).has_value());
    ASSERT_TRUE(chart.write(csv).has_value());
    EXPECT_EQ(QImage(png).width(), 1280);
    QSvgRenderer renderer(svg);
    ASSERT_TRUE(renderer.isValid());
    QImage drawn(chart.size(), QImage::Format_RGB32);
    QPainter painter(&drawn);
    renderer.render(&painter);
    painter.end();
    EXPECT_GT(pixels_like(drawn, light_theme().win), 3000);
    QFile file(csv);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll().count('\n'), 21);
    EXPECT_EQ(chart.write(folder.filePath(QStringLiteral("a.gif"))).error().right(36),
              QStringLiteral("does not end in .png, .svg or .csv.").rightJustified(36));
    EXPECT_FALSE(chart.write(QStringLiteral("/nowhere/a.png")).has_value());
}

TEST_F(ChartTest, CopiesItsPicture) {
    show_bars(20);
    chart.copy_image();
    EXPECT_EQ(QGuiApplication::clipboard()->image().width(), 1280);
}

TEST_F(ChartTest, SwitchingTheThemeRepaintsAtOnce) {
    show_lines();
    apply_theme(*qApp, ThemeChoice::Dark);
    QCoreApplication::processEvents();
    const QImage picture = chart.grab().toImage();
    EXPECT_GT(pixels_like(picture, dark_theme().surface), 50'000);
    EXPECT_GT(pixels_like(picture, dark_theme().series[0], 20), 200);
    apply_theme(*qApp, ThemeChoice::Light);
}

void expect_something(const QImage& picture) {
    EXPECT_GT(pixels_like(picture, current_theme().surface), 20'000);
}

TEST_F(ChartTest, LooksRightInBothThemes) {
    show_bars(24);
    chart.set_selected(4);
    QTest::mouseMove(surface(), on_bar(8, 1.5));
    QTest::qWait(20);
    in_both_themes(chart, QStringLiteral("chart-bars"), expect_something);
    show_bars(3000);
    chart.set_selected(1200);
    in_both_themes(chart, QStringLiteral("chart-many-bars"), expect_something);
    chart.set_y_logarithmic(true);
    in_both_themes(chart, QStringLiteral("chart-many-bars-log"), expect_something);

    chart.clear_reference();
    chart.set_selected({});
    show_lines();
    chart.set_title(QStringLiteral("Meta-training"));
    QTest::mouseMove(surface(), transform().area.center().toPoint());
    QTest::qWait(20);
    in_both_themes(chart, QStringLiteral("chart-lines"), expect_something);
    chart.set_title({});

    Histogram histogram{.name = QStringLiteral("rows")};
    for (int i = 0; i <= 40; ++i)
        histogram.edges.push_back(5.0 * i);
    for (int i = 0; i < 40; ++i)
        histogram.counts.push_back(std::round(60'000 * std::exp(-0.02 * (i - 12) * (i - 12))));
    chart.set_x_axis({.title = QStringLiteral("entries in a row"), .format = ValueFormat::Count});
    chart.set_y_axis({.title = QStringLiteral("rows"), .format = ValueFormat::Count});
    chart.set_histogram(histogram);
    in_both_themes(chart, QStringLiteral("chart-histogram"), expect_something);

    ScatterSeries cloud{.name = QStringLiteral("matrices")};
    std::mt19937 random(4);
    std::lognormal_distribution<double> spread(0, 1);
    for (int i = 0; i < 300; ++i)
        cloud.points.push_back({.x = 0.1 * spread(random),
                                .y = 1e6 * spread(random),
                                .label = QStringLiteral("m%1").arg(i),
                                .key = i});
    ScatterSeries second = cloud;
    second.name = QStringLiteral("simulated");
    second.colour = ChartColour::Series2;
    second.points.resize(60);
    for (ScatterPoint& point : second.points)
        point.y *= 3;
    chart.set_x_axis({.title = QStringLiteral("time"), .logarithmic = true, .format = ValueFormat::Duration});
    chart.set_y_axis({.title = QStringLiteral("storage"), .logarithmic = true, .format = ValueFormat::Bytes});
    chart.set_points({cloud, second});
    chart.set_selected(17);
    in_both_themes(chart, QStringLiteral("chart-points"), expect_something);

    chart.set_x_axis({});
    chart.set_selected({});
    chart.set_y_axis({.title = QStringLiteral("time"), .format = ValueFormat::Duration});
    BarSeries first{.name = QStringLiteral("laptop")};
    BarSeries other{.name = QStringLiteral("server (simulated)")};
    for (int i = 0; i < 5; ++i) {
        first.bars.push_back({.value = 1.0 + i,
                              .label = QStringLiteral("matrix %1").arg(i),
                              .colour = ChartColour::Series1,
                              .spread = 0.3});
        other.bars.push_back({.value = 0.7 + 0.8 * i,
                              .label = QStringLiteral("matrix %1").arg(i),
                              .colour = ChartColour::Series2,
                              .hatched = true});
    }
    chart.set_series({first, other});
    in_both_themes(chart, QStringLiteral("chart-groups"), expect_something);
    chart.clear();
    in_both_themes(chart, QStringLiteral("chart-empty"), expect_something);
}

} // namespace
} // namespace sparsight
