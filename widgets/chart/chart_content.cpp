#include "widgets/chart/chart_content.h"

#include "widgets/look/theme.h"
#include "widgets/table/cell_values.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <variant>

namespace sparsight {

std::vector<double> smoothed(std::span<const double> values, int points) {
    std::vector<double> result(values.begin(), values.end());
    if (points <= 1)
        return result;
    // the centre of mass of a moving average over this many points
    const double decay = 1 - 2.0 / (points + 1);
    double average = 0;
    double weight = 0;
    for (double& value : result) {
        if (std::isfinite(value)) {
            weight = decay * weight + (1 - decay);
            average += (1 - decay) / weight * (value - average); // this form leaves a constant unchanged
        }
        value = weight > 0 ? average : std::numeric_limits<double>::quiet_NaN();
    }
    return result;
}

namespace {

constexpr double faintness = 0.4; ///< opacity on the surface for values that may be noise

/// The extent of the values that can be drawn on an axis.
class Extent {
public:
    explicit Extent(bool logarithmic)
        : logarithmic_(logarithmic) {}

    void add(double value) {
        if (!std::isfinite(value) || (logarithmic_ && !(value > 0)))
            return;
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
    }

    [[nodiscard]] ChartScale scale() const { return fitted_scale(low_, high_, logarithmic_); }
    [[nodiscard]] bool empty() const { return low_ > high_; }

private:
    bool logarithmic_;
    double low_ = HUGE_VAL;
    double high_ = -HUGE_VAL;
};

void order_by_x(LineSeries& line) {
    const std::size_t count = std::min(line.x.size(), line.y.size());
    line.x.resize(count);
    line.y.resize(count);
    if (line.low.size() != count || line.high.size() != count) {
        line.low.clear();
        line.high.clear();
    }
    if (std::is_sorted(line.x.begin(), line.x.end()))
        return;
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&line](std::size_t a, std::size_t b) { return line.x[a] < line.x[b]; });
    for (std::vector<double>* const values : {&line.x, &line.y, &line.low, &line.high}) {
        std::vector<double> ordered(values->size());
        for (std::size_t i = 0; i < ordered.size(); ++i)
            ordered[i] = (*values)[order[i]];
        *values = std::move(ordered);
    }
}

void add_y(Extent& extent, const BarSeries& bars, bool logarithmic) {
    extent.add(bars.baseline);
    for (const Bar& bar : bars.bars) {
        // On a logarithmic axis the shortest bar still needs a height.
        extent.add(logarithmic && bars.baseline <= 0 ? bar.value / 2 : bar.value);
        extent.add(bar.value);
        if (std::isfinite(bar.spread)) {
            extent.add(bar.value + bar.spread);
            extent.add(bar.value - bar.spread);
        }
    }
}

void add_y(Extent& extent, const Histogram& histogram, bool logarithmic) {
    extent.add(0);
    for (const double count : histogram.counts) {
        extent.add(logarithmic ? count / 2 : count);
        extent.add(count);
    }
}

void add_y(Extent& extent, const LineSeries& line, bool /*logarithmic*/) {
    for (const std::vector<double>* const values : {&line.y, &line.low, &line.high})
        for (const double y : *values)
            extent.add(y);
}

void add_y(Extent& extent, const ScatterSeries& scatter, bool /*logarithmic*/) {
    for (const ScatterPoint& point : scatter.points)
        extent.add(point.y);
}

void add_x(Extent& extent, const BarSeries& bars) {
    extent.add(0);
    extent.add(static_cast<double>(bars.bars.size()));
}

void add_x(Extent& extent, const Histogram& histogram) {
    for (const double edge : histogram.edges)
        extent.add(edge);
}

void add_x(Extent& extent, const LineSeries& line) {
    for (std::size_t i = 0; i < line.x.size(); ++i)
        if (std::isfinite(line.y[i]))
            extent.add(line.x[i]);
}

void add_x(Extent& extent, const ScatterSeries& scatter) {
    for (const ScatterPoint& point : scatter.points)
        extent.add(point.x);
}

