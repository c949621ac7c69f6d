// Limits, exported values, what is under the mouse, where texts stand.
#include "widgets/chart/chart_content.h"
#include "widgets/chart/chart_hover.h"
#include "widgets/chart/chart_layout.h"

#include <QFontMetricsF>
#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

const NumberStyle plain{};
const double unknown = std::nan("");

BarSeries bars_of(std::initializer_list<double> values, double baseline = 0) {
    BarSeries series;
    series.baseline = baseline;
    for (const double value : values)
        series.bars.push_back({.value = value, .key = static_cast<int>(series.bars.size())});
    return series;
}

ChartContent line_content() {
    ChartContent content;
    content.x = {.title = QStringLiteral("step")};
    content.y = {.title = QStringLiteral("loss")};
    content.set_series(
        {LineSeries{.name = QStringLiteral("train"), .x = {2, 0, 1}, .y = {30, 10, unknown}, .key = 7},
         LineSeries{
             .name = QStringLiteral("validation"), .x = {0, 1, 2}, .y = {20, 20, 20}, .smoothing = 3}});
    return content;
}

TEST(ChartSeries, OfBarsHasTheColourOfThoseThatDoNotLose) {
    Bar loser;
    loser.colour = ChartColour::Lose;
    Bar winner;
    winner.colour = ChartColour::Series2;
    EXPECT_EQ(colour_of(BarSeries{{}, {loser, winner}, 1}), ChartColour::Series2);
    EXPECT_EQ(colour_of(BarSeries{{}, {loser}, 1}), ChartColour::Lose);
    EXPECT_EQ(colour_of(BarSeries{}), ChartColour::Accent);
}

TEST(ChartContent, PutsLinesInOrder) {
    const ChartContent content = line_content();
    EXPECT_THAT(std::get<LineSeries>(content.series[0]).x, ElementsAre(0, 1, 2));
    EXPECT_EQ(std::get<LineSeries>(content.series[0]).y[2], 30);
    EXPECT_THAT(content.smooth[0], SizeIs(0));
    EXPECT_THAT(content.smooth[1], ElementsAre(20, 20, 20));
}

TEST(ChartContent, KeepsABandWithItsLine) {
    ChartContent content;
    content.set_series({LineSeries{.x = {2, 1}, .y = {5, 4}, .low = {4.5, 2}, .high = {9, 4.5}},
                        LineSeries{.x = {1, 2}, .y = {5, 4}, .low = {4}, .high = {6, 5}}});
    const auto& line = std::get<LineSeries>(content.series[0]);
    EXPECT_THAT(line.x, ElementsAre(1, 2));
    EXPECT_THAT(line.low, ElementsAre(2, 4.5));
    EXPECT_THAT(line.high, ElementsAre(4.5, 9));
    EXPECT_LE(y_limits(content).low, 2);
    EXPECT_GE(y_limits(content).high, 9);
    EXPECT_TRUE(std::get<LineSeries>(content.series[1]).low.empty()) << "half a band is none";
}

TEST(ChartContent, IsEmptyWithoutAValueThatCanBeDrawn) {
    ChartContent content;
    EXPECT_TRUE(content.empty());
    content.set_series({LineSeries{.x = {1}, .y = {unknown}}, ScatterSeries{}, BarSeries{}, Histogram{}});
    EXPECT_TRUE(content.empty());
    content.set_series({LineSeries{.x = {1}, .y = {2}}});
    EXPECT_FALSE(content.empty());
}

TEST(ChartLimits, HoldTheReferenceAndWhatIsShown) {
    ChartContent content;
    content.set_series({bars_of({2, 3}, 1), bars_of({10}, 1)});
    content.reference = ReferenceLine{1, {}};
    EXPECT_EQ(x_limits(content), (ChartScale{false, 0, 2}));
    EXPECT_GT(y_limits(content).high, 10);
    content.hidden.insert(1);
    EXPECT_LT(y_limits(content).high, 4);
    EXPECT_LT(y_limits(content).low, 1);
    content.y.minimum = 0;
    content.y.maximum = 5;
    EXPECT_EQ(y_limits(content), (ChartScale{false, 0, 5}));
}

