#include "widgets/graph/graph_drawing.h"

#include "widgets/graph/edge_labels.h"
#include "widgets/graph/layout/layered_layout.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace sparsight {

namespace {

constexpr double widest_title = 42; ///< average characters; longer ones are cut
constexpr double usual_line = 16;   ///< height of a line of text, for which lengths are chosen
constexpr std::size_t most_labels = 3000;

class NodeSizes {
public:
    NodeSizes(const GraphFonts& fonts, double unit)
        : title_(fonts.title)
        , detail_(fonts.detail)
        , padding_(9 * unit)
        , gap_(12 * unit)
        , bar_(3 * unit)
        , unit_(unit) {}

    /// At the origin.
    [[nodiscard]] NodeDrawing measure(const GraphNode& node) const {
        NodeDrawing made;
        const double most = widest_title * title_.averageCharWidth();
        made.title_text = title_.elidedText(node.title, Qt::ElideRight, most);
        made.detail_text = detail_.elidedText(node.detail, Qt::ElideRight, most);
        const double badge = node.badge.isEmpty() ? 0 : std::ceil(detail_.horizontalAdvance(node.badge));
        const bool has_second_line = !node.detail.isEmpty();
        const double title_width = std::ceil(title_.horizontalAdvance(made.title_text)) + 1;
        const double detail_width = std::ceil(detail_.horizontalAdvance(made.detail_text)) + 1;
        const double badge_room = badge > 0 ? badge + gap_ : 0;
        const double content = std::max({title_width + (has_second_line ? 0 : badge_room),
                                         has_second_line ? detail_width + badge_room : 0, 36 * unit_});
        double y = std::round(5 * unit_);
        made.title = {padding_, y, title_width, title_.height()};
        QRectF line = made.title;
        y += title_.height();
        if (has_second_line) {
            made.detail = {padding_, y, detail_width, detail_.height()};
            line = made.detail;
            y += detail_.height();
        }
        if (badge > 0)
            made.badge = {padding_ + content - badge, line.top(), badge + 1, line.height()};
        y += std::round(5 * unit_);
        if (node.bar) {
            made.bar = {padding_, y - 2 * unit_, content, bar_};
            y += bar_ + 2 * unit_;
        }
        made.box = {0, 0, std::ceil(content + 2 * padding_), std::ceil(y)};
        return made;
    }

private:
    QFontMetricsF title_;
    QFontMetricsF detail_;
    double padding_;
    double gap_;
    double bar_;
    double unit_;
};

void move_to(NodeDrawing& node, const QPointF& corner) {
    for (QRectF* const part : {&node.box, &node.title, &node.detail, &node.badge, &node.bar})
        part->translate(corner);
}

/// Room for a label between two layers.
LayoutSpacing spacing_for(const Graph& graph, double unit, double label_height) {
    LayoutSpacing spacing;
    const bool has_labels =
        std::ranges::any_of(graph.edges, [](const GraphEdge& edge) { return !edge.label.isEmpty(); });
    spacing.nodes *= unit;
    spacing.edges *= unit;
    spacing.layers =
        has_labels ? std::max(spacing.layers * unit, 2 * label_height + 26 * unit) : spacing.layers * unit;
    spacing.ports *= has_labels ? 1.5 * unit : unit;
    spacing.turns *= unit;
    spacing.components *= unit;
    return spacing;
}

double label_width(const QString& label, const QFontMetricsF& metrics, double unit) {
    return std::ceil(metrics.horizontalAdvance(label)) + 6 * unit;
}

void place_labels(GraphDrawing& drawing, const Graph& graph, const QFontMetricsF& metrics) {
    const auto has_label = [&](const EdgeDrawing& edge) { return !graph.edges[edge.edge].label.isEmpty(); };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(drawing.edges, has_label));
    if (count == 0 || count > most_labels)
        return;
    std::vector<QRectF> boxes;
    std::vector<QPainterPath> curves;
    for (const NodeDrawing& node : drawing.nodes)
        boxes.push_back(node.box);
    for (const EdgeDrawing& edge : drawing.edges) { // arrows stay visible
        boxes.emplace_back(edge.tip.x() - drawing.arrow / 2, edge.tip.y() - drawing.arrow, drawing.arrow,
                           drawing.arrow);
        curves.push_back(edge.curve);
    }
    const double margin = 6 * drawing.unit;
    LabelPlaces places(QRectF({0, 0}, drawing.size).adjusted(-margin, -margin, margin, margin), boxes,
                       curves);
    // What is marked comes first, so that it has room.
    for (const bool marked : {true, false})
        for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
            const GraphEdge& edge = graph.edges[drawing.edges[e].edge];
            if (edge.marked == marked && has_label(drawing.edges[e]))
                drawing.edges[e].label =
                    places.take(e, {label_width(edge.label, metrics, drawing.unit), metrics.height()});
        }
}

} // namespace

