// Mouse and keyboard of the chart.
#include "widgets/chart/chart_view.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

/// On a page that is longer than what is seen of it the wheel is the page's: who scrolls past a chart does
/// not want it changed.
bool is_on_scrolled_page(const QWidget& chart) {
    for (const QWidget* parent = chart.parentWidget(); parent != nullptr; parent = parent->parentWidget())
        if (const auto* page = qobject_cast<const QScrollArea*>(parent))
            if (page->verticalScrollBar()->maximum() > 0)
                return true;
    return false;
}

constexpr double drag_threshold = 5;
constexpr double smallest_box = 6;
constexpr double key_zoom = 1.25;
constexpr double key_pan = 0.1; ///< of the width

} // namespace

std::optional<std::size_t> ChartView::legend_at(const QPointF& place) const {
    for (const LegendEntry& entry : layout_.legend)
        if (entry.rect.contains(place))
            return entry.series;
    return std::nullopt;
}

void ChartView::set_mouse(const std::optional<QPointF>& mouse) {
    mouse_ = mouse;
    hover_.reset();
    if (mouse_ && drag_ == Drag::None && !content_.empty())
        hover_ = hover_at(content_, layout_.transform, *mouse_, current_number_style());
    const bool clickable = mouse_ && ((hover_ && hover_->key.isValid()) || legend_at(*mouse_));
    viewport()->setCursor(drag_ == Drag::Pan   ? Qt::ClosedHandCursor
                          : drag_ == Drag::Box ? Qt::CrossCursor
                          : clickable          ? Qt::PointingHandCursor
                                               : Qt::ArrowCursor);
    viewport()->update();
}

bool ChartView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        set_mouse(std::nullopt);
    if (event->type() == QEvent::ToolTip)
        return true; // our own note is there already
    return QChartView::viewportEvent(event);
}

void ChartView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    pressed_ = dragged_ = event->position();
    const bool inside = layout_.transform.area.contains(pressed_) && !content_.empty();
    drag_ = !inside                                          ? Drag::None
            : event->modifiers().testFlag(Qt::ShiftModifier) ? Drag::Box
                                                             : Drag::Undecided;
    event->accept();
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF place = event->position();
    if (drag_ == Drag::Undecided && (place - pressed_).manhattanLength() > drag_threshold)
        drag_ = Drag::Pan;
    if (drag_ == Drag::Pan)
        pan_by(place - dragged_);
    dragged_ = place;
    if (drag_ != Drag::Undecided)
        set_mouse(place);
    event->accept();
}

void ChartView::pan_by(const QPointF& pixels) {
    const QRectF& area = layout_.transform.area;
    zoom_to(panned(x_, -pixels.x() / area.width() * (x_.high - x_.low), x_limits_),
            panned(y_, pixels.y() / area.height() * (y_.high - y_.low), y_limits_));
}

void ChartView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const Drag drag = std::exchange(drag_, Drag::None);
    const QPointF place = event->position();
    if (drag == Drag::Box) {
        const QRectF box = QRectF(pressed_, place).normalized() & layout_.transform.area;
        if (box.width() >= smallest_box && box.height() >= smallest_box) {
            const ChartTransform& transform = layout_.transform;
            const ChartScale x{x_.logarithmic, x_.drawn(transform.value_x(box.left())),
                               x_.drawn(transform.value_x(box.right()))};
            const ChartScale y{y_.logarithmic, y_.drawn(transform.value_y(box.bottom())),
                               y_.drawn(transform.value_y(box.top()))};
            zoom_to(x, zooms_vertically() ? y : y_);
        }
    }
    set_mouse(place);
    if (drag == Drag::Undecided && hover_ && hover_->key.isValid()) {
        const QVariant key = hover_->key; // the slot may change the chart
        Q_EMIT picked(key);
    } else if (const auto series = legend_at(place);
               drag == Drag::None && series && legend_at(pressed_) == series) {
        set_shown(*series, !content_.shown(*series));
        Q_EMIT legend_clicked(*series);
    }
    event->accept();
}

void ChartView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && !legend_at(event->position()))
        reset_zoom();
    event->accept();
}

void ChartView::wheelEvent(QWheelEvent* event) {
    const QRectF& area = layout_.transform.area;
    const QPointF place = event->position();
    const double turns =
        (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
    const bool across = place.x() >= area.left() && place.x() <= area.right();
    const bool along = place.y() >= area.top() && place.y() <= area.bottom();
    const bool is_for_page = is_on_scrolled_page(*this) && (event->modifiers() & Qt::ControlModifier) == 0;
    if (content_.empty() || turns == 0 || (!across && !along) || is_for_page) {
        event->ignore(); // the page may scroll
        return;
    }
    const double factor = std::pow(0.8, turns);
    const double x = x_.low + (place.x() - area.left()) / area.width() * (x_.high - x_.low);
    const double y = y_.low + (area.bottom() - place.y()) / area.height() * (y_.high - y_.low);
    // Over an axis only that axis is zoomed.
    zoom_to(across ? zoomed(x_, x, factor, x_limits_) : x_,
            along && (zooms_vertically() || !across) ? zoomed(y_, y, factor, y_limits_) : y_);
    event->accept();
}

void ChartView::keyPressEvent(QKeyEvent* event) {
    const QRectF& area = layout_.transform.area;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom_by(1 / key_zoom);
        break;
    case Qt::Key_Minus:
        zoom_by(key_zoom);
        break;
    case Qt::Key_0:
    case Qt::Key_Home:
        reset_zoom();
        break;
    case Qt::Key_Left:
        pan_by({key_pan * area.width(), 0});
        break;
    case Qt::Key_Right:
        pan_by({-key_pan * area.width(), 0});
        break;
    case Qt::Key_Up:
        pan_by({0, key_pan * area.height()});
        break;
    case Qt::Key_Down:
        pan_by({0, -key_pan * area.height()});
        break;
    case Qt::Key_Escape:
        if (drag_ == Drag::None) {
            event->ignore();
            return;
        }
        drag_ = Drag::None;
        set_mouse(mouse_);
        break;
    default:
        event->ignore();
        return;
    }
    event->accept();
}

void ChartView::contextMenuEvent(QContextMenuEvent* event) {
    event->ignore(); // the chart around the view has the menu
}

} // namespace sparsight