/// Limits that the page has set take precedence over the limits of the data.
ChartScale bounded(ChartScale scale, const ChartAxis& axis) {
    if (axis.minimum && std::isfinite(scale.drawn(*axis.minimum)))
        scale.low = scale.drawn(*axis.minimum);
    if (axis.maximum && std::isfinite(scale.drawn(*axis.maximum)))
        scale.high = scale.drawn(*axis.maximum);
    if (!(scale.low < scale.high))
        scale.high = scale.low + 1;
    return scale;
}

} // namespace

void ChartContent::set_series(std::vector<ChartSeries> new_series) {
    series = std::move(new_series);
    smooth.assign(series.size(), {});
    for (std::size_t i = 0; i < series.size(); ++i)
        if (auto* const line = std::get_if<LineSeries>(&series[i])) {
            order_by_x(*line);
            if (line->smoothing > 1)
                smooth[i] = smoothed(line->y, line->smoothing);
        }
    std::erase_if(hidden, [this](std::size_t index) { return index >= series.size(); });
}

bool ChartContent::has_bars() const {
    return std::any_of(series.begin(), series.end(),
                       [](const ChartSeries& one) { return std::holds_alternative<BarSeries>(one); });
}

bool ChartContent::has_histogram() const {
    return std::any_of(series.begin(), series.end(),
                       [](const ChartSeries& one) { return std::holds_alternative<Histogram>(one); });
}

bool ChartContent::empty() const {
    return std::all_of(series.begin(), series.end(), [](const ChartSeries& one) {
        if (const auto* const bars = std::get_if<BarSeries>(&one))
            return bars->bars.empty();
        if (const auto* const histogram = std::get_if<Histogram>(&one))
            return histogram->edges.size() < 2 || histogram->counts.empty();
        Extent across(false);
        Extent up(false);
        std::visit(
            [&](const auto& each) {
                add_x(across, each);
                add_y(up, each, false);
            },
            one);
        return across.empty() || up.empty();
    });
}

std::vector<const BarSeries*> ChartContent::shown_bars() const {
    std::vector<const BarSeries*> bars;
    for (std::size_t i = 0; i < series.size(); ++i)
        if (const auto* const one = std::get_if<BarSeries>(&series[i]); one != nullptr && shown(i))
            bars.push_back(one);
    return bars;
}

ChartScale x_limits(const ChartContent& content) {
    const bool bars = content.has_bars();
    Extent extent(content.x.logarithmic && !bars);
    for (std::size_t i = 0; i < content.series.size(); ++i)
        if (content.shown(i))
            std::visit([&](const auto& one) { add_x(extent, one); }, content.series[i]);
    ChartScale scale = extent.scale();
    if (bars) { // categories, not values: no margin at the ends
        std::size_t most = 1;
        for (const BarSeries* const one : content.shown_bars())
            most = std::max(most, one->bars.size());
        return {false, 0, static_cast<double>(most)};
    }
    const bool touches =
        content.has_histogram() ||
        std::any_of(content.series.begin(), content.series.end(),
                    [](const ChartSeries& one) { return std::holds_alternative<LineSeries>(one); });
    if (touches && !extent.empty()) { // curves and histograms reach from edge to edge
        const double extent_drawn = scale.high - scale.low;
        const double air = 0.05 / 1.1 * extent_drawn;
        if (scale.low != 0 || scale.logarithmic)
            scale.low += air * 0.8;
        scale.high -= air * 0.8;
    }
    return bounded(scale, content.x);
}

ChartScale y_limits(const ChartContent& content) {
    Extent extent(content.y.logarithmic);
    for (std::size_t i = 0; i < content.series.size(); ++i)
        if (content.shown(i))
            std::visit([&](const auto& one) { add_y(extent, one, content.y.logarithmic); },
                       content.series[i]);
    if (content.reference)
        extent.add(content.reference->y);
    return bounded(extent.scale(), content.y);
}

