#include "widgets/graph/graph_painting.h"

#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

namespace {

constexpr double least_text = 5.5;    ///< pixels of a line of text that is still written
constexpr double simple_below = 0.25; ///< scale at which edges are straight and thin lines

QColor marked_colour(const Theme& theme) {
    return theme.lose;
}

QPolygonF arrow_at(const QPointF& tip, double length) {
    return QPolygonF({tip, tip + QPointF(-length * 0.45, -length), tip + QPointF(0, -length * 0.78),
                      tip + QPointF(length * 0.45, -length)});
}

/// Signs along an edge that runs upwards, so that its direction is seen without following it.
void paint_upward_signs(QPainter& painter, const EdgeDrawing& edge, double size) {
    const double length = edge.curve.length();
    if (length < 8 * size)
        return;
    // On the longest vertical part.
    QPointF from;
    QPointF to;
    for (int i = 1; i < edge.curve.elementCount(); ++i) {
        const QPainterPath::Element before = edge.curve.elementAt(i - 1);
        const QPainterPath::Element at = edge.curve.elementAt(i);
        if (at.type == QPainterPath::LineToElement && at.y < before.y &&
            before.y - at.y > from.y() - to.y()) {
            from = before;
            to = at;
        }
    }
    if (from.y() - to.y() < 2 * size)
        return;
    const QPointF middle = from + (to - from) * 0.72; // the label is in the middle
    painter.setBrush(Qt::NoBrush);
    QPen pen = painter.pen();
    pen.setStyle(Qt::SolidLine);
    painter.setPen(pen);
    for (const double step : {-0.5, 0.5}) {
        const QPointF tip = middle + QPointF(0, (step - 0.5) * size);
        painter.drawPolyline(
            QPolygonF({tip + QPointF(-size * 0.6, size * 0.7), tip, tip + QPointF(size * 0.6, size * 0.7)}));
    }
}

} // namespace

QColor role_colour(GraphRole role, const Theme& theme) {
    switch (role) {
    case GraphRole::Plain:
        return theme.reference;
    case GraphRole::Compute:
        return theme.series_colour(0);
    case GraphRole::Vector:
        return theme.series_colour(2);
    case GraphRole::Load:
        return theme.series_colour(4);
    case GraphRole::Store:
        return theme.series_colour(3);
    case GraphRole::Control:
        return theme.series_colour(1);
    case GraphRole::Input:
        return theme.dim_text;
    }
    return theme.reference;
}

QPen edge_pen(const GraphEdge& edge, const Theme& theme, double unit) {
    QPen pen(theme.dim_text, 1.4 * unit);
    pen.setCapStyle(Qt::FlatCap);
    switch (edge.kind) {
    case GraphEdgeKind::Value:
        break;
    case GraphEdgeKind::Ordering:
        pen.setColor(mixed(theme.series_colour(2), theme.text, 0.1));
        pen.setDashPattern({1.5, 2.5});
        break;
    case GraphEdgeKind::Overwriting:
        pen.setColor(mixed(theme.series_colour(1), theme.text, 0.25));
        pen.setDashPattern({6, 2, 1.5, 2});
        break;
    case GraphEdgeKind::Memory:
        pen.setColor(theme.series_colour(6));
        pen.setWidthF(2 * unit);
        break;
    }
    if (edge.dashed)
        pen.setDashPattern({4, 3});
    if (edge.back)
        pen.setColor(mixed(theme.series_colour(3), theme.text, theme.dark ? 0 : 0.25));
    if (edge.marked) {
        pen.setColor(marked_colour(theme));
        pen.setWidthF(2.6 * unit);
    }
    return pen;
}

GraphPainting::GraphPainting(const Graph& graph, const GraphDrawing& drawing, const GraphFonts& fonts,
                             const Theme& theme)
    : graph_(graph)
    , drawing_(drawing)
    , fonts_(fonts)
    , theme_(theme) {}

