// Mouse, wheel and keyboard of the sparsity plot.
#include "widgets/plot/sparsity_plot.h"

#include <QContextMenuEvent>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>

namespace sparsight {

namespace {

constexpr double notches_to_double = 3; // of the mouse wheel, 120 units each
constexpr double smallest_box = 4;      // pixels; less is a slip of the hand
constexpr double key_zoom = 1.5;
constexpr double key_step = 0.1; // of the viewport
constexpr double page_step = 0.8;

} // namespace

template <typename Change>
void SparsityPlot::change_view(const Change& change) {
    if (!shows_matrix() || view_.empty())
        return;
    change();
    view_changed();
}

void SparsityPlot::wheelEvent(QWheelEvent* event) {
    event->accept();
    const QPointF turned = event->angleDelta();
    const QPointF place = in_viewport(event->position());
    change_view([&] {
        if (turned.y() != 0)
            view_.zoom_at(place, std::exp2(turned.y() / 120 / notches_to_double));
        else if (turned.x() != 0)
            view_.pan({turned.x() / 2, 0});
    });
}

void SparsityPlot::mousePressEvent(QMouseEvent* event) {
    if (gesture_ != Gesture::None) { // a second button gives up what the first began
        finish_box(false);
        return;
    }
    if (!shows_matrix() || !layout_.viewport.contains(event->position()))
        return;
    const bool box = event->button() == Qt::RightButton ||
                     (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
    if (!box && event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    gesture_ = box ? Gesture::Box : Gesture::Pan;
    gesture_button_ = event->button();
    gesture_start_ = gesture_at_ = event->position();
    update_cursor();
}

void SparsityPlot::mouseMoveEvent(QMouseEvent* event) {
    const QPointF moved = event->position() - gesture_at_;
    gesture_at_ = event->position();
    cursor_ = in_viewport(event->position());
    if (gesture_ == Gesture::Pan) {
        change_view([&] { view_.pan(moved); });
        return;
    }
    ask_for_readout();
    update();
}

void SparsityPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != gesture_button_) {
        if (gesture_ == Gesture::None && event->button() == Qt::RightButton)
            show_menu(event->globalPosition().toPoint());
        return;
    }
    gesture_at_ = event->position();
    if (gesture_ == Gesture::Box) {
        const bool slip = (gesture_at_ - gesture_start_).manhattanLength() < smallest_box;
        const bool menu = slip && event->button() == Qt::RightButton;
        finish_box(!slip);
        if (menu)
            show_menu(event->globalPosition().toPoint());
        return;
    }
    gesture_ = Gesture::None;
    gesture_button_ = Qt::NoButton;
    update_cursor();
    ask_for_readout();
}

void SparsityPlot::finish_box(bool accept) {
    const QRectF box = QRectF(gesture_start_, gesture_at_).normalized() & layout_.viewport;
    const bool zoom = accept && gesture_ == Gesture::Box && box.width() >= 1 && box.height() >= 1;
    gesture_ = Gesture::None;
    gesture_button_ = Qt::NoButton;
    update_cursor();
    if (zoom)
        change_view([&] { view_.show(view_.to_matrix(box.translated(-layout_.viewport.topLeft()))); });
    update();
}

void SparsityPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && shows_matrix())
        show_whole();
}

void SparsityPlot::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    leave_matrix();
}

void SparsityPlot::leave_matrix() {
    cursor_.reset();
    end_hover();
    update();
}

/// A button lies within the plot: Qt does not say that the cursor has left what is below it.
bool SparsityPlot::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Enter)
        leave_matrix();
    return QWidget::eventFilter(watched, event);
}

void SparsityPlot::focusInEvent(QFocusEvent* event) {
    const Qt::FocusReason reason = event->reason();
    focus_by_key_ =
        reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
}

void SparsityPlot::focusOutEvent(QFocusEvent* event) {
    focus_by_key_ = false;
    QWidget::focusOutEvent(event);
}

void SparsityPlot::keyPressEvent(QKeyEvent* event) {
    const double step = event->modifiers().testFlag(Qt::ShiftModifier) ? page_step : key_step;
    const QSizeF size = view_.size();
    const auto pan = [&](double across, double down) {
        change_view([&] { view_.pan({-across * size.width(), -down * size.height()}); });
    };
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(key_zoom);
        break;
    case Qt::Key_Minus:
        zoom(1 / key_zoom);
        break;
    case Qt::Key_Left:
        pan(-step, 0);
        break;
    case Qt::Key_Right:
        pan(step, 0);
        break;
    case Qt::Key_Up:
        pan(0, -step);
        break;
    case Qt::Key_Down:
        pan(0, step);
        break;
    case Qt::Key_PageUp:
        pan(0, -page_step);
        break;
    case Qt::Key_PageDown:
        pan(0, page_step);
        break;
    case Qt::Key_Home:
        show_whole();
        break;
    case Qt::Key_Escape:
        if (gesture_ == Gesture::None)
            QWidget::keyPressEvent(event);
        else
            finish_box(false);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void SparsityPlot::contextMenuEvent(QContextMenuEvent* event) {
    event->accept();
    // With the mouse the menu comes when the right button goes up where it went down: it could be a box.
    if (event->reason() != QContextMenuEvent::Mouse)
        show_menu(mapToGlobal(layout_.viewport.center().toPoint()));
}

void SparsityPlot::update_cursor() {
    switch (gesture_) {
    case Gesture::Pan:
        setCursor(Qt::ClosedHandCursor);
        end_hover();
        break;
    case Gesture::Box:
        setCursor(Qt::CrossCursor);
        break;
    case Gesture::None:
        unsetCursor();
        break;
    }
}

} // namespace sparsight
