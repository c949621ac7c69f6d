// A walk at a size: where each node stands, what lies under the mouse, and how it is painted.
#pragma once

#include "widgets/chart/chart_hover.h"
#include "widgets/chart/chart_layout.h"
#include "widgets/chart/score_colours.h"
#include "widgets/chart/walk_picture.h"

class QPainter;

namespace sparsight {

struct Theme;

struct WalkScene {
    const WalkPicture& picture;
    const ScoreColours& colours;
    const std::vector<std::size_t>& path; ///< to the best
    ChartContent content;                 ///< the titles of the chart around the nodes
    ChartLayout layout;
    ChartFonts fonts;
    QRectF chart;    ///< with titles and axes
    QRectF legend;   ///< below it
    double unit = 1; ///< sizes of marks grow with the font
};

struct WalkView {
    ChartScale x;
    ChartScale y;
};

/// What shows all nodes.
[[nodiscard]] WalkView whole_view(const WalkPicture& picture);

[[nodiscard]] WalkScene walk_scene(const WalkPicture& picture, const ScoreColours& colours,
                                   const std::vector<std::size_t>& path, const WalkView& view,
                                   const QSizeF& size, const QSizeF& tools, const ChartFonts& fonts,
                                   const NumberStyle& numbers);

/// The node that is nearest to the mouse, if one is near: of several what was found before what was expanded
/// before the others.
[[nodiscard]] std::optional<std::size_t> node_at(const WalkScene& scene, const QPointF& mouse);
/// What to say of it.
[[nodiscard]] ChartHover hover_of(const WalkScene& scene, std::size_t node);

void paint_walk(QPainter& painter, const WalkScene& scene, const Theme& theme,
                std::optional<std::size_t> selected);
void paint_walk_legend(QPainter& painter, const WalkScene& scene, const Theme& theme);
/// In pixels.
[[nodiscard]] double walk_legend_height(const ChartFonts& fonts);

} // namespace sparsight
