// Things that are ranked by a sum of parts, each a horizontal bar. As plain values.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QFont>
#include <QRectF>
#include <map>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

struct StackedTerm {
    QString name{};
    QString meaning{}; ///< a sentence, for hovering
    ChartColour colour = ChartColour::Series1;
    bool hatched = false; ///< of the same colour as another one
};

struct StackedBar {
    QString key{}; ///< what picked() says
    QString label{};
    std::vector<double> parts{}; ///< one for each term; none where it could not run
    std::optional<double> marker{};
    QString badge{};              ///< a letter before the label: how it is marked on a map
    std::size_t badge_colour = 0; ///< as owner_look() counts
    QString note{};               ///< a further line for hovering

    [[nodiscard]] double total() const;
};

struct StackedPicture {
    QString title{};
    ChartAxis axis{};
    QString marker_name{}; ///< "measured"
    std::vector<StackedTerm> terms{};
    std::vector<StackedBar> bars{}; ///< the first one at the top
};

/// Where a picture stands while it moves: rows may lie between others.
struct StackedPose {
    struct Bar {
        double row = 0;
        std::vector<double> parts;
    };
    std::map<QString, Bar> bars; ///< by key
    double start = 0;            ///< value at the left end of the axis: 0 unless it is zoomed
    double limit = 1;            ///< value at its right end
};

/// From 0 to the end of the longest bar, or beyond it to a marker: as far as one can move.
[[nodiscard]] ChartScale reach_of(const StackedPicture& picture);

/// At rest. Bars that take much longer than most run out of the axis.
[[nodiscard]] StackedPose pose_of(const StackedPicture& picture);
/// `share` of the way from one to the other; what was not there before does not move.
[[nodiscard]] StackedPose between(const StackedPose& from, const StackedPose& to, double share);

/// All bars with their parts, total and marker.
[[nodiscard]] QString stacked_csv(const StackedPicture& picture);

// Stacked bars at a size: where each part stands, and how they are painted.

struct Theme;

struct StackedPlace {
    std::size_t bar = 0;
    std::optional<std::size_t> term; ///< none beside the parts
    bool operator==(const StackedPlace&) const = default;
};

struct StackedLayout {
    struct LegendEntry {
        std::optional<std::size_t> term; ///< none: the marker
        QRectF rect;
    };
    QFont title_font;
    QFont text_font;
    QRectF title;
    std::vector<LegendEntry> legend;
    QRectF rows; ///< the room for bars with their labels; what does not fit is scrolled
    double row_height = 20;
    double label_width = 100;
    double value_width = 60;
    double marker_half = 6; ///< from the middle of a marker to its edge
    QRectF axis;            ///< below them
    double scrolled = 0;

    /// From where bars begin to where the axis ends.
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] double pixel(double value, const StackedPose& pose) const;
    [[nodiscard]] QRectF row(double row) const;
};

/// `tools`: kept free at the upper right corner.
[[nodiscard]] StackedLayout lay_out_stacked(const StackedPicture& picture, const QSizeF& size,
                                            const QSizeF& tools, double scrolled);
/// So high that nothing is scrolled.
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