TEST(ChartCsv, HasAllValuesInFull) {
    EXPECT_EQ(chart_csv(line_content()).toStdString(),
              "series,label,step,loss\r\ntrain,,0,10\r\ntrain,,1,\r\ntrain,,2,30\r\nvalidation,,0,"
              "20\r\nvalidation,,1,20\r\nvalidation,,2,20\r\n");
    ChartContent content;
    content.y = {.title = QStringLiteral("time"), .unit = QStringLiteral("ms")};
    content.set_series({BarSeries{.name = QStringLiteral("m"),
                                  .bars = {{.value = 0.1, .label = QStringLiteral("a,b"), .spread = 0.01}}}});
    EXPECT_EQ(chart_csv(content).toStdString(), "series,label,time [ms],spread\r\nm,\"a,b\",0.1,0.01\r\n");
    content.x = {.title = QStringLiteral("entries")};
    content.y = {.title = QStringLiteral("rows")};
    content.set_series({Histogram{.edges = {0, 1, 2}, .counts = {5, 6}}});
    EXPECT_EQ(chart_csv(content).toStdString(),
              "series,entries from,entries below,rows\r\n,0,1,5\r\n,1,2,6\r\n");
}

TEST(ChartContent, ExportsWhatStandsAmongBarsByTheirNames) {
    ChartContent content;
    content.y = {.title = QStringLiteral("tau")};
    BarSeries bars{.name = QStringLiteral("simulated")};
    bars.bars = {{.value = 0.5, .label = QStringLiteral("a")}, {.value = 0.25, .label = QStringLiteral("b")}};
    content.set_series({bars,
                        ScatterSeries{.name = QStringLiteral("again"), .points = {{.x = 1.5, .y = 0.75}}},
                        LineSeries{.name = QStringLiteral("line"), .x = {0.5}, .y = {1}}});
    EXPECT_EQ(
        chart_csv(content).toStdString(),
        "series,label,tau,spread\r\nsimulated,a,0.5,\r\nsimulated,b,0.25,\r\nagain,b,0.75,\r\nline,a,1,\r\n");
}

const ChartTransform square{{false, 0, 2}, {false, 0, 40}, QRectF(0, 0, 200, 400)};

TEST(HoverAt, TellsTheValuesOfAllLinesAtTheNearestStep) {
    const auto hover = hover_at(line_content(), square, {195, 110}, plain);
    ASSERT_TRUE(hover.has_value());
    EXPECT_EQ(hover->title, QStringLiteral("step: 2"));
    ASSERT_THAT(hover->lines, SizeIs(2));
    EXPECT_EQ(hover->lines[0].text, QStringLiteral("train: 30.0"));
    EXPECT_EQ(hover->lines[1].text, QStringLiteral("validation: 20.0 (20.0)"));
    EXPECT_EQ(hover->place, QPointF(200, 100)) << "the line that is nearest";
    EXPECT_EQ(hover->key.toInt(), 7);
    EXPECT_FALSE(hover_at(line_content(), square, {195, 300}, plain)->key.isValid())
        << "too far from a line to pick it";
}

TEST(HoverAt, ReadsHeldLinesBetweenTheirPointsAndNamesTheMarksThere) {
    ChartContent content;
    content.set_series(
        {LineSeries{.name = QStringLiteral("steps"),
                    .x = {0, 0.5, 1, 1.5, 2},
                    .y = {5, 4, 3, 2, 1},
                    .is_held = true},
         LineSeries{.name = QStringLiteral("epochs"), .x = {0.5, 2}, .y = {30, 20}, .is_held = true},
         LineSeries{.name = QStringLiteral("ended"), .x = {0, 0.5}, .y = {9, 8}, .is_held = true},
         LineSeries{.name = QStringLiteral("points"), .x = {0.5, 2}, .y = {7, 7}},
         ScatterSeries{.name = QStringLiteral("best"), .points = {{.x = 1, .y = 3}}, .is_mark = true}});
    const auto hover = hover_at(content, square, {101, 365}, plain);
    ASSERT_TRUE(hover.has_value());
    std::vector<std::string> texts;
    for (const HoverLine& line : hover->lines)
        texts.push_back(line.text.toStdString());
    EXPECT_THAT(texts, ElementsAre("steps: 3.00", "epochs: 30.0", "best"));
}