void GraphPainting::paint(QPainter& painter, const QRectF& visible, double scale,
                          const GraphEmphasis& emphasis) const {
    painter.setRenderHint(QPainter::Antialiasing);
    const auto centre = emphasis.hovered ? emphasis.hovered : emphasis.chosen;
    const auto is_lit = [&](std::size_t e) {
        const EdgeDrawing& edge = drawing_.edges[e];
        return emphasis.hovered_edge == e || (centre && (edge.from == *centre || edge.to == *centre));
    };
    const bool has_lit = centre || emphasis.hovered_edge;
    const bool is_simple = scale < simple_below;
    const bool has_labels = QFontMetricsF(fonts_.label).height() * scale >= least_text * 1.4;
    for (const bool lit : {false, true})
        for (std::size_t e = 0; e < drawing_.edges.size(); ++e) {
            const EdgeDrawing& edge = drawing_.edges[e];
            if (is_lit(e) != lit || !edge.curve.controlPointRect().adjusted(-4, -4, 4, 4).intersects(visible))
                continue;
            if (is_simple && !lit) {
                QPen pen = edge_pen(graph_.edges[edge.edge], theme_, drawing_.unit);
                painter.setPen(QPen(mixed(theme_.surface, pen.color(), has_lit ? 0.25 : 0.6), 0));
                painter.drawPolyline(edge.curve.toSubpathPolygons().value(0));
            } else {
                paint_edge(painter, edge, lit, has_lit && !lit);
            }
        }
    const double line = QFontMetricsF(fonts_.title).height() * scale;
    for (std::size_t n = 0; n < drawing_.nodes.size(); ++n)
        if (drawing_.nodes[n].box.adjusted(-4, -4, 4, 4).intersects(visible))
            paint_node(painter, n, line >= least_text, emphasis);
    for (std::size_t e = 0; has_labels && e < drawing_.edges.size(); ++e)
        if (drawing_.edges[e].label.intersects(visible))
            paint_label(painter, drawing_.edges[e], is_lit(e), has_lit && !is_lit(e));
}

void GraphPainting::paint_edge(QPainter& painter, const EdgeDrawing& edge, bool is_lit, bool is_faint) const {
    QPen pen = edge_pen(graph_.edges[edge.edge], theme_, drawing_.unit);
    if (is_faint)
        pen.setColor(mixed(theme_.surface, pen.color(), 0.35));
    if (is_lit) {
        if (!graph_.edges[edge.edge].marked)
            pen.setColor(theme_.accent);
        pen.setWidthF(pen.widthF() + 0.8 * drawing_.unit);
    }
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(edge.curve);
    if (edge.upwards)
        paint_upward_signs(painter, edge, 6 * drawing_.unit);
    painter.setPen(Qt::NoPen);
    painter.setBrush(pen.color());
    painter.drawPolygon(
        arrow_at(edge.tip, drawing_.arrow * (is_lit || graph_.edges[edge.edge].marked ? 1.2 : 1)));
}

void GraphPainting::paint_label(QPainter& painter, const EdgeDrawing& edge, bool is_lit,
                                bool is_faint) const {
    QColor background = theme_.surface;
    background.setAlphaF(0.9F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(background);
    painter.drawRoundedRect(edge.label, 3 * drawing_.unit, 3 * drawing_.unit);
    painter.setFont(fonts_.label);
    painter.setPen(is_lit ? theme_.text : is_faint ? theme_.disabled_text : theme_.dim_text);
    painter.drawText(edge.label, Qt::AlignCenter | Qt::TextSingleLine, graph_.edges[edge.edge].label);
}

void GraphPainting::paint_node(QPainter& painter, std::size_t number, bool has_text,
                               const GraphEmphasis& emphasis) const {
    const NodeDrawing& drawn = drawing_.nodes[number];
    const GraphNode& node = graph_.nodes[number];
    const double unit = drawing_.unit;
    const double radius = 5 * unit;
    const QColor colour = role_colour(node.role, theme_);
    const bool is_chosen = emphasis.chosen == number;
    const bool is_hovered = emphasis.hovered == number;
    if (is_chosen) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(mixed(theme_.surface, theme_.accent, emphasis.has_focus ? 0.55 : 0.3), 3 * unit));
        painter.drawRoundedRect(drawn.box.adjusted(-3.5 * unit, -3.5 * unit, 3.5 * unit, 3.5 * unit),
                                radius + 3 * unit, radius + 3 * unit);
    }
    // Without its text, a node is all colour.
    const double tint = !has_text ? 0.5 : node.role == GraphRole::Plain ? 0.06 : theme_.dark ? 0.2 : 0.12;
    painter.setBrush(mixed(theme_.surface, colour, is_hovered ? tint + 0.1 : tint));
    const QColor line = is_chosen || is_hovered ? theme_.accent
                        : node.marked           ? marked_colour(theme_)
                                                : mixed(theme_.surface, colour, 0.6);
    painter.setPen(QPen(line, (node.marked || is_chosen ? 2.2 : 1.2) * unit));
    painter.drawRoundedRect(drawn.box, radius, radius);
    if (!has_text)
        return;
    if (node.bar) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(mixed(theme_.surface, colour, 0.25));
        painter.drawRoundedRect(drawn.bar, drawn.bar.height() / 2, drawn.bar.height() / 2);
        QRectF full = drawn.bar;
        full.setWidth(std::max(full.height(), full.width() * std::clamp(*node.bar, 0.0, 1.0)));
        if (*node.bar > 0) {
            painter.setBrush(node.marked ? marked_colour(theme_) : mixed(colour, theme_.surface, 0.15));
            painter.drawRoundedRect(full, full.height() / 2, full.height() / 2);
        }
    }
    const auto write = [&](const QRectF& place, const QFont& font, const QColor& ink, const QString& text) {
        if (text.isEmpty())
            return;
        painter.setFont(font);
        painter.setPen(ink);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip,
                         text);
    };
    write(drawn.title, fonts_.title, theme_.text, drawn.title_text);
    write(drawn.detail, fonts_.detail, theme_.dim_text, drawn.detail_text);
    write(drawn.badge, fonts_.detail,
          node.marked ? mixed(marked_colour(theme_), theme_.text, 0.45) : theme_.dim_text, node.badge);
}

