// A ranking by sums of parts, as horizontal stacked bars: the plain values, the pose while bars move, the
// layout at a size, and how the bars are painted.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QFont>
#include <QRectF>
#include <map>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

struct Theme;

struct StackedTerm {
    QString name{};
    QString meaning{}; ///< a sentence, for tooltips
    ChartColour colour = ChartColour::Series1;
    bool hatched = false; ///< distinguishes it from another term of the same colour
};

struct StackedBar {
    QString key{}; ///< the argument of picked()
    QString label{};
    std::vector<double> parts{}; ///< one for each term; empty where the item could not run
    std::optional<double> marker{};
    std::optional<double> low{}; ///< ends of a 95 % interval about the total, drawn as a whisker
    std::optional<double> high{};
    QString badge{};              ///< a letter before the label, as on a map
    std::size_t badge_colour = 0; ///< an index as for owner_look()
    QString note{};               ///< another line of the tooltip

    [[nodiscard]] double total() const;
    [[nodiscard]] double reach() const; ///< the end of the bar, or of its interval beyond it
};

struct StackedPicture {
    QString title{};
    ChartAxis axis{};
    QString marker_name{}; ///< "measured"
    std::vector<StackedTerm> terms{};
    std::vector<StackedBar> bars{}; ///< from the top down
};

/// The positions of bars during an animation: a row may lie between two others.
struct StackedPose {
    struct Bar {
        double row = 0;
        std::vector<double> parts;
    };
    std::map<QString, Bar> bars; ///< by key
    double start = 0;            ///< value at the left end of the axis: 0 unless it is zoomed
    double limit = 1;            ///< value at its right end
};

/// From 0 to the end of the longest bar, or to an interval or a marker beyond it: the range that can be
/// scrolled to.
[[nodiscard]] ChartScale reach_of(const StackedPicture& picture);

/// The pose at rest. Bars that take much longer than most run out of the axis.
[[nodiscard]] StackedPose pose_of(const StackedPicture& picture);
/// The pose after `share` of the way from one pose to the other; new bars do not move.
[[nodiscard]] StackedPose between(const StackedPose& from, const StackedPose& to, double share);

/// All bars with their parts, total and marker.
[[nodiscard]] QString stacked_csv(const StackedPicture& picture);

struct StackedPlace {
    std::size_t bar = 0;
    std::optional<std::size_t> term; ///< empty beside the parts
    bool operator==(const StackedPlace&) const = default;
};

struct StackedLayout {
    struct LegendEntry {
        std::optional<std::size_t> term; ///< empty: the marker
        QRectF rect;
    };
    QFont title_font;
    QFont text_font;
    QRectF title;
    std::vector<LegendEntry> legend;
    QRectF rows; ///< the area for bars with their labels; further bars are reached by scrolling
    double row_height = 20;
    double label_width = 100;
    double value_width = 60;
    double marker_half = 6; ///< half the width of a marker
    QRectF axis;            ///< below the rows
    double scrolled = 0;

    /// From the start of the bars to the end of the axis.
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] double pixel(double value, const StackedPose& pose) const;
    [[nodiscard]] QRectF row(double row) const;
};

/// `tools`: size kept free at the upper right corner.
[[nodiscard]] StackedLayout lay_out_stacked(const StackedPicture& picture, const QSizeF& size,
                                            const QSizeF& tools, double scrolled);
/// The height at which nothing has to be scrolled.
[[nodiscard]] double whole_height(const StackedPicture& picture, double width, const QSizeF& tools);

[[nodiscard]] std::optional<StackedPlace> place_at(const StackedPicture& picture, const StackedPose& pose,
                                                   const StackedLayout& layout, const QPointF& point);

struct StackedLook {
    QString selected;
    std::optional<StackedPlace> lit;
};
void paint_stacked(QPainter& painter, const StackedPicture& picture, const StackedPose& pose,
                   const StackedLayout& layout, const Theme& theme, const StackedLook& look);

} // namespace sparsight
