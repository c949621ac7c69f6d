// Smoothing of noisy curves such as losses.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QString>
#include <set>
#include <span>
#include <vector>

namespace sparsight {

/// Exponential moving average without the bias of its start (Kingma and Ba, "Adam", 2015, section 3): a
/// constant stays that constant, every value weighs as much when it is the last one as it did for the values
/// before it, and a point that has been drawn does not move when more come. points: about how many are
/// averaged; up to 1 leaves the values as they are. What is not finite is passed over and repeats the average
/// so far.
[[nodiscard]] std::vector<double> smoothed(std::span<const double> values, int points);

// Everything that a chart shows, without how large it is or in which colours.

struct Theme;

struct ChartContent {
    QString title;
    ChartAxis x;
    ChartAxis y;
    std::vector<ChartSeries> series;
    std::vector<std::vector<double>> smooth; ///< for each series: of lines that are smoothed, otherwise empty
    std::set<std::size_t> hidden;            ///< by the legend
    std::optional<ReferenceLine> reference;
    QVariant selected;
    QString empty_text;

    /// Lines are put in order of x and smoothed.
    void set_series(std::vector<ChartSeries> new_series);
    [[nodiscard]] bool shown(std::size_t index) const { return !hidden.contains(index); }
    [[nodiscard]] bool has_bars() const; ///< among the series that are shown or hidden
    [[nodiscard]] bool has_histogram() const;
    [[nodiscard]] bool empty() const; ///< nothing that could be drawn, if all series were shown
    [[nodiscard]] std::vector<const BarSeries*> shown_bars() const;
};

/// What the series that are shown need.
[[nodiscard]] ChartScale x_limits(const ChartContent& content);
[[nodiscard]] ChartScale y_limits(const ChartContent& content);

[[nodiscard]] QColor colour_from(ChartColour colour, const Theme& theme);

// What a chart shows as a table.

/// All values in full precision, whatever is zoomed or hidden.
[[nodiscard]] QString chart_csv(const ChartContent& content);

} // namespace sparsight
