#include "widgets/chart/plots/axis_handling.h"

#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

constexpr double zoom_of_a_notch = 0.8;
constexpr double zoom_of_a_key = 1.5;
constexpr double pan_of_a_key = 0.1; ///< of what is seen
constexpr double least_drag = 4;     ///< pixels

} // namespace

void AxisHandling::press(const QPointF& place) {
    pressed_ = dragged_ = place;
    is_panning_ = false;
}

void AxisHandling::drag(const QPointF& place) {
    const double distance = place.x() - dragged_->x();
    if (!is_panning_ && (!plot_.is_zoomed() || std::abs(distance) < least_drag))
        return;
    is_panning_ = true;
    pan(-distance / plot_.area().width());
    dragged_ = place;
}

std::optional<QPointF> AxisHandling::release() {
    const auto pressed = std::exchange(pressed_, std::nullopt);
    const bool has_panned = std::exchange(is_panning_, false);
    dragged_.reset();
    return has_panned ? std::nullopt : pressed;
}

void AxisHandling::let_go() {
    release();
}

void AxisHandling::double_click(const QMouseEvent& event) {
    if (event.button() == Qt::LeftButton)
        plot_.show_all();
}

bool AxisHandling::turn(QWheelEvent& event) {
    const double notches = event.angleDelta().y() / 120.0;
    if ((event.modifiers() & Qt::ControlModifier) == 0 || notches == 0)
        return false;
    const QRectF area = plot_.area();
    const ChartScale shown = plot_.shown();
    const double share = std::clamp((event.position().x() - area.left()) / area.width(), 0.0, 1.0);
    zoom(shown.low + share * (shown.high - shown.low), std::pow(zoom_of_a_notch, notches));
    event.accept();
    return true;
}

bool AxisHandling::press_key(int key) {
    switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom_by_key(1 / zoom_of_a_key);
        return true;
    case Qt::Key_Minus:
        zoom_by_key(zoom_of_a_key);
        return true;
    case Qt::Key_0:
        plot_.show_all();
        return true;
    case Qt::Key_Left:
        pan(-pan_of_a_key);
        return true;
    case Qt::Key_Right:
        pan(pan_of_a_key);
        return true;
    default:
        return false;
    }
}

void AxisHandling::zoom(double fixed, double factor) {
    plot_.show(zoomed(plot_.shown(), fixed, factor, plot_.whole()));
}

void AxisHandling::zoom_by_key(double factor) {
    const ChartScale shown = plot_.shown();
    zoom(shown.low + plot_.kept_by_keys * (shown.high - shown.low), factor);
}

void AxisHandling::pan(double share) {
    const ChartScale shown = plot_.shown();
    plot_.show(panned(shown, share * (shown.high - shown.low), plot_.whole()));
}

} // namespace sparsight
