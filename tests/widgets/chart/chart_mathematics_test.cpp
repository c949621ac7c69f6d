// What a chart computes before anything is painted.
#include "widgets/chart/bar_columns.h"
#include "widgets/chart/chart_content.h"
#include "widgets/chart/chart_curves.h"

#include <QDateTime>
#include <QLineF>
#include <QList>
#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <random>

namespace sparsight {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Le;
using ::testing::SizeIs;

const NumberStyle plain_numbers{};
const double not_a_number = std::nan("");

std::string labels(const ChartScale& scale, ValueFormat format, int wanted) {
    QStringList texts;
    for (const ChartTick& tick : chart_ticks(scale, format, wanted, plain_numbers))
        if (!tick.label.isEmpty())
            texts << tick.label;
    return texts.join(u' ').replace(QChar(0x202F), u'_').toStdString();
}

ChartScale log_scale(double from, double to) {
    return {true, std::log10(from), std::log10(to)};
}

TEST(ChartTicks, OfTheTimeOfDayStandAtRoundTimes) {
    const double noon = static_cast<double>(QDateTime(QDate(2026, 3, 5), QTime(12, 0, 7)).toSecsSinceEpoch());
    const auto labels = [&](double seconds, int wanted) {
        std::vector<std::string> texts;
        for (const ChartTick& tick :
             chart_ticks({false, noon, noon + seconds}, ValueFormat::TimeOfDay, wanted, {}))
            texts.push_back(tick.label.toStdString());
        return texts;
    };
    EXPECT_EQ(labels(50, 4), (std::vector<std::string>{"12:00:15", "12:00:30", "12:00:45"}));
    EXPECT_EQ(labels(3600, 4), (std::vector<std::string>{"12:15", "12:30", "12:45", "13:00"}));
    EXPECT_EQ(labels(1, 4).size(), 2U);
    EXPECT_EQ(value_text(noon, ValueFormat::TimeOfDay, {}).toStdString(), "5 Mar 12:00:07");
}

TEST(ChartTicks, AreRound) {
    EXPECT_EQ(labels({false, 0, 10}, ValueFormat::Number, 5), "0 2 4 6 8 10");
    EXPECT_EQ(labels({false, -1, 1}, ValueFormat::Number, 4), "−1.0 −0.5 0.0 0.5 1.0");
    EXPECT_EQ(labels({false, 0.123, 0.131}, ValueFormat::Number, 4), "0.124 0.126 0.128 0.130");
    EXPECT_EQ(labels({false, 0, 27'000}, ValueFormat::Count, 6), "0 5_000 10_000 15_000 20_000 25_000");
    EXPECT_EQ(labels({false, 0, 3}, ValueFormat::Count, 10), "0 1 2 3") << "no half of a thing";
    EXPECT_EQ(labels({false, 0.4, 2.1}, ValueFormat::Speedup, 4), "0.5× 1.0× 1.5× 2.0×");
    EXPECT_EQ(labels({false, 0, 0.25}, ValueFormat::Percent, 5), "0 % 5 % 10 % 15 % 20 % 25 %");
    EXPECT_EQ(labels({false, 0, 5 * 1024}, ValueFormat::Bytes, 5), "0 KiB 1 KiB 2 KiB 3 KiB 4 KiB 5 KiB");
    EXPECT_EQ(labels({false, 0, 2.1}, ValueFormat::Duration, 5), "0.0 ms 0.5 ms 1.0 ms 1.5 ms 2.0 ms");
    EXPECT_EQ(labels({false, 0, 150'000}, ValueFormat::Duration, 4), "0 s 50 s 100 s 150 s");
}

TEST(ChartTicks, OnALogarithmicAxisArePowers) {
    EXPECT_EQ(labels(log_scale(1, 1e4), ValueFormat::Count, 6), "1 10 100 1_000 10_000");
    EXPECT_EQ(labels(log_scale(1, 100), ValueFormat::Count, 8), "1 2 5 10 20 50 100");
    EXPECT_EQ(labels(log_scale(1e-6, 1e6), ValueFormat::Number, 4), "1×10⁻⁶ 0.001 1 1_000 1_000_000");
    EXPECT_EQ(labels(log_scale(0.2, 5), ValueFormat::Speedup, 6), "0.25× 0.5× 1× 2× 4×");
    EXPECT_EQ(labels(log_scale(900, 5e7), ValueFormat::Bytes, 5), "1 KiB 32 KiB 1 MiB 32 MiB");
    EXPECT_EQ(labels(log_scale(0.001, 5e3), ValueFormat::Duration, 8),
              "1 µs 10 µs 100 µs 1 ms 10 ms 100 ms 1 s");
    EXPECT_EQ(labels(log_scale(2, 4), ValueFormat::Number, 6), "2.0 2.5 3.0 3.5 4.0")
        << "too short for powers";
}

TEST(ChartTicks, LieWithinTheRangeAndAreNotMany) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> exponent(-9, 9);
    for (int round = 0; round < 2000; ++round) {
        const bool logarithmic = round % 2 == 0;
        const double a = logarithmic ? exponent(random) : std::pow(10, exponent(random)) - 1;
        const double b =
            a + (logarithmic ? std::abs(exponent(random)) : std::pow(10, exponent(random))) + 1e-9;
        if (b - a < std::abs(a) * 1e-9)
            continue; // as close as a chart never comes
        const ChartScale scale{logarithmic, a, b};
        for (const int wanted : {2, 5, 8})
            for (const ValueFormat format : {ValueFormat::Number, ValueFormat::Count, ValueFormat::Speedup,
                                             ValueFormat::Duration, ValueFormat::Bytes}) {
                int labelled = 0;
                for (const ChartTick& tick : chart_ticks(scale, format, wanted, plain_numbers)) {
                    labelled += tick.label.isEmpty() ? 0 : 1;
                    EXPECT_GE(scale.share(tick.value), -1e-6) << a << ' ' << b;
                    EXPECT_LE(scale.share(tick.value), 1 + 1e-6) << a << ' ' << b;
                }
                EXPECT_LE(labelled, 2 * wanted + 1)
                    << a << ' ' << b << ' ' << logarithmic << ' ' << static_cast<int>(format);
            }
    }
}

TEST(ChartTicks, OfAnUnusableRangeAreNone) {
    EXPECT_THAT(chart_ticks({false, 1, 1}, ValueFormat::Number, 5, plain_numbers), SizeIs(0));
    EXPECT_THAT(chart_ticks({false, 1e17, 1e17 + 64}, ValueFormat::Number, 5, plain_numbers), SizeIs(0));
    EXPECT_THAT(chart_ticks({false, 0, HUGE_VAL}, ValueFormat::Number, 5, plain_numbers), SizeIs(0));
    EXPECT_THAT(chart_ticks({false, not_a_number, 1}, ValueFormat::Number, 5, plain_numbers), SizeIs(0));
}

TEST(FittedScale, IsUsableForAnyValues) {
    for (const auto& [low, high] : {std::pair{0.0, 0.0},
                                    {5.0, 5.0},
                                    {-3.0, -3.0},
                                    {not_a_number, not_a_number},
                                    {1.0, HUGE_VAL},
                                    {2.0, 1.0},
                                    {-1.0, 0.0},
                                    {1e300, 1e300},
                                    {0.0, 7.0}})
        for (const bool logarithmic : {false, true}) {
            const ChartScale scale = fitted_scale(low, high, logarithmic);
            EXPECT_LT(scale.low, scale.high) << low << ' ' << high;
            EXPECT_TRUE(std::isfinite(scale.low) && std::isfinite(scale.high)) << low << ' ' << high;
        }
    EXPECT_EQ(fitted_scale(0, 7, false).low, 0) << "bars stand on the axis";
}

TEST(ChartTransform, GoesToPixelsAndBack) {
    const ChartTransform transform{log_scale(1, 1000), {false, -5, 5}, QRectF(10, 20, 300, 200)};
    EXPECT_DOUBLE_EQ(transform.pixel_x(10), 110);
    EXPECT_DOUBLE_EQ(transform.pixel_y(5), 20);
    EXPECT_DOUBLE_EQ(transform.pixel_y(-5), 220);
    EXPECT_NEAR(transform.value_x(transform.pixel_x(42)), 42, 1e-9);
    EXPECT_NEAR(transform.value_y(transform.pixel_y(1.5)), 1.5, 1e-9);
    EXPECT_TRUE(std::isnan(transform.pixel_x(0)));
}

TEST(Zoomed, KeepsWhatIsUnderTheCursor) {
    const ChartScale limits{false, 0, 100};
    const ChartScale closer = zoomed(limits, 30, 0.5, limits);
    EXPECT_DOUBLE_EQ(closer.low, 15);
    EXPECT_DOUBLE_EQ(closer.high, 65);
    EXPECT_EQ(zoomed(closer, 30, 100, limits), limits) << "never beyond the data";
    ChartScale deep = limits;
    for (int i = 0; i < 1000; ++i)
        deep = zoomed(deep, 30, 0.5, limits);
    EXPECT_LT(deep.low, deep.high);
}

TEST(Panned, StopsAtTheEndOfTheData) {
    const ChartScale limits{false, 0, 100};
    const ChartScale part{false, 20, 40};
    EXPECT_EQ(panned(part, 10, limits), (ChartScale{false, 30, 50}));
    EXPECT_EQ(panned(part, 1000, limits), (ChartScale{false, 80, 100}));
    EXPECT_EQ(panned(part, -1000, limits), (ChartScale{false, 0, 20}));
}

TEST(Smoothed, AConstantStaysThatConstant) {
    EXPECT_THAT(smoothed(std::vector(50, 3.25), 10), Each(3.25));
}

TEST(Smoothed, WithoutPointsChangesNothing) {
    const std::vector<double> values{1, 5, 2};
    EXPECT_EQ(smoothed(values, 1), values);
    EXPECT_EQ(smoothed(values, 0), values);
    EXPECT_THAT(smoothed({}, 5), SizeIs(0));
}

TEST(Smoothed, TheLastValueWeighsNoMoreThanOthersDidWhenTheyWereLast) {
    std::vector<double> values(200, 0);
    values[100] = 1;
    const double in_the_middle = smoothed(values, 20)[100];
    values[100] = 0;
    values[199] = 1;
    EXPECT_NEAR(smoothed(values, 20)[199], in_the_middle, 1e-4);
    EXPECT_LT(in_the_middle, 0.1);
}

TEST(Smoothed, WhatWasDrawnDoesNotMoveWhenMoreComes) {
    std::vector<double> values{4, 1, 3, 2, 5, 2};
    const auto before = smoothed(values, 4);
    values.push_back(100);
    const auto after = smoothed(values, 4);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
}

TEST(Smoothed, PassesOverWhatIsNotFinite) {
    const auto result = smoothed(std::vector{not_a_number, 2.0, HUGE_VAL, 2.0}, 5);
    EXPECT_TRUE(std::isnan(result[0]));
    EXPECT_THAT(std::vector(result.begin() + 1, result.end()), ElementsAre(2, 2, 2));
}

std::vector<double> counted(std::size_t count) {
    std::vector<double> values(count);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

TEST(DecimatedLine, OfFewPointsIsAllOfThem) {
    const std::vector<double> x{0, 1, 2};
    const std::vector<double> y{5, -1, 7};
    const auto line = decimated_line(x, y, {false, 0, 2}, {false, -1, 7}, 500);
    EXPECT_EQ(line, (QList<QPointF>{{0, 5}, {1, -1}, {2, 7}}));
}

TEST(DecimatedLine, KeepsTheExtremesOfEachColumnAndAtMostFourPoints) {
    const std::size_t count = 100'000;
    const auto x = counted(count);
    std::vector<double> y(count);
    std::mt19937 random(1);
    for (double& value : y)
        value = static_cast<double>(random() % 1000);
    y[54'321] = 5000; // a peak of one point
    y[12'345] = -5000;
    const int columns = 300;
    const auto line = decimated_line(x, y, {false, 0, count - 1.0}, {false, -5000, 5000}, columns);
    EXPECT_LE(line.size(), 4 * (columns + 1));
    EXPECT_EQ(line.front(), QPointF(x.front(), y.front()));
    EXPECT_EQ(line.back(), QPointF(x.back(), y.back()));
    EXPECT_TRUE(line.contains(QPointF(54'321, 5000)));
    EXPECT_TRUE(line.contains(QPointF(12'345, -5000)));
    EXPECT_TRUE(std::is_sorted(line.begin(), line.end(),
                               [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
}

TEST(DecimatedLine, OfAPartReachesBeyondBothSides) {
    const auto x = counted(1000);
    const auto line = decimated_line(x, x, {false, 400.5, 402.5}, {false, 0, 1000}, 100);
    EXPECT_EQ(line, (QList<QPointF>{{400, 400}, {401, 401}, {402, 402}, {403, 403}}));
}

TEST(DecimatedLine, LeavesOutWhatCannotBeDrawn) {
    const std::vector<double> x{1, 2, 3, 4};
    const std::vector<double> y{1, not_a_number, 0, 100};
    const auto line = decimated_line(x, y, {false, 1, 4}, log_scale(1, 100), 100);
    EXPECT_EQ(line, (QList<QPointF>{{1, 0}, {4, 2}}));
    EXPECT_THAT(decimated_line({}, {}, {false, 0, 1}, {false, 0, 1}, 100), SizeIs(0));
}

TEST(DecimatedPoints, KeepsOneForEachCell) {
    std::vector<QPointF> points;
    for (int i = 0; i < 50'000; ++i)
        points.emplace_back(i % 100, i / 100 % 50);
    points.emplace_back(not_a_number, 1);
    const auto kept = decimated_points(points, {false, 0, 100}, {false, 0, 50}, 10, 10);
    EXPECT_LE(kept.size(), 121);
    EXPECT_GE(kept.size(), 100);
}

BarSeries series_of_bars(std::initializer_list<double> values, double baseline = 0) {
    BarSeries series;
    series.baseline = baseline;
    for (const double value : values)
        series.bars.push_back({.value = value, .key = static_cast<int>(series.bars.size())});
    return series;
}

std::vector<BarColumn> columns_of(const BarSeries& series, const ChartTransform& transform) {
    const BarSeries* const one = &series;
    return bar_columns({&one, 1}, transform);
}

TEST(BarColumns, StandOnTheirBaselineInBothDirections) {
    const BarSeries series = series_of_bars({3, 0.5, not_a_number}, 1);
    const auto columns = columns_of(series, {{false, 0, 3}, {false, 0, 4}, QRectF(0, 0, 300, 400)});
    ASSERT_THAT(columns, SizeIs(2)) << "a missing value has no bar";
    EXPECT_DOUBLE_EQ(columns[0].rect.top(), 100);
    EXPECT_DOUBLE_EQ(columns[0].rect.bottom(), 300);
    EXPECT_DOUBLE_EQ(columns[1].rect.top(), 300);
    EXPECT_DOUBLE_EQ(columns[1].rect.bottom(), 350);
    EXPECT_NEAR(columns[0].rect.center().x(), 50, 1e-9);
}

TEST(BarColumns, OnALogarithmicAxisStartAtItsEnd) {
    const BarSeries series = series_of_bars({10});
    const auto columns = columns_of(series, {{false, 0, 1}, log_scale(1, 100), QRectF(0, 0, 100, 100)});
    ASSERT_THAT(columns, SizeIs(1));
    EXPECT_DOUBLE_EQ(columns[0].rect.top(), 50);
    EXPECT_DOUBLE_EQ(columns[0].rect.bottom(), 100);
}

TEST(BarColumns, SeveralSeriesStandSideBySide) {
    const BarSeries a = series_of_bars({1, 1});
    const BarSeries b = series_of_bars({1, 1});
    const std::vector<const BarSeries*> both{&a, &b};
    const auto columns = bar_columns(both, {{false, 0, 2}, {false, 0, 1}, QRectF(0, 0, 200, 100)});
    ASSERT_THAT(columns, SizeIs(4));
    EXPECT_LE(columns[0].rect.right(), columns[2].rect.left() + 1e-9);
    EXPECT_LT(columns[2].rect.right(), columns[1].rect.left());
}

TEST(BarColumns, ThousandsShareThePixelsAndLoseNoPeak) {
    BarSeries series;
    for (int i = 0; i < 20'000; ++i)
        series.bars.push_back({.value = 1 + (i == 7777 ? 5.0 : 0.1)});
    const auto columns = columns_of(series, {{false, 0, 20'000}, {false, 0, 6}, QRectF(40, 0, 500, 300)});
    EXPECT_THAT(columns, SizeIs(Le(501U)));
    const auto peak = std::find_if(columns.begin(), columns.end(),
                                   [](const BarColumn& column) { return column.shown == 7777; });
    ASSERT_NE(peak, columns.end());
    EXPECT_DOUBLE_EQ(peak->rect.top(), 0);
    for (std::size_t i = 1; i < columns.size(); ++i) {
        EXPECT_EQ(columns[i].first, columns[i - 1].last + 1) << "every bar belongs to one column";
        EXPECT_DOUBLE_EQ(columns[i].rect.left(), columns[i - 1].rect.right()) << "no gaps";
    }
    EXPECT_EQ(columns.front().first, 0U);
    EXPECT_EQ(columns.back().last, 19'999U);
}

TEST(BarColumns, OnlyThoseThatCanBeSeen) {
    BarSeries series;
    series.bars.assign(10'000, {.value = 1});
    const auto columns = columns_of(series, {{false, 100, 110}, {false, 0, 2}, QRectF(0, 0, 500, 300)});
    EXPECT_THAT(columns, SizeIs(10));
    EXPECT_EQ(columns.front().first, 100U);
}

TEST(BarAt, FindsTheBarWhateverItsHeight) {
    const BarSeries a = series_of_bars({1, 2});
    const BarSeries b = series_of_bars({3, 4});
    const std::vector<const BarSeries*> both{&a, &b};
    const ChartTransform transform{{false, 0, 2}, {false, 0, 4}, QRectF(0, 0, 200, 300)};
    EXPECT_EQ(bar_at(both, 20, transform)->series, 0U);
    EXPECT_EQ(bar_at(both, 80, transform)->series, 1U);
    EXPECT_EQ(bar_at(both, 101, transform)->bar, 1U);
    EXPECT_FALSE(bar_at(both, 201, transform).has_value());
    EXPECT_FALSE(bar_at(both, -10, transform).has_value());
    EXPECT_FALSE(bar_at(both, not_a_number, transform).has_value());
}

TEST(BarsOfKey, AreThoseOfAllSeriesThatHaveIt) {
    const BarSeries a = series_of_bars({2, 4});
    const BarSeries b = series_of_bars({8, 1});
    const std::vector<const BarSeries*> both{&a, &b};
    const ChartTransform transform{{false, 0, 2}, {false, 0, 10}, QRectF(0, 0, 200, 100)};
    const auto found = bars_of_key(both, 0, transform);
    ASSERT_TRUE(found.has_value());
    EXPECT_DOUBLE_EQ(found->left(), bar_extent(0, 2, 0, transform).left);
    EXPECT_DOUBLE_EQ(found->right(), bar_extent(1, 2, 0, transform).right) << "that of the other model, too";
    EXPECT_DOUBLE_EQ(found->top(), 20) << "up to the higher one";
    EXPECT_DOUBLE_EQ(found->bottom(), 100);
    EXPECT_FALSE(bars_of_key(both, 7, transform).has_value());
}

TEST(BarColumns, AFewDoNotGrowIntoBlocksAndKeepToTheMiddleOfTheirPlaces) {
    const BarSeries series = series_of_bars({1, 2});
    const ChartTransform transform{{false, 0, 2}, {false, 0, 2}, QRectF(0, 0, 1000, 300)};
    const auto columns = columns_of(series, transform);
    ASSERT_THAT(columns, SizeIs(2));
    for (const BarColumn& column : columns)
        EXPECT_LE(column.rect.width(), 60);
    EXPECT_DOUBLE_EQ(columns[0].rect.center().x(), 250);
    EXPECT_DOUBLE_EQ(columns[1].rect.center().x(), 750);
    const std::vector<const BarSeries*> alone{&series};
    EXPECT_EQ(bar_at(alone, 510, transform)->bar, 1U) << "a click beside the bar, in its place, is enough";
}

TEST(HistogramColumns, LieBetweenTheirEdges) {
    const Histogram histogram{.edges = {0, 1, 10, 100}, .counts = {4, 0, 8}};
    const auto linear =
        histogram_columns(histogram, {{false, 0, 100}, {false, 0, 8}, QRectF(0, 0, 1000, 80)});
    ASSERT_THAT(linear, SizeIs(2)) << "nothing for an empty bin";
    EXPECT_NEAR(linear[1].rect.left(), 100, 1);
    EXPECT_NEAR(linear[1].rect.right(), 1000, 1);
    EXPECT_NEAR(linear[0].rect.top(), 40, 1e-9);
    const auto logarithmic =
        histogram_columns(histogram, {log_scale(0.1, 100), log_scale(1, 10), QRectF(0, 0, 300, 80)});
    EXPECT_NEAR(logarithmic[0].rect.left(), 0, 1) << "the bar from zero starts at the end of the axis";
}

TEST(HatchLines, StayWithinTheRectangle) {
    const QRectF rect(10, 20, 7, 60);
    const auto lines = hatch_lines(rect, 6);
    EXPECT_GT(lines.size(), 8);
    for (const QLineF& line : lines) {
        EXPECT_TRUE(rect.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(line.p1()));
        EXPECT_TRUE(rect.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(line.p2()));
        EXPECT_NEAR(line.p1().x() + line.p1().y(), line.p2().x() + line.p2().y(), 1e-9);
    }
    EXPECT_TRUE(hatch_lines({}, 6).empty());
}

} // namespace
} // namespace sparsight
