#include "widgets/chart/chart_csv.h"

#include "widgets/table/delimited_text.h"
#include "widgets/table/raw_value.h"

#include <QStringList>
#include <algorithm>
#include <variant>

namespace sparsight {

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

/// The columns of a table of bars: what else is drawn is of the bar in whose place it stands.
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
