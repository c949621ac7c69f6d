// Everything that a chart shows, without how large it is or in which colours.
#pragma once

#include "widgets/chart/chart_scale.h"

#include <set>

namespace sparsight {

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

} // namespace sparsight
