// The data of a chart as plain values, and the arithmetic of its axes: from values to pixels and back, ticks,
// zooming and number texts. The order of the series is the order of the legend and of the colours.
#pragma once

#include "widgets/look/number_text.h"

#include <QPointF>
#include <QRectF>
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
    Duration, ///< milliseconds: "850 µs", "1.24 ms", "3.20 s"; or as runtime_text() counts them
    Bytes,
    Percent,  ///< 0.24 is 24 %
    TimeOfDay ///< seconds since 1970: "20:26:43", with the day where the axis covers several
};

struct ChartAxis {
    QString title{};
    QString unit{}; ///< written in brackets after the title
    bool logarithmic = false;
    ValueFormat format = ValueFormat::Number;
    std::optional<double> minimum{}; ///< absent: what the data need
    std::optional<double> maximum{};
    bool is_named_beside =
        false; ///< for the y axis: the title stands above the chart and only exports draw it

    bool operator==(const ChartAxis&) const = default;
};

/// Colours by meaning; the theme defines them. Series1 … Series8 are for categories.
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
    bool hatched = false; ///< simulated or predicted
    QVariant key{};       ///< the argument of picked(); invalid: not clickable
    double spread = std::numeric_limits<double>::quiet_NaN(); ///< whisker of ± this much
    QString note{};                                           ///< another line of the tooltip
    QString absence{}; ///< why the place is empty: short, written in it
};

struct BarSeries {
    QString name{};
    std::vector<Bar> bars{};
    double baseline = 0; ///< where bars start: 1 for speedups, so that faster is above and slower below
};

struct Histogram {
    QString name{};
    std::vector<double> edges{};  ///< ascending, one more than counts
    std::vector<double> counts{}; ///< heights, drawn unchanged
    ChartColour colour = ChartColour::Accent;
};

/// How the band of a line is drawn.
enum class BandLook {
    Faint,   ///< an interval around the line
    Filled,  ///< a part of a stack
    Hatched, ///< what is missing from a stack
    Whiskers ///< an interval at each of its dots, which no line joins
};

struct LineSeries {
    QString name{};
    std::vector<double> x{}; ///< ascending; as many as y
    std::vector<double> y{}; ///< NaN values are left out
    ChartColour colour = ChartColour::Series1;
    int smoothing =
        0; ///< about this many points are averaged; above 1 the raw line is thin, the smooth one thick
    bool dashed = false; ///< for predicted values
    bool marked = false; ///< with a dot at each value: for lines with few values
    /// Between its points it has the value of the last one: the mouse reads every such line at one place.
    bool is_held = false;
    std::vector<double> low{}; ///< lower and upper edge of a band around the line: as many as y, or none
    std::vector<double> high{};
    BandLook band = BandLook::Faint;
    QVariant key{};
};

struct ScatterPoint {
    double x = 0;
    double y = 0;
    QString label{};
    QVariant key{};
    std::optional<ChartColour> colour{}; ///< absent: the colour of the series
    std::optional<ChartColour> edge{};   ///< absent: the colour of the surface
    bool muted = false;                  ///< pale, small and below the other points
};

struct ScatterSeries {
    QString name{};
    std::vector<ScatterPoint> points{};
    ChartColour colour = ChartColour::Series1;
    /// Marks on lines: the mouse still reads the lines, and names the marks besides.
    bool is_mark = false;
};

using ChartSeries = std::variant<BarSeries, Histogram, LineSeries, ScatterSeries>;

[[nodiscard]] const QString& name_of(const ChartSeries& series);

/// The colour of the swatch in the legend. Where the bars differ in colour: that of the first bar that does
/// not lose, because all series lose in the same colour, otherwise that of the first bar.
[[nodiscard]] ChartColour colour_of(const ChartSeries& series);

struct ReferenceLine {
    double y = 1;
    QString label{};
};

/// One direction of a chart. Ranges are stored in the drawn scale: log10 of the values on a logarithmic axis.
struct ChartScale {
    bool logarithmic = false;
    double low = 0; ///< in the drawn scale; low < high
    double high = 1;

    [[nodiscard]] double drawn(double value) const; ///< NaN where the logarithm does not exist
    [[nodiscard]] double value(double drawn) const;
    [[nodiscard]] double share(double value) const; ///< 0 at low, 1 at high
    bool operator==(const ChartScale&) const = default;
};

struct ChartTransform {
    ChartScale x;
    ChartScale y;
    QRectF area;

    [[nodiscard]] double pixel_x(double value) const;
    [[nodiscard]] double pixel_y(double value) const;
    [[nodiscard]] double value_x(double pixel) const;
    [[nodiscard]] double value_y(double pixel) const;
};

struct ChartTick {
    double value = 0;
    QString label; ///< empty for the minor ticks between
};

/// Ticks at round values, at most about `wanted` with a label; never more than twice as many.
[[nodiscard]] std::vector<ChartTick> chart_ticks(const ChartScale& scale, ValueFormat format, int wanted,
                                                 const NumberStyle& style);

/// For tooltips: three significant digits, counts exact.
[[nodiscard]] QString value_text(double value, ValueFormat format, const NumberStyle& style);

/// "time [ms]"
[[nodiscard]] QString axis_title(const ChartAxis& axis);

/// A range around the values with a small margin; usable (low < high, finite) for any input. Zero stays an
/// end of the range where it is one.
[[nodiscard]] ChartScale fitted_scale(double smallest, double largest, bool logarithmic);

/// factor < 1 zooms in; the position `fixed` (drawn scale) does not move. The range stays within the limits
/// (at most the limits themselves), and never becomes too narrow for doubles.
[[nodiscard]] ChartScale zoomed(const ChartScale& scale, double fixed, double factor,
                                const ChartScale& limits);
[[nodiscard]] ChartScale panned(const ChartScale& scale, double drawn_distance, const ChartScale& limits);

/// A text as a quoted field of a CSV file.
[[nodiscard]] QString quoted_field(const QString& text);

} // namespace sparsight
