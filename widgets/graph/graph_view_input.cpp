// What mouse, wheel and keys do in the view of a graph, and what it tells of the place under the mouse.
#include "widgets/chart/plot_menu.h"
#include "widgets/graph/graph_view.h"
#include "widgets/look/glyph.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

constexpr double greatest_scale = 4;
constexpr double zoom_step_of_key = 1.25;
constexpr double zoom_step_of_notch = 1.15;
constexpr double edge_reach = 5; ///< pixels from which an edge is meant

} // namespace

void GraphView::zoom_in() {
    set_scale(scale_ * zoom_step_of_key, body().center());
}

void GraphView::zoom_out() {
    set_scale(scale_ / zoom_step_of_key, body().center());
}

void GraphView::set_scale(double scale, const QPointF& fixed) {
    if (graph_.empty())
        return;
    const QPointF place = in_drawing(fixed);
    scale_ = std::clamp(scale, std::min(whole_scale(), 1.0), greatest_scale);
    fit_ = Fit::None;
    update_scroll_bars();
    pan(fixed - (origin() + place * scale_));
    viewport()->update();
}

void GraphView::walk(WalkDirection direction) {
    if (const auto here = number_of(chosen_)) {
        if (const auto next = neighbour_towards(drawing_, *here, direction))
            choose(graph_.nodes[*next].id);
        return;
    }
    const auto first = std::ranges::min_element(drawing_.nodes, {}, [](const NodeDrawing& node) {
        return std::pair(node.box.top(), node.box.left());
    });
    choose(graph_.nodes[static_cast<std::size_t>(first - drawing_.nodes.begin())].id);
}

void GraphView::hover(const QPointF& pixels) {
    const bool is_inside = !graph_.empty() && body().contains(pixels);
    const auto node = is_inside ? drawing_.node_at(in_drawing(pixels)) : std::nullopt;
    const auto edge =
        is_inside && !node ? drawing_.edge_at(in_drawing(pixels), edge_reach / scale_) : std::nullopt;
    if (node == hovered_ && edge == hovered_edge_)
        return;
    hovered_edge_ = edge;
    viewport()->update();
    if (std::exchange(hovered_, node) == node)
        return;
    viewport()->setCursor(node ? Qt::PointingHandCursor : Qt::ArrowCursor);
    Q_EMIT node_hovered(node ? std::optional(graph_.nodes[*node].id) : std::nullopt);
}

void GraphView::end_hover() {
    hovered_edge_.reset();
    viewport()->update();
    if (std::exchange(hovered_, std::nullopt))
        Q_EMIT node_hovered(std::nullopt);
}

QString GraphView::edge_text(const EdgeDrawing& edge) const {
    const GraphEdge& meant = graph_.edges[edge.edge];
    QStringList parts;
    if (!meant.label.isEmpty())
        parts << meant.label;
    parts << kind_name(graph_, meant.kind);
    if (meant.back)
        parts << (graph_.back_name.isEmpty() ? tr("Loop-carried") : graph_.back_name);
    return parts.join(QStringLiteral(" · "));
}

QString GraphView::tooltip_at(const QPointF& pixels) const {
    if (graph_.empty() || !body().contains(pixels))
        return {};
    const auto lines = [](const QString& title, QString text) {
        return QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()) +
               (text.isEmpty()
                    ? QString()
                    : QStringLiteral("<br>") + text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
    };
    if (const auto node = drawing_.node_at(in_drawing(pixels))) {
        const GraphNode& meant = graph_.nodes[*node];
        QStringList texts;
        for (const QString& text : {meant.detail, meant.badge, meant.tip})
            if (!text.isEmpty())
                texts << text;
        return lines(meant.title, meant.tip.isEmpty() ? texts.join(u'\n') : meant.tip);
    }
    if (const auto number = drawing_.edge_at(in_drawing(pixels), edge_reach / scale_)) {
        const EdgeDrawing& edge = drawing_.edges[*number];
        const QString text = edge_text(edge);
        const QString& tip = graph_.edges[edge.edge].tip;
        return lines(
            QStringLiteral("%1 → %2").arg(graph_.nodes[edge.from].title, graph_.nodes[edge.to].title),
            tip.isEmpty() ? text : text + u'\n' + tip);
    }
    return {};
}