GraphFonts graph_fonts(const Graph& graph) {
    GraphFonts fonts{graph.titles_are_code ? monospace_font() : QApplication::font(), caption_font(),
                     caption_font()};
    if (!graph.titles_are_code)
        fonts.title.setWeight(QFont::DemiBold);
    return fonts;
}

QPainterPath curve_through(const std::vector<QPointF>& points, double radius) {
    QPainterPath path(points.front());
    const auto direction = [](double from, double to) { return to < from ? -1.0 : 1.0; };
    for (std::size_t i = 1; i < points.size(); ++i) {
        const QPointF& from = points[i - 1];
        const QPointF& to = points[i];
        const bool is_turn = i >= 2 && i + 1 < points.size() && from.y() == to.y();
        const bool turn_follows = i + 2 < points.size() && to.y() == points[i + 1].y();
        if (is_turn) {
            const QPointF& next = points[i + 1];
            const double corner =
                std::min({radius, std::abs(to.x() - from.x()) / 2, std::abs(from.y() - points[i - 2].y()),
                          std::abs(next.y() - to.y())});
            const double side = direction(from.x(), to.x()) * corner;
            path.lineTo(from.x(), from.y() - direction(points[i - 2].y(), from.y()) * corner);
            path.quadTo(from, from + QPointF(side, 0));
            path.lineTo(to - QPointF(side, 0));
            path.quadTo(to, to + QPointF(0, direction(to.y(), next.y()) * corner));
        } else if (from.x() != to.x()) {
            const double middle = (from.y() + to.y()) / 2;
            path.cubicTo({from.x(), middle}, {to.x(), middle}, to);
        } else if (!turn_follows) {
            path.lineTo(to);
        }
    }
    return path;
}

GraphDrawing draw_graph(const Graph& graph, const GraphFonts& fonts) {
    GraphDrawing drawing;
    const QFontMetricsF label(fonts.label);
    drawing.unit = QFontMetricsF(fonts.title).height() / usual_line;
    drawing.arrow = 8 * drawing.unit;

    LayoutInput input;
    std::unordered_map<int, std::size_t> number_of;
    const NodeSizes sizes(fonts, drawing.unit);
    for (const GraphNode& node : graph.nodes) {
        number_of.emplace(node.id, drawing.nodes.size());
        drawing.nodes.push_back(sizes.measure(node));
        input.nodes.push_back(drawing.nodes.back().box.size());
    }
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto from = number_of.find(graph.edges[e].from);
        const auto to = number_of.find(graph.edges[e].to);
        if (from == number_of.end() || to == number_of.end())
            continue;
        const bool is_labelled_loop = from == to && !graph.edges[e].label.isEmpty();
        input.edges.push_back(
            {.from = from->second,
             .to = to->second,
             .back = graph.edges[e].back,
             .label_room = is_labelled_loop ? label_width(graph.edges[e].label, label, drawing.unit) : 0});
        drawing.edges.push_back(
            {.edge = e, .from = from->second, .to = to->second, .curve = {}, .tip = {}, .label = {}});
    }
    const LayeredLayout layout = lay_out_in_layers(input, spacing_for(graph, drawing.unit, label.height()));
    drawing.size = layout.size;
    for (std::size_t n = 0; n < drawing.nodes.size(); ++n)
        move_to(drawing.nodes[n], layout.nodes[n].topLeft());
    drawing.edges_of.resize(drawing.nodes.size());
    for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
        EdgeDrawing& edge = drawing.edges[e];
        auto points = layout.routes[e].points;
        edge.upwards = layout.routes[e].upwards;
        edge.tip = points.back();
        points.back().ry() -=
            std::min(drawing.arrow * 0.8, (points.back().y() - points[points.size() - 2].y()) / 2);
        edge.curve = curve_through(points, 10 * drawing.unit);
        drawing.edges_of[edge.from].push_back(e);
        if (edge.to != edge.from)
            drawing.edges_of[edge.to].push_back(e);
    }
    place_labels(drawing, graph, label);
    return drawing;
}

