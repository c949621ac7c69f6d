#include "widgets/graph/graph_view.h"

#include "widgets/chart/plot_menu.h"
#include "widgets/chart/plot_parts.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace sparsight {

namespace {

constexpr double graph_margin = 2.0 * grid_step; ///< pixels around the drawing
constexpr double legible_scale = 0.5;
constexpr double least_scale = 0.001;

/// Whether the new value is of what the old one was.
bool continues(const Graph& old, const Graph& next) {
    if (!old.subject.isEmpty() || !next.subject.isEmpty())
        return old.subject == next.subject;
    const auto ids = [](const Graph& graph) {
        std::set<int> found;
        for (const GraphNode& node : graph.nodes)
            found.insert(node.id);
        return found;
    };
    return ids(old) == ids(next);
}

} // namespace

GraphView::GraphView(QWidget* parent)
    : QAbstractScrollArea(parent)
    , empty_text_(tr("No graph to show."))
    , fonts_(graph_fonts(graph_))
    , legend_(graph_)
    , tools_(new PlotMenuButton(
          *viewport(), tr("Copy, export, zoom"), tr("Menu of the graph"),
          [this](QMenu& menu) { fill_menu(menu); }, [this] { return exported(); })) {
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Graph"));
    viewport()->setMouseTracking(true);
    tools_->set_offered(false);
    connect(tools_, &PlotMenuButton::exported_to, this, &GraphView::exported_to);
    connect(tools_, &PlotMenuButton::export_failed, this, &GraphView::export_failed);
    describe();
}

void GraphView::set_graph(Graph graph) {
    const bool is_same = !graph_.empty() && continues(graph_, graph);
    // A node that stays where it is on the screen: the chosen one, or that in the middle.
    std::optional<int> anchor;
    QPointF anchor_place;
    if (is_same && fit_ == Fit::None) {
        double least = 0;
        for (const GraphNode& node : graph_.nodes) {
            const QPointF place = node_rect(node.id).center();
            const QPointF away = place - body().center();
            const double distance =
                chosen_ == node.id && body().contains(place) ? -1 : std::hypot(away.x(), away.y());
            const bool remains = std::ranges::find(graph.nodes, node.id, &GraphNode::id) != graph.nodes.end();
            if (remains && (!anchor || distance < least)) {
                anchor = node.id;
                anchor_place = place;
                least = distance;
            }
        }
    }
    graph_ = std::move(graph);
    if (!is_same)
        fit_ = Fit::Beginning;
    end_hover();
    tools_->set_offered(!graph_.empty());
    setAccessibleName(graph_.title.isEmpty() ? tr("Graph") : graph_.title);
    draw_again();
    if (anchor)
        pan(anchor_place - node_rect(*anchor).center());
    if (chosen_ && (!is_same || !number_of(chosen_))) {
        chosen_.reset();
        Q_EMIT node_chosen(std::nullopt);
    }
    describe();
}

void GraphView::set_empty_text(const QString& text) {
    empty_text_ = text;
    describe();
    viewport()->update();
}

void GraphView::draw_again() {
    fonts_ = graph_fonts(graph_);
    drawing_ = draw_graph(graph_, fonts_);
    legend_ = GraphLegend(graph_);
    hovered_.reset();
    hovered_edge_.reset();
    fit();
    updateGeometry();
    viewport()->update();
}

QRectF GraphView::body() const {
    return QRectF(viewport()->rect()).adjusted(0, 0, 0, -legend_height_);
}

double GraphView::top_margin() const {
    return std::max(graph_margin, tools_->room().height());
}

QSizeF GraphView::room() const {
    return QSizeF(maximumViewportSize()) -
           QSizeF(2 * graph_margin, top_margin() + graph_margin + legend_height_);
}

double GraphView::bar_width() const {
    return verticalScrollBar()->sizeHint().width();
}

double GraphView::legend_width() const {
    return maximumViewportSize().width() - bar_width(); // with and without the bar
}

double GraphView::whole_scale() const {
    if (graph_.empty())
        return 1;
    return std::clamp(
        std::min(room().width() / drawing_.size.width(), room().height() / drawing_.size.height()),
        least_scale, 1.0);
}

