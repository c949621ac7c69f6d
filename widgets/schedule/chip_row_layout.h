// Where chips of different widths stand, in as many lines as it takes, and between which of them a dragged
// one would fall.
#pragma once

#include <QRectF>
#include <vector>

namespace sparsight {

struct ChipRowMetrics {
    double chip_height = 0;
    double gap = 0; ///< between chips of a line
    double line_gap = 0;
    double available_width = 0; ///< a chip that is wider still gets a line
};

struct ChipRowLayout {
    std::vector<QRectF> chips;
    double height = 0;
    double gap = 0;
    double width = 0; ///< available

    /// 0 before the first chip … chips.size() after the last.
    [[nodiscard]] qsizetype place_at(QPointF point) const;
    /// The point that says where a dragged chip falls: its middle, but at either end of the row that end,
    /// which the middle of a wide chip cannot reach.
    [[nodiscard]] QPointF pointed_at_by(const QRectF& dragged) const;
    /// The bar that shows where a chip would fall: between two lines, in the one that is pointed at.
    [[nodiscard]] QRectF mark_at(qsizetype place, QPointF point) const;
};

[[nodiscard]] ChipRowLayout lay_out_chips(const std::vector<double>& widths, const ChipRowMetrics& metrics);

} // namespace sparsight
