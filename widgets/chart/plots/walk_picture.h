// A search drawn as a walk: points on a plane with their scores and the steps made between them, as plain
// values; its layout at a size, and how it is painted.
#pragma once

#include "widgets/chart/chart_hover.h"
#include "widgets/chart/chart_layout.h"
#include "widgets/chart/plot_parts.h"

#include <QString>
#include <QVariant>
#include <array>
#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

struct Theme;

struct WalkNode {
    double x = 0;
    double y = 0;
    double score = 0;       ///< lower is better; NaN: unknown
    QString label{};        ///< empty: WalkPicture::name
    QVariant key{};         ///< the argument of picked()
    int rank = 0;           ///< rank among the found nodes, from 1 for the best; 0: not found
    bool seen = true;       ///< the walk has looked at it
    bool reference = false; ///< the node that the others are compared with
};

/// A node whose neighbours were looked at. Numbers are indices into WalkPicture::nodes.
struct WalkStep {
    std::size_t node = 0;
    std::size_t from = 0; ///< the node itself for the start of the walk
    int layer = 0;        ///< 0: the bottom layer, which has all nodes
};

struct WalkPicture {
    QString title{};
    std::vector<WalkNode> nodes{};
    std::vector<WalkStep> steps{};     ///< in the order in which they were made
    std::array<double, 2> explained{}; ///< the shares of the variance along x and y
    QString score_name{};              ///< the quantity that the colours show; empty: the predicted score
    bool scores_are_times = false;     ///< scores are in milliseconds
    QString reference_name{};          ///< "fixed CSR"
    /// Names a node when somebody looks at it: there are thousands.
    std::function<QString(std::size_t node)> name{};

    [[nodiscard]] QString label_of(std::size_t node) const;
};

/// The nodes on the walk from its start to this node, both included; empty where the walk did not reach it.
[[nodiscard]] std::vector<std::size_t> path_to(const WalkPicture& picture, std::size_t node);

/// The path to the best node found.
[[nodiscard]] std::vector<std::size_t> path_to_best(const WalkPicture& picture);

/// "predicted score", or the other quantity that the colours show.
[[nodiscard]] QString score_name(const WalkPicture& picture);
/// With its unit, where it has one.
[[nodiscard]] QString score_text(const WalkPicture& picture, double score);

/// Every node: key, position, score, rank, and when the walk expanded it.
[[nodiscard]] QString walk_csv(const WalkPicture& picture);

struct WalkScene {
    const WalkPicture& picture;
    const ScoreColours& colours;
    const std::vector<std::size_t>& path; ///< to the best
    ChartContent content;                 ///< the titles of the chart around the nodes
    ChartLayout layout;
    ChartFonts fonts;
    QRectF chart;    ///< with titles and axes
    QRectF legend;   ///< below the chart
    double unit = 1; ///< scales the marks with the font
};

struct WalkView {
    ChartScale x;
    ChartScale y;
};

/// The view that shows all nodes.
[[nodiscard]] WalkView whole_view(const WalkPicture& picture);

[[nodiscard]] WalkScene walk_scene(const WalkPicture& picture, const ScoreColours& colours,
                                   const std::vector<std::size_t>& path, const WalkView& view,
                                   const QSizeF& size, const QSizeF& tools, const ChartFonts& fonts,
                                   const NumberStyle& numbers);

/// The node nearest to the mouse, if one is near. Among several, found nodes come before expanded ones, and
/// these before the others.
[[nodiscard]] std::optional<std::size_t> node_at(const WalkScene& scene, const QPointF& mouse);
/// The tooltip of a node.
[[nodiscard]] ChartHover hover_of(const WalkScene& scene, std::size_t node);

void paint_walk(QPainter& painter, const WalkScene& scene, const Theme& theme,
                std::optional<std::size_t> selected);
void paint_walk_legend(QPainter& painter, const WalkScene& scene, const Theme& theme);
/// In pixels.
[[nodiscard]] double walk_legend_height(const ChartFonts& fonts);

} // namespace sparsight