namespace {

struct LegendText {
    Q_DECLARE_TR_FUNCTIONS(sparsight::GraphView)
};

} // namespace

GraphLegend::GraphLegend(const Graph& graph) {
    for (const auto& [role, name] : graph.role_names)
        if (std::ranges::find(graph.nodes, role, &GraphNode::role) != graph.nodes.end())
            entries_.push_back({name, role, {}});
    constexpr std::array kinds{GraphEdgeKind::Value, GraphEdgeKind::Ordering, GraphEdgeKind::Overwriting,
                               GraphEdgeKind::Memory};
    for (const GraphEdgeKind kind : kinds) {
        std::optional<GraphEdge> sample; // the plainest one
        for (const GraphEdge& edge : graph.edges)
            if (edge.kind == kind && (!sample || edge.dashed + edge.back < sample->dashed + sample->back))
                sample = GraphEdge{.kind = kind, .dashed = edge.dashed, .back = edge.back};
        if (sample)
            entries_.push_back({kind_name(graph, kind), std::nullopt, *sample});
    }
    if (!graph.dashed_name.isEmpty() && std::ranges::any_of(graph.edges, &GraphEdge::dashed))
        entries_.push_back({graph.dashed_name, std::nullopt, {.dashed = true}});
    if (std::ranges::any_of(graph.edges, &GraphEdge::back))
        entries_.push_back({graph.back_name.isEmpty() ? LegendText::tr("Loop-carried") : graph.back_name,
                            std::nullopt,
                            {.back = true}});
    if (std::ranges::any_of(graph.edges, &GraphEdge::marked) ||
        std::ranges::any_of(graph.nodes, &GraphNode::marked))
        entries_.push_back({graph.marked_name.isEmpty() ? LegendText::tr("Critical path") : graph.marked_name,
                            std::nullopt,
                            {.marked = true}});
}

std::vector<GraphLegend::Place> GraphLegend::places(double width, const QFont& font) const {
    const QFontMetricsF metrics(font);
    const double margin = 1.5 * grid_step;
    const double line = metrics.height() + grid_step / 2.0;
    std::vector<Place> found;
    double x = margin;
    double y = grid_step / 2.0;
    for (const Entry& entry : entries_) {
        const double sample = entry.role ? metrics.height() * 0.9 : metrics.height() * 1.9;
        const double text = std::ceil(metrics.horizontalAdvance(entry.name)) + 1;
        const double whole = sample + grid_step * 0.75 + text;
        if (x > margin && x + whole > width - margin) {
            x = margin;
            y += line;
        }
        found.push_back({QRectF(x, y, sample, line), QRectF(x + whole - text, y, text, line)});
        x += whole + 2 * grid_step;
    }
    return found;
}

double GraphLegend::height_for(double width, const QFont& font) const {
    const auto all = places(width, font);
    return all.empty() ? 0 : all.back().text.bottom() + grid_step / 2.0;
}

void GraphLegend::paint(QPainter& painter, const QRectF& area, const QFont& font, const Theme& theme) const {
    const auto all = places(area.width(), font);
    const double unit = QFontMetricsF(font).height() / 14;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(area.topLeft());
    painter.setFont(font);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Entry& entry = entries_[i];
        const QRectF& sample = all[i].sample;
        const double middle = sample.center().y();
        if (entry.role) {
            const QColor colour = role_colour(*entry.role, theme);
            const double side = sample.width() * 0.8;
            painter.setPen(QPen(mixed(theme.surface, colour, 0.6), 1.2 * unit));
            painter.setBrush(mixed(theme.surface, colour, theme.dark ? 0.2 : 0.12));
            painter.drawRoundedRect(QRectF(sample.left(), middle - side / 2, sample.width(), side), 3 * unit,
                                    3 * unit);
        } else {
            const QPen pen = edge_pen(entry.edge, theme, unit);
            painter.setPen(pen);
            const double arrow = 7 * unit;
            painter.drawLine(QPointF(sample.left(), middle), QPointF(sample.right() - arrow * 0.8, middle));
            painter.save();
            painter.translate(sample.right(), middle);
            painter.rotate(-90);
            painter.setPen(Qt::NoPen);
            painter.setBrush(pen.color());
            painter.drawPolygon(arrow_at({0, 0}, arrow));
            painter.restore();
        }
        painter.setPen(theme.dim_text);
        painter.drawText(all[i].text,
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip,
                         entry.name);
    }
    painter.restore();
}

} // namespace sparsight
