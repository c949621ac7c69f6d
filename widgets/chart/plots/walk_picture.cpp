#include "widgets/chart/plots/walk_picture.h"

#include "widgets/look/number_text.h"
#include "widgets/table/cell_values.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLineF>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace sparsight {

QString WalkPicture::label_of(std::size_t node) const {
    return nodes[node].label.isEmpty() && name ? name(node) : nodes[node].label;
}

std::vector<std::size_t> path_to(const WalkPicture& picture, std::size_t node) {
    // A node that was passed in several layers has only one predecessor.
    std::unordered_map<std::size_t, std::size_t> from;
    for (const WalkStep& step : picture.steps)
        from.try_emplace(step.node, step.from);
    std::vector<std::size_t> path;
    for (auto step = from.find(node); step != from.end() && path.size() <= picture.steps.size();
         step = from.find(step->second)) {
        path.push_back(step->first);
        if (step->second == step->first) {
            std::ranges::reverse(path);
            return path;
        }
    }
    return {};
}

std::vector<std::size_t> path_to_best(const WalkPicture& picture) {
    const auto best = std::ranges::find(picture.nodes, 1, &WalkNode::rank);
    return best == picture.nodes.end()
               ? std::vector<std::size_t>{}
               : path_to(picture, static_cast<std::size_t>(best - picture.nodes.begin()));
}

QString score_name(const WalkPicture& picture) {
    return picture.score_name.isEmpty()
               ? QCoreApplication::translate("sparsight::WalkPlot", "predicted score")
               : picture.score_name;
}

QString score_text(const WalkPicture& picture, double score) {
    return picture.scores_are_times ? duration_text(score) : significant(score);
}

QString walk_csv(const WalkPicture& picture) {
    std::unordered_map<std::size_t, std::size_t> order;
    for (std::size_t i = 0; i < picture.steps.size(); ++i)
        order.try_emplace(picture.steps[i].node, i);
    QList<QStringList> lines{{QStringLiteral("name"), QStringLiteral("x"), QStringLiteral("y"),
                              QStringLiteral("score"), QStringLiteral("rank"), QStringLiteral("seen"),
                              QStringLiteral("step"), QStringLiteral("from"), QStringLiteral("layer")}};
    for (std::size_t i = 0; i < picture.nodes.size(); ++i) {
        const WalkNode& node = picture.nodes[i];
        QStringList line{node.key.toString(),
                         exported_number(node.x),
                         exported_number(node.y),
                         exported_number(node.score),
                         node.rank > 0 ? QString::number(node.rank) : QString(),
                         node.seen ? QStringLiteral("1") : QStringLiteral("0")};
        if (const auto at = order.find(i); at != order.end()) {
            const WalkStep& step = picture.steps[at->second];
            line << QString::number(at->second + 1)
                 << (step.from == i ? QString() : picture.nodes[step.from].key.toString())
                 << QString::number(step.layer);
        } else {
            line << QString() << QString() << QString();
        }
        lines << line;
    }
    return csv_text(lines);
}

namespace {

struct WalkPictureText {
    Q_DECLARE_TR_FUNCTIONS(sparsight::WalkPlot)
};

constexpr double reach = 10;        ///< of the mouse, in pixels
constexpr double usual_letter = 14; ///< the line height of the usual font

ChartAxis axis_of(const QString& name, double explained) {
    ChartAxis axis;
    axis.title = WalkPictureText::tr("%1, %2 % of the variance").arg(name, significant(explained * 100, 2));
    return axis;
}

/// With a margin on all sides, so that no mark is cut off at the edge.
ChartScale aired(double low, double high) {
    if (!(low < high))
        return fitted_scale(low, high, false);
    const double air = 0.05 * (high - low);
    return {false, low - air, high + air};
}

/// The step that expanded the node first; the number of steps where none did.
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
    scene.content.x = axis_of(WalkPictureText::tr("first principal component"), picture.explained[0]);
    scene.content.y = axis_of(WalkPictureText::tr("second principal component"), picture.explained[1]);
    ScatterSeries any; // a chart without a series is not painted
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
        // Larger marks lie on top; of two found nodes the better one.
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
    hover.title = scene.picture.label_of(node);
    hover.key = one.key;
    const double middle = scene.colours.middle();
    const ChartColour colour = one.reference        ? ChartColour::Reference
                               : one.score < middle ? ChartColour::Win
                                                    : ChartColour::Lose;
    hover.lines.push_back({colour, QStringLiteral("%1 %2").arg(score_name(scene.picture),
                                                               score_text(scene.picture, one.score))});
    if (one.rank > 0)
        hover.lines.push_back(
            {std::nullopt, WalkPictureText::tr("found, rank %1").arg(count_text(one.rank))});
    const auto step = step_of(scene.picture, node);
    if (step < scene.picture.steps.size()) {
        const QString when = WalkPictureText::tr("expanded as %1 of %2")
                                 .arg(count_text(static_cast<qint64>(step) + 1),
                                      count_text(static_cast<qint64>(scene.picture.steps.size())));
        const int layer = scene.picture.steps[step].layer;
        hover.lines.push_back(
            {std::nullopt, layer > 0
                               ? WalkPictureText::tr("%1, in layer %2 above the bottom").arg(when).arg(layer)
                               : when});
    } else if (!scene.picture.steps.empty() && !one.reference) {
        hover.lines.push_back(
            {std::nullopt, one.seen ? WalkPictureText::tr("scored, its neighbours were not looked at")
                                    : WalkPictureText::tr("the walk did not come by here")});
    }
    return hover;
}

} // namespace sparsight
