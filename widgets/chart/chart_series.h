// What a chart shows, as plain values. The order of series is the order of the legend and of the colours.
#pragma once

#include <QString>
#include <QVariant>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

namespace sparsight {

/// How values are written on an axis, in a tooltip and beside the crosshair.
enum class ValueFormat {
    Number,
    Count,    ///< whole numbers with thin spaces
    Speedup,  ///< 1.24×
    Duration, ///< of milliseconds: "850 µs", "1.24 ms", "3.20 s"
    Bytes,
    Percent ///< 0.24 is 24 %
};

struct ChartAxis {
    QString title{};
    QString unit{}; ///< written in brackets after the title
    bool logarithmic = false;
    ValueFormat format = ValueFormat::Number;
    std::optional<double> minimum{}; ///< otherwise what the data need
    std::optional<double> maximum{};
    bool is_named_beside =
        false; ///< of the y axis: what stands above the chart says its title; exports have it

    bool operator==(const ChartAxis&) const = default;
};

/// By meaning; the theme has the colour. Series1 … Series8 are for categories.
enum class ChartColour {
    Win,
    Lose,
    FaintWin, ///< a gain or a loss that may be noise
    FaintLose,
    Reference,
    Accent,
    Series1,
    Series2,
    Series3,
    Series4,
    Series5,
    Series6,
    Series7,
    Series8
};

[[nodiscard]] ChartColour series_colour(std::size_t index);

struct Bar {
    double value = 0; ///< NaN leaves the place empty
    QString label{};
    ChartColour colour = ChartColour::Accent;
    bool hatched = false;                                     ///< simulated or predicted
    QVariant key{};                                           ///< what picked() says; none: not clickable
    double spread = std::numeric_limits<double>::quiet_NaN(); ///< whisker of ± this much
    QString note{};                                           ///< a further line of the tooltip
};

struct BarSeries {
    QString name{};
    std::vector<Bar> bars{};
    double baseline = 0; ///< where bars start: 1 for speedups, so that wins rise and losses hang
};

struct Histogram {
    QString name{};
    std::vector<double> edges{};  ///< ascending, one more than counts
    std::vector<double> counts{}; ///< drawn as they are
    ChartColour colour = ChartColour::Accent;
};

struct LineSeries {
    QString name{};
    std::vector<double> x{}; ///< ascending; as many as y
    std::vector<double> y{}; ///< NaN is left out
    ChartColour colour = ChartColour::Series1;
    int smoothing =
        0; ///< about so many points are averaged; above 1 the raw line is thin, the smooth one thick
    bool dashed = false;       ///< predicted
    bool marked = false;       ///< each value as a dot, too: for few of them
    std::vector<double> low{}; ///< of a band around the line: as many as y, or none
    std::vector<double> high{};
    QVariant key{};
};

struct ScatterPoint {
    double x = 0;
    double y = 0;
    QString label{};
    QVariant key{};
    std::optional<ChartColour> colour{}; ///< otherwise that of the series
    std::optional<ChartColour> edge{};   ///< otherwise that of the surface
    bool muted = false;                  ///< pale, small and below the others
};

struct ScatterSeries {
    QString name{};
    std::vector<ScatterPoint> points{};
    ChartColour colour = ChartColour::Series1;
};

using ChartSeries = std::variant<BarSeries, Histogram, LineSeries, ScatterSeries>;

[[nodiscard]] const QString& name_of(const ChartSeries& series);

/// Of the swatch in the legend: that of the first bar where bars differ, of one that does not lose where
/// there is one: all series lose in the same colour.
[[nodiscard]] ChartColour colour_of(const ChartSeries& series);

struct ReferenceLine {
    double y = 1;
    QString label{};
};

} // namespace sparsight
