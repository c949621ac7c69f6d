// Stacked bars at a size: where each part stands, and how they are painted.
#pragma once

#include "widgets/chart/chart_scale.h"
#include "widgets/chart/stacked_picture.h"

#include <QFont>
#include <QRectF>

class QPainter;

namespace sparsight {

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
