// A horizontal axis under the hand: Ctrl with the wheel, + and −, zoom it; dragging and the left and right
// keys move it; 0 and a double click show all again. Without Ctrl the wheel is left to what scrolls.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QRectF>
#include <functional>
#include <optional>

class QMouseEvent;
class QWheelEvent;

namespace sparsight {

class AxisHandling {
public:
    struct Plot {
        std::function<ChartScale()> shown; ///< of the axis
        std::function<ChartScale()> whole; ///< as far as it can be seen
        std::function<QRectF()> area;      ///< in pixels, where the axis runs
        std::function<bool()> is_zoomed;
        std::function<void(const ChartScale&)> show;
        std::function<void()> show_all;
        double kept_by_keys = 0.5; ///< what share of the axis lies before the place that + and − keep
    };

    explicit AxisHandling(Plot plot)
        : plot_(std::move(plot)) {}

    void press(const QPointF& place);
    [[nodiscard]] bool is_pressed() const { return dragged_.has_value(); }
    void drag(const QPointF& place);
    /// Where the mouse was pressed, unless it has moved the axis since.
    std::optional<QPointF> release();
    void double_click(const QMouseEvent& event);
    /// Whether that was meant for the axis.
    bool turn(QWheelEvent& event);
    bool press_key(int key);
    /// The plot shows something else.
    void let_go();

private:
    void zoom(double fixed, double factor);
    void zoom_by_key(double factor);
    void pan(double share);

    Plot plot_;
    std::optional<QPointF> pressed_;
    std::optional<QPointF> dragged_; ///< where the mouse was last
    bool is_panning_ = false;
};

} // namespace sparsight
