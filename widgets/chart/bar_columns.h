// Which rectangles stand for bars, so that thousands of bars cost no more than the pixels they cover.
#pragma once

#include "widgets/chart/chart_values.h"

#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// One painted rectangle.
struct BarColumn {
    QRectF rect; ///< pixels, not clipped to the area in height
    std::size_t series = 0;
    std::size_t first = 0; ///< bars from first to last, both included
    std::size_t last = 0;
    std::size_t shown = 0; ///< of them the one farthest from the baseline: its height and colour are drawn
};

/// Bar i of each series stands between i and i + 1 on the x axis; several series share that place side by
/// side. Below two pixels a bar, neighbours share a column of one pixel.
[[nodiscard]] std::vector<BarColumn> bar_columns(std::span<const BarSeries* const> series,
                                                 const ChartTransform& transform);

/// The bars of a histogram between their edges; counts of zero have none.
[[nodiscard]] std::vector<BarColumn> histogram_columns(const Histogram& histogram,
                                                       const ChartTransform& transform);

struct BarPlace {
    std::size_t series = 0;
    std::size_t bar = 0;
};

/// The bar in whose place this pixel is, whatever its height; of several series the nearest.
[[nodiscard]] std::optional<BarPlace> bar_at(std::span<const BarSeries* const> series, double pixel,
                                             const ChartTransform& transform);

/// Where the bar stands, in pixels. Where there is much room for few, they keep to the middle of their places
/// instead of growing into blocks.
struct BarExtent {
    double left = 0;
    double right = 1;
};
[[nodiscard]] BarExtent bar_extent(std::size_t series, std::size_t series_count, std::size_t bar,
                                   const ChartTransform& transform);

/// All bars of this key together, those of several series that stand side by side as one, from the lowest of
/// them to the highest; pixels. Nothing where there is none.
[[nodiscard]] std::optional<QRectF> bars_of_key(std::span<const BarSeries* const> series, const QVariant& key,
                                                const ChartTransform& transform);

/// Diagonal lines within a rectangle: hatching that every paint device and file format can draw.
[[nodiscard]] QList<QLineF> hatch_lines(const QRectF& rect, double spacing);

} // namespace sparsight
