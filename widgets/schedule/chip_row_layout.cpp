#include "widgets/schedule/chip_row_layout.h"

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

QRectF ChipRowLayout::mark_at(qsizetype place) const {
    if (chips.empty())
        return {};
    constexpr double width = 3;
    const auto count = static_cast<qsizetype>(chips.size());
    const bool is_after_last = place >= count;
    const QRectF& chip = chips[static_cast<std::size_t>(is_after_last ? count - 1 : place)];
    const double middle = is_after_last ? chip.right() + gap / 2 : chip.left() - gap / 2;
    return {middle - width / 2, chip.top(), width, chip.height()};
}

ChipRowLayout lay_out_chips(const std::vector<double>& widths, const ChipRowMetrics& metrics) {
    ChipRowLayout layout;
    layout.gap = metrics.gap;
    // Half a gap at both ends leaves room for the mark.
    double left = metrics.gap / 2;
    double top = 0;
    for (const double width : widths) {
        if (left + width + metrics.gap / 2 > metrics.available_width && left > metrics.gap) {
            left = metrics.gap / 2;
            top += metrics.chip_height + metrics.line_gap;
        }
        layout.chips.emplace_back(left, top, width, metrics.chip_height);
        left += width + metrics.gap;
    }
    layout.height = widths.empty() ? 0 : top + metrics.chip_height;
    return layout;
}

} // namespace sparsight
