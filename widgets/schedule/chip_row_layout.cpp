#include "widgets/schedule/chip_row_layout.h"

#include <algorithm>

namespace sparsight {

qsizetype ChipRowLayout::place_at(QPointF point) const {
    qsizetype place = 0;
    for (const QRectF& chip : chips) {
        const bool is_line_above =
            chip.bottom() < point.y() && !chips.empty() && chip.top() < chips.back().top();
        const bool is_line_below = chip.top() > point.y() && chip.top() > chips.front().top();
        if (is_line_below)
            break;
        if (!is_line_above && chip.center().x() > point.x())
            break;
        ++place;
    }
    return place;
}

QPointF ChipRowLayout::pointed_at_by(const QRectF& dragged) const {
    const double left = dragged.left();
    const double right = width - dragged.right();
    const double middle = dragged.center().x();
    return {left <= right ? std::min(middle, 2 * left) : std::max(middle, width - 2 * right),
            dragged.center().y()};
}

QRectF ChipRowLayout::mark_at(qsizetype place, QPointF point) const {
    if (chips.empty())
        return {};
    constexpr double thickness = 3;
    const auto at = static_cast<std::size_t>(place);
    const bool is_behind_the_one_before =
        at >= chips.size() ||
        (at > 0 && chips[at].top() > chips[at - 1].top() && chips[at].top() > point.y());
    const QRectF& chip = chips[is_behind_the_one_before ? std::min(at, chips.size()) - 1 : at];
    const double middle = is_behind_the_one_before ? chip.right() + gap / 2 : chip.left() - gap / 2;
    return {middle - thickness / 2, chip.top(), thickness, chip.height()};
}

ChipRowLayout lay_out_chips(const std::vector<double>& widths, const ChipRowMetrics& metrics) {
    ChipRowLayout layout;
    layout.gap = metrics.gap;
    layout.width = metrics.available_width;
    double left = 0;
    double top = 0;
    for (const double width : widths) {
        if (left + width > metrics.available_width && left > 0) {
            left = 0;
            top += metrics.chip_height + metrics.line_gap;
        }
        layout.chips.emplace_back(left, top, width, metrics.chip_height);
        left += width + metrics.gap;
    }
    layout.height = widths.empty() ? 0 : top + metrics.chip_height;
    return layout;
}

} // namespace sparsight