void GraphView::fit() {
    legend_height_ = graph_.empty() ? 0 : std::ceil(legend_.height_for(legend_width(), fonts_.label));
    bool begins_at_top = false;
    if (fit_ != Fit::None)
        scale_ = whole_scale();
    if (fit_ == Fit::Beginning && scale_ < legible_scale) {
        const double width_scale = (room().width() - bar_width()) / std::max(1.0, drawing_.size.width());
        if (width_scale >= legible_scale) {
            scale_ = std::min(1.0, width_scale);
            begins_at_top = true;
        }
    }
    update_scroll_bars();
    if (begins_at_top)
        verticalScrollBar()->setValue(0);
    viewport()->update();
}

void GraphView::update_scroll_bars() {
    const QSizeF margins(2 * graph_margin, top_margin() + graph_margin);
    const QSizeF size = graph_.empty() ? QSizeF(0, 0) : drawing_.size * scale_ + margins;
    // Each bar takes room of the other direction. The bars that are shown now do not count.
    QSizeF page = QSizeF(maximumViewportSize()) - QSizeF(0, legend_height_);
    const auto exceeds = [](double whole, double part) { return whole > part + 1; };
    const bool is_high = exceeds(size.height(), page.height());
    const bool is_wide = exceeds(size.width(), page.width() - (is_high ? bar_width() : 0));
    if (is_wide)
        page.rheight() -= bar_width();
    if (exceeds(size.height(), page.height()))
        page.rwidth() -= bar_width();
    const auto set = [&](QScrollBar* bar, double whole, double part) {
        bar->setPageStep(std::max(1, static_cast<int>(part)));
        bar->setSingleStep(3 * grid_step);
        bar->setRange(0, exceeds(whole, part) ? static_cast<int>(std::ceil(whole - part)) : 0);
    };
    set(horizontalScrollBar(), size.width(), page.width());
    set(verticalScrollBar(), size.height(), page.height());
}

QPointF GraphView::origin() const {
    const QSizeF free(body().width() - drawing_.size.width() * scale_,
                      body().height() - drawing_.size.height() * scale_ - top_margin() - graph_margin);
    return {horizontalScrollBar()->maximum() > 0 ? graph_margin - horizontalScrollBar()->value()
                                                 : std::max(0.0, free.width() / 2),
            top_margin() + (verticalScrollBar()->maximum() > 0 ? -verticalScrollBar()->value()
                                                               : std::max(0.0, free.height() / 2))};
}

QPointF GraphView::in_drawing(const QPointF& pixels) const {
    return (pixels - origin()) / scale_;
}

QRectF GraphView::node_rect(int id) const {
    const auto number = number_of(id);
    if (!number)
        return {};
    const QRectF& box = drawing_.nodes[*number].box;
    return {origin() + box.topLeft() * scale_, box.size() * scale_};
}

std::optional<std::size_t> GraphView::number_of(std::optional<int> id) const {
    if (!id)
        return std::nullopt;
    const auto found = std::ranges::find(graph_.nodes, *id, &GraphNode::id);
    if (found == graph_.nodes.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - graph_.nodes.begin());
}

QSize GraphView::sizeHint() const {
    const QSizeF wanted =
        drawing_.size + QSizeF(2 * graph_margin, top_margin() + graph_margin + legend_height_);
    return wanted.toSize().boundedTo({900, 560}).expandedTo({360, 240});
}

QSize GraphView::minimumSizeHint() const {
    const QFontMetrics metrics(fonts_.label);
    return {metrics.averageCharWidth() * 30, metrics.height() * 10};
}

void GraphView::choose(std::optional<int> id) {
    if (!number_of(id))
        id.reset();
    if (chosen_ == id)
        return;
    chosen_ = id;
    if (const auto number = number_of(id))
        scroll_to(*number);
    viewport()->update();
    describe();
    Q_EMIT node_chosen(id);
}

void GraphView::show_whole() {
    fit_ = Fit::Whole;
    fit();
}

void GraphView::pan(const QPointF& pixels) {
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - qRound(pixels.x()));
    verticalScrollBar()->setValue(verticalScrollBar()->value() - qRound(pixels.y()));
}