QColor colour_from(ChartColour colour, const Theme& theme) {
    switch (colour) {
    case ChartColour::Win:
        return theme.win;
    case ChartColour::Lose:
        return theme.lose;
    case ChartColour::FaintWin:
        return mixed(theme.surface, theme.win, faintness);
    case ChartColour::FaintLose:
        return mixed(theme.surface, theme.lose, faintness);
    case ChartColour::Reference:
        return theme.reference;
    case ChartColour::Accent:
        return theme.accent;
    default:
        return theme.series_colour(static_cast<std::size_t>(colour) -
                                   static_cast<std::size_t>(ChartColour::Series1));
    }
}

namespace {

QString or_else(const QString& text, const QString& fallback) {
    return text.isEmpty() ? fallback : text;
}

void add_lines(QList<QStringList>& lines, const BarSeries& bars) {
    for (const Bar& bar : bars.bars)
        lines << QStringList{bars.name, bar.label, exported_number(bar.value), exported_number(bar.spread)};
}

void add_lines(QList<QStringList>& lines, const Histogram& histogram) {
    const std::size_t edges = histogram.edges.empty() ? 0 : histogram.edges.size() - 1;
    for (std::size_t i = 0; i < std::min(edges, histogram.counts.size()); ++i)
        lines << QStringList{histogram.name, exported_number(histogram.edges[i]),
                             exported_number(histogram.edges[i + 1]), exported_number(histogram.counts[i])};
}

void add_lines(QList<QStringList>& lines, const LineSeries& line) {
    for (std::size_t i = 0; i < line.x.size(); ++i)
        lines << QStringList{line.name, {}, exported_number(line.x[i]), exported_number(line.y[i])};
}

void add_lines(QList<QStringList>& lines, const ScatterSeries& scatter) {
    for (const ScatterPoint& point : scatter.points)
        lines << QStringList{scatter.name, point.label, exported_number(point.x), exported_number(point.y)};
}

/// The columns of a table of bars: the other series refer to the bar at whose place they stand.
class RowsAmongBars {
public:
    RowsAmongBars(QList<QStringList>& lines, const BarSeries& bars)
        : lines_(lines)
        , bars_(bars.bars) {}

    void add(const BarSeries& bars) { add_lines(lines_, bars); }
    void add(const LineSeries& line) {
        for (std::size_t i = 0; i < line.x.size(); ++i)
            add(line.name, line.x[i], line.y[i]);
    }
    void add(const ScatterSeries& scatter) {
        for (const ScatterPoint& point : scatter.points)
            add(scatter.name, point.x, point.y);
    }
    void add(const Histogram& /*has places of its own*/) {}

private:
    void add(const QString& name, double x, double y) {
        const bool has_bar = x >= 0 && x < static_cast<double>(bars_.size());
        const QString label = has_bar ? bars_[static_cast<std::size_t>(x)].label : QString();
        lines_ << QStringList{name, label, exported_number(y), {}};
    }

    QList<QStringList>& lines_;
    const std::vector<Bar>& bars_;
};

} // namespace

QString chart_csv(const ChartContent& content) {
    const QString x = or_else(axis_title(content.x), QStringLiteral("x"));
    const QString y = or_else(axis_title(content.y), QStringLiteral("y"));
    QList<QStringList> lines;
    if (content.has_bars())
        lines << QStringList{QStringLiteral("series"), QStringLiteral("label"), y, QStringLiteral("spread")};
    else if (content.has_histogram())
        lines << QStringList{QStringLiteral("series"), x + QStringLiteral(" from"),
                             x + QStringLiteral(" below"), y};
    else
        lines << QStringList{QStringLiteral("series"), QStringLiteral("label"), x, y};
    const auto bars = std::ranges::find_if(
        content.series, [](const ChartSeries& one) { return std::holds_alternative<BarSeries>(one); });
    for (const ChartSeries& one : content.series)
        if (bars != content.series.end())
            std::visit(
                [&](const auto& series) { RowsAmongBars(lines, std::get<BarSeries>(*bars)).add(series); },
                one);
        else
            std::visit([&](const auto& series) { add_lines(lines, series); }, one);
    return csv_text(lines);
}

} // namespace sparsight
