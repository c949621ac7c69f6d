// Everything that a chart shows, independent of its size and colours: series with their smoothed curves, the
// limits of the axes, and the contents as CSV.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QString>
#include <set>
#include <span>
#include <vector>

namespace sparsight {

struct Theme;

/// Exponential moving average without the bias of its start (Kingma and Ba, "Adam", 2015, section 3): a
/// constant stays that constant, every value has the same weight relative to the values before it, and a
/// drawn point does not move when more values come. points: number of values averaged, approximately; up to 1
/// leaves the values unchanged. Values that are not finite are skipped and repeat the average so far.
[[nodiscard]] std::vector<double> smoothed(std::span<const double> values, int points);

struct ChartContent {
    QString title;
    ChartAxis x;
    ChartAxis y;
    std::vector<ChartSeries> series;
    /// For each series: the smoothed line, empty for series without smoothing.
    std::vector<std::vector<double>> smooth;
    std::set<std::size_t> hidden; ///< hidden by the user in the legend
    std::optional<ReferenceLine> reference;
    QVariant selected;
    QString empty_text;

    /// Sorts lines by x and smooths them.
    void set_series(std::vector<ChartSeries> new_series);
    [[nodiscard]] bool shown(std::size_t index) const { return !hidden.contains(index); }
    [[nodiscard]] bool has_bars() const; ///< among all series, shown or hidden
    [[nodiscard]] bool has_histogram() const;
    [[nodiscard]] bool empty() const; ///< nothing could be drawn even with all series shown
    [[nodiscard]] std::vector<const BarSeries*> shown_bars() const;
};

/// The limits that the shown series need.
[[nodiscard]] ChartScale x_limits(const ChartContent& content);
[[nodiscard]] ChartScale y_limits(const ChartContent& content);

[[nodiscard]] QColor colour_from(ChartColour colour, const Theme& theme);

/// The chart as a table: all values in full precision, whatever is zoomed or hidden.
[[nodiscard]] QString chart_csv(const ChartContent& content);

} // namespace sparsight
