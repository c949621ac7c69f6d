#include "widgets/chart/walk_scene.h"

#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLineF>
#include <algorithm>
#include <cmath>
#include <limits>

namespace sparsight {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(sparsight::WalkPlot)
};

constexpr double reach = 10;        ///< of the mouse, in pixels
constexpr double usual_letter = 14; ///< the height of a line in the usual font

ChartAxis axis_of(const QString& name, double explained) {
    ChartAxis axis;
    axis.title = Text::tr("%1, %2 % of the variance").arg(name, significant(explained * 100, 2));
    return axis;
}

/// With air on all sides: no mark is cut off at the edge.
ChartScale aired(double low, double high) {
    if (!(low < high))
        return fitted_scale(low, high, false);
    const double air = 0.05 * (high - low);
    return {false, low - air, high + air};
}

/// Where it was expanded first; as many as there are steps where it was not.
std::size_t step_of(const WalkPicture& picture, std::size_t node) {
    return static_cast<std::size_t>(std::ranges::find(picture.steps, node, &WalkStep::node) -
                                    picture.steps.begin());
}

} // namespace

WalkView whole_view(const WalkPicture& picture) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double left = infinity;
    double right = -infinity;
    double low = infinity;
    double high = -infinity;
    for (const WalkNode& node : picture.nodes) {
        left = std::min(left, node.x);
        right = std::max(right, node.x);
        low = std::min(low, node.y);
        high = std::max(high, node.y);
    }
    return {aired(left, right), aired(low, high)};
}

double walk_legend_height(const ChartFonts& fonts) {
    return std::ceil(2 * QFontMetricsF(fonts.caption).height() + 14);
}

WalkScene walk_scene(const WalkPicture& picture, const ScoreColours& colours,
                     const std::vector<std::size_t>& path, const WalkView& view, const QSizeF& size,
                     const QSizeF& tools, const ChartFonts& fonts, const NumberStyle& numbers) {
    WalkScene scene{picture, colours, path, {}, {}, fonts, {}, {}, 1};
    scene.content.title = picture.title;
    scene.content.x = axis_of(Text::tr("first principal component"), picture.explained[0]);
    scene.content.y = axis_of(Text::tr("second principal component"), picture.explained[1]);
    ScatterSeries any; // of a chart without a series nothing is painted
    any.points.push_back({});
    scene.content.series.emplace_back(std::move(any));
    const double legend = walk_legend_height(fonts);
    scene.chart = QRectF(0, 0, size.width(), std::max(1.0, size.height() - legend));
    scene.legend = QRectF(0, scene.chart.bottom(), size.width(), legend);
    scene.layout = lay_out_chart(scene.content, view.x, view.y, scene.chart.size(), tools, fonts, numbers);
    scene.unit = std::clamp(QFontMetricsF(fonts.caption).height() / usual_letter, 0.8, 2.0);
    return scene;
}

std::optional<std::size_t> node_at(const WalkScene& scene, const QPointF& mouse) {
    const ChartTransform& transform = scene.layout.transform;
    if (!transform.area.contains(mouse))
        return std::nullopt;
    std::vector<bool> is_expanded(scene.picture.nodes.size(), false);
    for (const WalkStep& step : scene.picture.steps)
        is_expanded[step.node] = true;
    std::optional<std::size_t> nearest;
    double least = reach * scene.unit;
    for (std::size_t i = 0; i < scene.picture.nodes.size(); ++i) {
        const WalkNode& node = scene.picture.nodes[i];
        // The larger marks lie on top; of two that were found the better one.
        const double size = node.rank > 0 ? 6 - 0.01 * node.rank : is_expanded[i] ? 3 : 1;
        const QPointF place(transform.pixel_x(node.x), transform.pixel_y(node.y));
        const double distance = QLineF(mouse, place).length() - size * scene.unit;
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

ChartHover hover_of(const WalkScene& scene, std::size_t node) {
    const WalkNode& one = scene.picture.nodes[node];
    const ChartTransform& transform = scene.layout.transform;
    ChartHover hover;
    hover.place = QPointF(transform.pixel_x(one.x), transform.pixel_y(one.y));
    hover.title = one.label;
    hover.key = one.key;
    const double middle = scene.colours.middle();
    const ChartColour colour = one.reference        ? ChartColour::Reference
                               : one.score < middle ? ChartColour::Win
                                                    : ChartColour::Lose;
    hover.lines.push_back({colour, QStringLiteral("%1 %2").arg(score_name(scene.picture),
                                                               score_text(scene.picture, one.score))});
    if (one.rank > 0)
        hover.lines.push_back({std::nullopt, Text::tr("found, rank %1").arg(count_text(one.rank))});
    const auto step = step_of(scene.picture, node);
    if (step < scene.picture.steps.size()) {
        const QString when = Text::tr("expanded as %1 of %2")
                                 .arg(count_text(static_cast<qint64>(step) + 1),
                                      count_text(static_cast<qint64>(scene.picture.steps.size())));
        const int layer = scene.picture.steps[step].layer;
        hover.lines.push_back(
            {std::nullopt,
             layer > 0 ? Text::tr("%1, in layer %2 above the bottom").arg(when).arg(layer) : when});
    } else if (!scene.picture.steps.empty() && !one.reference) {
        hover.lines.push_back({std::nullopt, one.seen ? Text::tr("scored, its neighbours were not looked at")
                                                      : Text::tr("the walk did not come by here")});
    }
    return hover;
}

} // namespace sparsight
