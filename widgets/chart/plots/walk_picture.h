// A search drawn as a walk: points on a plane, how good each is, and the steps that were made among them. As
// plain values.
#pragma once

#include "widgets/chart/chart_hover.h"
#include "widgets/chart/chart_layout.h"
#include "widgets/chart/plot_painting.h"

#include <QString>
#include <QVariant>
#include <array>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

struct WalkNode {
    double x = 0;
    double y = 0;
    double score = 0; ///< lower is better; NaN: unknown
    QString label{};
    QVariant key{};         ///< what picked() says
    int rank = 0;           ///< among what was found, 1 the best; 0: not found
    bool seen = true;       ///< the walk has looked at it
    bool reference = false; ///< what the others are compared with
};

/// A node whose neighbours were looked at. Numbers are places in WalkPicture::nodes.
struct WalkStep {
    std::size_t node = 0;
    std::size_t from = 0; ///< itself: where the walk began
    int layer = 0;        ///< 0: the bottom one, which has all nodes
};

struct WalkPicture {
    QString title{};
    std::vector<WalkNode> nodes{};
    std::vector<WalkStep> steps{};     ///< in the order in which they were made
    std::array<double, 2> explained{}; ///< the shares of the variance along x and y
    QString score_name{};              ///< what the colours tell; empty: the predicted score
    bool scores_are_times = false;     ///< in milliseconds
    QString reference_name{};          ///< "fixed CSR"
};

/// The nodes by which the walk came from its beginning to this one, both included; empty where it did not.
[[nodiscard]] std::vector<std::size_t> path_to(const WalkPicture& picture, std::size_t node);

/// That of the best that was found.
[[nodiscard]] std::vector<std::size_t> path_to_best(const WalkPicture& picture);

/// "predicted score", or what else the colours tell.
[[nodiscard]] QString score_name(const WalkPicture& picture);
/// With its unit, where it has one.
[[nodiscard]] QString score_text(const WalkPicture& picture, double score);

/// Every node: key, place, score, rank, and when the walk expanded it.
[[nodiscard]] QString walk_csv(const WalkPicture& picture);

// A walk at a size: where each node stands, what lies under the mouse, and how it is painted.

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