TEST(HoverAt, FindsNothingOutsideOfTheArea) {
    EXPECT_FALSE(hover_at(line_content(), square, {-1, 10}, plain).has_value());
    EXPECT_FALSE(hover_at(ChartContent(), square, {10, 10}, plain).has_value());
}

TEST(HoverAt, SpeedupsComeWithTheirPercentage) {
    ChartContent content;
    content.y.format = ValueFormat::Speedup;
    content.set_series({BarSeries{.name = {},
                                  .bars = {{.value = 1.24,
                                            .label = QStringLiteral("tiled"),
                                            .key = 5,
                                            .note = QStringLiteral("simulated")}},
                                  .baseline = 1}});
    const auto hover =
        hover_at(content, {{false, 0, 1}, {false, 0, 2}, QRectF(0, 0, 100, 100)}, {50, 5}, plain);
    ASSERT_TRUE(hover.has_value());
    EXPECT_EQ(hover->title, QStringLiteral("tiled"));
    EXPECT_EQ(hover->lines[0].text, QStringLiteral("1.24×"));
    EXPECT_EQ(hover->lines[1].text, QStringLiteral("+24\u00A0%"));
    EXPECT_EQ(hover->lines[2].text, QStringLiteral("simulated"));
    EXPECT_EQ(hover->key.toInt(), 5);
}

TEST(HoverAt, FindsThePointWithinReach) {
    ChartContent content;
    content.set_series(
        {ScatterSeries{.points = {{.x = 1, .y = 20, .label = QStringLiteral("pwtk"), .key = 3}}}});
    const auto hover = hover_at(content, square, {108, 205}, plain);
    ASSERT_TRUE(hover.has_value());
    EXPECT_EQ(hover->title, QStringLiteral("pwtk"));
    EXPECT_EQ(hover->key.toInt(), 3);
    EXPECT_FALSE(hover_at(content, square, {150, 205}, plain).has_value());
}