void GraphView::fill_menu(QMenu& menu) {
    if (const auto node = hovered_ ? hovered_ : number_of(chosen_)) {
        const QString title = graph_.nodes[*node].title;
        connect(menu.addAction(glyph_icon(Glyph::Copy),
                               tr("Copy “%1”").arg(QString(title).replace(u'&', QStringLiteral("&&")))),
                &QAction::triggered, this, [title] { QGuiApplication::clipboard()->setText(title); });
        menu.addSeparator();
    }
    connect(menu.addAction(glyph_icon(Glyph::ZoomFit), tr("Show &all")), &QAction::triggered, this,
            &GraphView::show_whole);
    connect(menu.addAction(tr("Zoom &in")), &QAction::triggered, this, &GraphView::zoom_in);
    connect(menu.addAction(tr("Zoom &out")), &QAction::triggered, this, &GraphView::zoom_out);
}

bool GraphView::viewportEvent(QEvent* event) {
    switch (event->type()) {
    case QEvent::ToolTip: {
        const auto* const help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tooltip_at(help->pos()), viewport());
        return true;
    }
    case QEvent::Leave:
        end_hover();
        break;
    default:
        break;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || graph_.empty())
        return event->ignore();
    pressed_ = dragged_ = event->position();
    is_panning_ = false;
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed_)
        return hover(event->position());
    const QPointF away = event->position() - *pressed_;
    if (!is_panning_ && away.manhattanLength() < QApplication::startDragDistance())
        return;
    if (!std::exchange(is_panning_, true))
        viewport()->setCursor(Qt::ClosedHandCursor);
    pan(event->position() - dragged_);
    dragged_ = event->position();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !pressed_)
        return;
    pressed_.reset();
    if (std::exchange(is_panning_, false)) {
        viewport()->setCursor(Qt::ArrowCursor);
        return;
    }
    const auto node =
        body().contains(event->position()) ? drawing_.node_at(in_drawing(event->position())) : std::nullopt;
    choose(node ? std::optional(graph_.nodes[*node].id) : std::nullopt);
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || graph_.empty())
        return;
    if (const auto node = drawing_.node_at(in_drawing(event->position())))
        Q_EMIT node_activated(graph_.nodes[*node].id);
    else
        show_whole();
}

void GraphView::wheelEvent(QWheelEvent* event) {
    if ((event->modifiers() & Qt::ControlModifier) == 0)
        return QAbstractScrollArea::wheelEvent(event);
    set_scale(scale_ * std::pow(zoom_step_of_notch, event->angleDelta().y() / 120.0), event->position());
    event->accept();
}

void GraphView::keyPressEvent(QKeyEvent* event) {
    if (graph_.empty())
        return event->ignore();
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom_in();
    case Qt::Key_Minus:
        return zoom_out();
    case Qt::Key_0:
        return show_whole();
    case Qt::Key_Up:
        return walk(WalkDirection::Up);
    case Qt::Key_Down:
        return walk(WalkDirection::Down);
    case Qt::Key_Left:
        return walk(WalkDirection::Left);
    case Qt::Key_Right:
        return walk(WalkDirection::Right);
    case Qt::Key_Home:
        return choose(graph_.nodes.front().id);
    case Qt::Key_End:
        return choose(graph_.nodes.back().id);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (chosen_)
            Q_EMIT node_activated(*chosen_);
        return;
    case Qt::Key_Escape:
        if (chosen_)
            return choose(std::nullopt);
        break;
    default:
        break;
    }
    if (event->matches(QKeySequence::Copy) && chosen_)
        return QGuiApplication::clipboard()->setText(graph_.nodes[*number_of(chosen_)].title);
    QAbstractScrollArea::keyPressEvent(event);
}

void GraphView::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void GraphView::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

/// From the keyboard: the mouse's goes to the viewport, where the menu waits for it.
void GraphView::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Keyboard && !graph_.empty())
        QCoreApplication::sendEvent(viewport(), event);
    else
        event->ignore();
}

} // namespace sparsight