std::optional<std::size_t> GraphDrawing::node_at(const QPointF& point) const {
    const auto found =
        std::ranges::find_if(nodes, [&](const NodeDrawing& node) { return node.box.contains(point); });
    if (found == nodes.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - nodes.begin());
}

std::optional<std::size_t> GraphDrawing::edge_at(const QPointF& point, double distance) const {
    std::optional<std::size_t> nearest;
    double least = distance;
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (edges[e].label.contains(point))
            return e;
        if (!edges[e].curve.boundingRect().adjusted(-least, -least, least, least + arrow).contains(point))
            continue;
        const double length = edges[e].curve.length();
        const int steps = std::max(2, static_cast<int>(length / std::max(distance, 1.0)));
        for (int step = 0; step <= steps; ++step) {
            const QPointF there = edges[e].curve.pointAtPercent(static_cast<double>(step) / steps) - point;
            if (const double away = std::hypot(there.x(), there.y()); away <= least) {
                least = away;
                nearest = e;
            }
        }
    }
    return nearest;
}

std::optional<std::size_t> neighbour_towards(const GraphDrawing& drawing, std::size_t node,
                                             WalkDirection direction) {
    const QRectF& here = drawing.nodes[node].box;
    const bool is_vertical = direction == WalkDirection::Up || direction == WalkDirection::Down;
    std::optional<std::size_t> best;
    double least = std::numeric_limits<double>::max();
    const auto offer = [&](std::size_t other, double distance) {
        if (other != node && distance < least) {
            least = distance;
            best = other;
        }
    };
    if (is_vertical)
        for (const std::size_t e : drawing.edges_of[node]) {
            const EdgeDrawing& edge = drawing.edges[e];
            const std::size_t other = direction == WalkDirection::Down ? edge.to : edge.from;
            if (!edge.upwards && other != node)
                offer(other, std::abs(drawing.nodes[other].box.center().x() - here.center().x()));
        }
    if (best)
        return best;
    for (std::size_t other = 0; other < drawing.nodes.size(); ++other) {
        const QRectF& there = drawing.nodes[other].box;
        const QPointF step = there.center() - here.center();
        switch (direction) {
        case WalkDirection::Up:
            if (there.bottom() <= here.top())
                offer(other, -step.y() + std::abs(step.x()) / 2);
            break;
        case WalkDirection::Down:
            if (there.top() >= here.bottom())
                offer(other, step.y() + std::abs(step.x()) / 2);
            break;
        case WalkDirection::Left:
        case WalkDirection::Right: {
            const double aside = direction == WalkDirection::Left ? -step.x() : step.x();
            if (aside > 0 && there.top() < here.bottom() && there.bottom() > here.top())
                offer(other, aside);
            break;
        }
        }
    }
    return best;
}

} // namespace sparsight