TEST(HoverAt, FindsTheBinOfAHistogram) {
    ChartContent content;
    content.x.format = ValueFormat::Count;
    content.y.format = ValueFormat::Count;
    content.set_series({Histogram{.name = QStringLiteral("rows"), .edges = {0, 1, 2}, .counts = {5, 6'000}}});
    auto hover = hover_at(content, square, {150, 5}, plain);
    ASSERT_TRUE(hover.has_value());
    EXPECT_EQ(hover->title, QStringLiteral("1"));
    EXPECT_EQ(hover->lines[0].text, QStringLiteral("rows: 6\u202F000"));
    content.set_series({Histogram{.edges = {0, 1, 4}, .counts = {5, 6}}});
    hover = hover_at(content, square, {150, 5}, plain);
    EXPECT_EQ(hover->title, QStringLiteral("1 – 3")) << "the upper edge is in the next bin";
}

TEST(ChartLayoutOf, AnySizeKeepsTextInsideAndApart) {
    ChartFonts fonts;
    ChartContent content = line_content();
    content.title = QStringLiteral("Loss of the model");
    const QFontMetricsF metrics(fonts.caption);
    for (const ValueFormat format :
         {ValueFormat::Count, ValueFormat::Bytes, ValueFormat::Duration, ValueFormat::Number})
        for (const double high : {1.0, 37.0, 1e6, 1.234e9})
            for (const QSizeF size : {QSizeF(200, 150), QSizeF(400, 300), QSizeF(1600, 900)}) {
                content.x.format = format;
                content.y.format = format;
                const auto layout =
                    lay_out_chart(content, {false, 0, high}, {false, 0, high}, size, {30, 30}, fonts, plain);
                const QRectF all(QPointF(), size);
                double right = -1;
                for (const PlacedTick& tick : layout.x_ticks) {
                    EXPECT_TRUE(all.contains(tick.label_rect)) << high << ' ' << size.width();
                    EXPECT_GE(tick.label_rect.width() + 1e-6, metrics.horizontalAdvance(tick.label));
                    EXPECT_GT(tick.label_rect.left(), right) << "labels do not run into each other";
                    right = tick.label_rect.right();
                }
                for (const PlacedTick& tick : layout.y_ticks) {
                    EXPECT_TRUE(all.contains(tick.label_rect)) << high << ' ' << size.width();
                    EXPECT_GE(tick.label_rect.width() + 1e-6, metrics.horizontalAdvance(tick.label));
                    EXPECT_LE(tick.label_rect.right(), layout.transform.area.left());
                }
                EXPECT_THAT(layout.legend, SizeIs(2));
                for (const QRectF& part :
                     {layout.title, layout.x_title, layout.y_title, layout.legend[0].rect,
                      layout.legend[1].rect, layout.transform.area})
                    EXPECT_TRUE(all.contains(part)) << size.width();
                EXPECT_GT(layout.transform.area.height(), 10);
            }
}

TEST(ChartLayoutOf, ASmallChartHasTwoLabelsAtLeast) {
    const ChartFonts fonts;
    ChartContent content = line_content();
    content.y.format = ValueFormat::Percent;
    for (const auto& [low, high] : {std::pair{0.49, 0.78}, {0.003, 0.0091}, {0.51, 0.59}}) {
        const auto layout =
            lay_out_chart(content, {false, 0, 9}, {false, low, high}, {300, 150}, {}, fonts, plain);
        ASSERT_GE(layout.y_ticks.size(), 2U) << low;
        for (std::size_t i = 1; i < layout.y_ticks.size(); ++i)
            EXPECT_FALSE(layout.y_ticks[i].label_rect.intersects(layout.y_ticks[i - 1].label_rect)) << low;
    }
    content.x.format = ValueFormat::Count;
    for (const double width : {180.0, 240.0, 330.0})
        EXPECT_GE(lay_out_chart(content, {false, 1, 88}, {false, 0.2, 0.7}, {width, 150}, {}, fonts, plain)
                      .x_ticks.size(),
                  2U)
            << width;
}

TEST(ChartLayoutOf, ATitleThatStandsAboveTheChartIsNotWrittenAgain) {
    const ChartFonts fonts;
    ChartContent content = line_content();
    const auto area = [&] {
        return lay_out_chart(content, {false, 0, 9}, {false, 0, 1}, {300, 150}, {}, fonts, plain)
            .transform.area;
    };
    const double before = area().height();
    content.y.is_named_beside = true;
    EXPECT_GT(area().height(), before) << "its room is for the data";
    EXPECT_TRUE(
        lay_out_chart(content, {false, 0, 9}, {false, 0, 1}, {300, 150}, {}, fonts, plain).y_title.isEmpty());
    EXPECT_TRUE(chart_csv(content).contains(QStringLiteral("loss"))) << "but exported";
}

TEST(ChartLayoutOf, TheReferenceIsNamedOutsideOfTheData) {
    const ChartFonts fonts;
    const QFontMetricsF metrics(fonts.caption);
    ChartContent content;
    content.y.title = QStringLiteral("speedup over fixed CSR");
    content.set_series({bars_of({2, 0.5}, 1)});
    content.reference = ReferenceLine{1, QStringLiteral("fixed CSR 1.0×")};
    for (const QSizeF size : {QSizeF(200, 150), QSizeF(400, 300), QSizeF(1600, 900)}) {
        const auto layout =
            lay_out_chart(content, x_limits(content), y_limits(content), size, {30, 30}, fonts, plain);
        EXPECT_TRUE(QRectF(QPointF(), size).contains(layout.reference)) << size.width();
        EXPECT_LE(layout.reference.bottom(), layout.transform.area.top());
        EXPECT_FALSE(layout.reference.intersects(layout.y_title)) << size.width();
        EXPECT_GE(layout.y_title.width(), metrics.horizontalAdvance(content.y.title)) << size.width();
        EXPECT_GE(layout.reference.width(), metrics.horizontalAdvance(content.reference->label));
    }
    content.reference->label.clear();
    EXPECT_TRUE(lay_out_chart(content, x_limits(content), y_limits(content), {400, 300}, {}, fonts, plain)
                    .reference.isEmpty());
}

TEST(ChartLayoutOf, ALongTitleTakesTwoLinesWhereTheChartIsHigh) {
    const ChartFonts fonts;
    const QFontMetricsF metrics(fonts.title);
    ChartContent content = line_content();
    content.title = QStringLiteral("Predicted against recorded, demo-weights in colour");
    const double width = metrics.horizontalAdvance(content.title) * 0.7;
    const auto in = [&](double height) {
        return lay_out_chart(content, {false, 0, 1}, {false, 0, 1}, {width, height}, {}, fonts, plain);
    };
    EXPECT_EQ(in(300).title_text.simplified(), content.title);
    EXPECT_EQ(in(300).title_text.count(u'\n'), 1);
    EXPECT_LE(in(300).title.bottom(), in(300).legend.front().rect.top());
    EXPECT_TRUE(in(120).title_text.endsWith(QStringLiteral("…"))) << "the curves need the room";
}

TEST(ChartLayoutOf, NamesOfBarsWrapSoThatTheyAreWhole) {
    const ChartFonts fonts;
    const QFontMetricsF metrics(fonts.caption);
    ChartContent content;
    content.x.title = QStringLiteral("matrices");
    BarSeries series;
    for (int i = 0; i < 8; ++i)
        series.bars.push_back({.value = 1, .label = QStringLiteral("held-out matrix_%1").arg(i)});
    content.set_series({series});
    const double widest = metrics.horizontalAdvance(QStringLiteral("held-out")) + 12;
    const QSizeF size(8 * widest + 60, 300);
    const auto layout = lay_out_chart(content, x_limits(content), y_limits(content), size, {}, fonts, plain);
    ASSERT_THAT(layout.x_ticks, SizeIs(8));
    const QRectF all(QPointF(), size);
    double right = -1;
    for (const PlacedTick& tick : layout.x_ticks) {
        EXPECT_EQ(QString(tick.label).remove(u'\n').remove(u' '),
                  series.bars[static_cast<std::size_t>(tick.value)].label.remove(u' '));
        EXPECT_GT(tick.label.count(u'\n'), 0);
        EXPECT_TRUE(all.contains(tick.label_rect));
        EXPECT_GT(tick.label_rect.left(), right);
        EXPECT_LE(tick.label_rect.bottom(), layout.x_title.top());
        right = tick.label_rect.right();
        for (const QString& line : tick.label.split(u'\n'))
            EXPECT_LE(metrics.horizontalAdvance(line), tick.label_rect.width() + 1e-6);
    }
    EXPECT_LE(layout.x_title.bottom(), size.height());
}

TEST(ChartHoverAt, TheNameBelowABarSaysItsWholeName) {
    ChartContent content;
    BarSeries series;
    series.bars = {{.value = 1, .label = QStringLiteral("a name that is elided")}, {.value = 2}};
    content.set_series({series});
    const ChartTransform transform{{false, 0, 2}, {false, 0, 2}, QRectF(0, 0, 100, 100)};
    const auto hover = hover_at(content, transform, {25, 110}, plain);
    ASSERT_TRUE(hover.has_value());
    EXPECT_EQ(hover->title, QStringLiteral("a name that is elided"));
    EXPECT_FALSE(hover_at(content, transform, {-5, 110}, plain).has_value());
}

TEST(ChartLayoutOf, FewBarsHaveTheirNamesManyAreNumbered) {
    ChartFonts fonts;
    ChartContent content;
    BarSeries series;
    for (int i = 0; i < 5; ++i)
        series.bars.push_back({.value = 1, .label = QStringLiteral("machine %1").arg(i)});
    content.set_series({series});
    auto layout = lay_out_chart(content, x_limits(content), y_limits(content), {600, 300}, {}, fonts, plain);
    ASSERT_THAT(layout.x_ticks, SizeIs(5));
    EXPECT_EQ(layout.x_ticks[1].label, QStringLiteral("machine 1"));
    EXPECT_THAT(layout.legend, SizeIs(0)) << "one series needs no legend";

    series.bars.assign(3000, {.value = 1, .label = QStringLiteral("a long name of a schedule")});
    content.set_series({series});
    layout = lay_out_chart(content, x_limits(content), y_limits(content), {600, 300}, {}, fonts, plain);
    ASSERT_FALSE(layout.x_ticks.empty());
    EXPECT_EQ(layout.x_ticks.front().label, QStringLiteral("1"));
    EXPECT_DOUBLE_EQ(layout.x_ticks.front().value, 0.5);
    EXPECT_LT(layout.x_ticks.size(), 13U);
}

} // namespace
} // namespace sparsight
