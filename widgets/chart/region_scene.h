// A plane of regions at a size, with its axes and the list of owners beside it, and how it is painted.
#pragma once

#include "widgets/chart/chart_layout.h"
#include "widgets/chart/region_picture.h"

class QPainter;

namespace sparsight {

struct Theme;

struct RegionScene {
    const RegionPicture& picture;
    std::vector<double> x_edges;
    std::vector<double> y_edges;
    ChartContent content; ///< of the chart around the cells
    ChartLayout layout;
    ChartFonts fonts;
    QRectF chart;  ///< with titles and axes
    QRectF legend; ///< at its right

    [[nodiscard]] QRectF cell(const RegionCell& cell) const;
    /// Where one stands, in pixels; at the border where it lies outside.
    [[nodiscard]] std::optional<QPointF> here() const;
    /// Where the letter of each owner stands: never across the lines through here().
    [[nodiscard]] std::vector<std::optional<QRectF>> letters() const;
    /// A row of the list of owners.
    [[nodiscard]] QRectF owner_row(std::size_t owner) const;
};

[[nodiscard]] RegionScene region_scene(const RegionPicture& picture, const QSizeF& size, const QSizeF& tools);

/// Nothing beside the cells.
[[nodiscard]] std::optional<RegionCell> cell_at(const RegionScene& scene, const QPointF& point);
[[nodiscard]] std::optional<std::size_t> owner_at(const RegionScene& scene, const QPointF& point);

struct RegionLook {
    QString selected; ///< key of an owner
    std::optional<RegionCell> lit;
};
void paint_regions(QPainter& painter, const RegionScene& scene, const Theme& theme, const RegionLook& look);

} // namespace sparsight
