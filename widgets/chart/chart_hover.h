// What of a chart lies under the mouse.
#pragma once

#include "widgets/chart/chart_content.h"

namespace sparsight {

struct HoverLine {
    std::optional<ChartColour> colour;
    QString text;
};

struct ChartHover {
    QPointF place; ///< pixels: where the crosshair snaps to
    QString title;
    std::vector<HoverLine> lines;
    QVariant key; ///< invalid where a click picks nothing
};

/// Nothing outside of the area, but for the names below bars, or too far from any point.
[[nodiscard]] std::optional<ChartHover> hover_at(const ChartContent& content, const ChartTransform& transform,
                                                 const QPointF& mouse, const NumberStyle& style);

} // namespace sparsight