void GraphView::scroll_to(std::size_t node) {
    const QRectF box =
        node_rect(graph_.nodes[node].id).adjusted(-graph_margin, -graph_margin, graph_margin, graph_margin);
    const QRectF area = body();
    const auto step = [](double low, double high, double least, double most) {
        return low < least ? least - low : high > most ? most - high : 0;
    };
    pan({step(box.left(), box.right(), area.left(), area.right()),
         step(box.top(), box.bottom(), area.top(), area.bottom())});
}

/// For screen readers: what the graph has, and what the chosen node is connected with.
void GraphView::describe() {
    QString text = graph_.empty() ? empty_text_ : graph_summary(graph_) + u'.';
    if (const auto number = number_of(chosen_)) {
        const GraphNode& node = graph_.nodes[*number];
        QStringList parts{node.title};
        for (const QString& part : {node.detail, node.badge})
            if (!part.isEmpty())
                parts << part;
        text += QStringLiteral(" ") + tr("Chosen: %1.").arg(parts.join(QStringLiteral(", ")));
        QStringList from;
        QStringList to;
        for (const std::size_t e : drawing_.edges_of[*number]) {
            const EdgeDrawing& edge = drawing_.edges[e];
            if (edge.to == *number)
                from << QStringLiteral("%1 (%2)").arg(graph_.nodes[edge.from].title, edge_text(edge));
            if (edge.from == *number)
                to << QStringLiteral("%1 (%2)").arg(graph_.nodes[edge.to].title, edge_text(edge));
        }
        if (!from.isEmpty())
            text += QStringLiteral(" ") + tr("Edges from: %1.").arg(from.join(QStringLiteral("; ")));
        if (!to.isEmpty())
            text += QStringLiteral(" ") + tr("Edges to: %1.").arg(to.join(QStringLiteral("; ")));
    }
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text); // tells screen readers that it has changed
}

ExportedPicture GraphView::exported() const {
    const double margin = graph_margin;
    const double width = std::max(drawing_.size.width() + 2 * margin, 320.0);
    const double legend = legend_.height_for(width, fonts_.label);
    const QSizeF size(width, drawing_.size.height() + 2 * margin + legend);
    return {
        size,
        [graph = graph_, drawing = drawing_, fonts = fonts_, size, margin, legend](QPainter& painter) {
            const Theme& theme = light_theme();
            painter.fillRect(QRectF({0, 0}, size), theme.surface);
            painter.save();
            painter.translate((size.width() - drawing.size.width()) / 2, margin);
            GraphPainting(graph, drawing, fonts, theme).paint(painter, QRectF({0, 0}, drawing.size), 1, {});
            painter.restore();
            GraphLegend(graph).paint(painter, QRectF(0, size.height() - legend, size.width(), legend),
                                     fonts.label, theme);
        },
        graph_csv(graph_),
        graph_.title.isEmpty() ? QStringLiteral("graph") : QString(graph_.title).replace(u'/', u'-')};
}

void GraphView::paintEvent(QPaintEvent* /*event*/) {
    const Theme& theme = current_theme();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.surface);
    if (graph_.empty()) {
        paint_empty_plot(painter, viewport()->rect(), empty_text_, theme);
        return;
    }
    const QRectF area = body();
    painter.save();
    painter.setClipRect(area);
    painter.translate(origin());
    painter.scale(scale_, scale_);
    GraphPainting(graph_, drawing_, fonts_, theme)
        .paint(painter, {in_drawing(area.topLeft()), area.size() / scale_}, scale_,
               {.hovered = hovered_,
                .chosen = number_of(chosen_),
                .hovered_edge = hovered_edge_,
                .has_focus = hasFocus()});
    painter.restore();
    if (legend_height_ > 0) {
        painter.setPen(theme.grid);
        painter.drawLine(area.bottomLeft(), area.bottomRight());
        legend_.paint(painter, QRectF(0, area.bottom(), legend_width(), legend_height_), fonts_.label, theme);
    }
}

void GraphView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    fit();
}

void GraphView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    switch (event->type()) {
    case QEvent::PaletteChange:
        viewport()->update();
        break;
    case QEvent::FontChange:
    case QEvent::ApplicationFontChange:
    case QEvent::LanguageChange:
    case QEvent::StyleChange:
        draw_again();
        describe();
        break;
    default:
        break;
    }
}

void GraphView::scrollContentsBy(int /*dx*/, int /*dy*/) {
    viewport()->update();
}

} // namespace sparsight
