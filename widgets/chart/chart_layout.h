// Where the parts of a chart stand so that no text is cut off.
#pragma once

#include "widgets/chart/chart_content.h"

#include <QFont>
#include <QSizeF>

namespace sparsight {

struct ChartFonts {
    QFont title;
    QFont caption;
};

struct LegendEntry {
    std::size_t series = 0;
    QRectF rect; ///< swatch and name, the place to click
};

struct PlacedTick {
    double value = 0;
    QString label; ///< empty for a small mark; names of bars may have several lines
    QRectF label_rect;
    double pixel = 0;
};

struct ChartLayout {
    QRectF title;
    QString title_text;              ///< in lines
    std::vector<LegendEntry> legend; ///< only where there is more than one series
    QRectF y_title;
    QRectF
        reference; ///< a short line and the label of the reference, beside the area and never over the data
    QRectF x_title;
    ChartTransform transform; ///< its area is where the data are drawn
    std::vector<PlacedTick> x_ticks;
    std::vector<PlacedTick> y_ticks;
};

/// tools: kept free at the upper right corner.
[[nodiscard]] ChartLayout lay_out_chart(const ChartContent& content, const ChartScale& x, const ChartScale& y,
                                        const QSizeF& size, const QSizeF& tools, const ChartFonts& fonts,
                                        const NumberStyle& style);

inline constexpr double legend_swatch = 12;
inline constexpr double legend_text_gap = 6; ///< between a swatch and its text

} // namespace sparsight
