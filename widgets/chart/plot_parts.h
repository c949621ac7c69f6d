// What several plots share: the text of an empty plot, the focus frame, the colours of owners on a map and of
// predicted scores, and a horizontal axis under the hand.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QColor>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

class QMouseEvent;
class QPainter;
class QWheelEvent;

namespace sparsight {

struct Theme;

/// Of a map of cells.
struct MapCell {
    std::size_t column = 0;
    std::size_t row = 0;
    bool operator==(const MapCell&) const = default;
};

/// Paints a sentence in place of a plot that has nothing to show.
void paint_empty_plot(QPainter& painter, const QRectF& plot, const QString& text, const Theme& theme);

/// Paints the frame of a plot that has the focus.
void paint_plot_focus(QPainter& painter, const QRectF& plot, const Theme& theme);

// Colours of the owners of a map's parts. No owner has a colour of the theme's series, so that it is not
// mistaken for a part of a bar beside the map.

/// Number of distinct colours; further owners repeat the colours with stripes.
inline constexpr std::size_t owner_colour_count = 12;

struct OwnerLook {
    QColor colour;
    bool striped = false;
    bool operator==(const OwnerLook&) const = default;
};
[[nodiscard]] OwnerLook owner_look(std::size_t owner, const Theme& theme);
/// Blended halfway with the surface, for the other owners while one is highlighted.
[[nodiscard]] OwnerLook faint(OwnerLook look, const Theme& theme);

void fill_owned(QPainter& painter, const QRectF& box, const OwnerLook& look);
/// Paints a letter in a square of the owner's colour.
void paint_owner_badge(QPainter& painter, const QRectF& box, const OwnerLook& look, const QString& letter);
/// Black or white, whichever is legible on the background.
[[nodiscard]] QColor text_on(const QColor& background);

/// Colours of predicted scores: blue for better than the reference, orange for worse, grey between.
class ScoreColours {
public:
    /// Ignores NaN scores. Without a reference, the median takes its place. The worst tenth shares one
    /// colour, so that a few outliers do not use up the colour range.
    ScoreColours(std::vector<double> scores, std::optional<double> reference);

    [[nodiscard]] double best() const { return best_; }
    [[nodiscard]] double middle() const { return middle_; }
    [[nodiscard]] double worst() const { return worst_; } ///< the score with the last colour
    /// −1 at the best, 0 at the middle, 1 at the worst; 0 for NaN.
    [[nodiscard]] double place(double score) const;
    [[nodiscard]] QColor colour(double score, const Theme& theme) const;

private:
    double best_ = 0;
    double middle_ = 0;
    double worst_ = 0;
};

/// For a place from −1 to 1.
[[nodiscard]] QColor score_colour_at(double place, const Theme& theme);

/// A horizontal axis under the hand: Ctrl with the wheel, + and −, zoom it; dragging and the left and right
/// keys move it; 0 and a double click show all again. Without Ctrl the wheel is left to what scrolls, unless
/// nothing does.
class AxisHandling {
public:
    struct Plot {
        std::function<ChartScale()> shown; ///< of the axis
        std::function<ChartScale()> whole; ///< as far as it can be seen
        std::function<QRectF()> area;      ///< in pixels, where the axis runs
        std::function<bool()> is_zoomed;
        std::function<void(const ChartScale&)> show;
        std::function<void()> show_all;
        bool wheel_alone = false;  ///< the wheel zooms without Ctrl, too: nothing around the plot scrolls
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
