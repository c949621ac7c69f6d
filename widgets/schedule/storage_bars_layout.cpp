#include "widgets/schedule/storage_bars_layout.h"

#include <algorithm>

namespace sparsight {

double StorageBar::bytes() const {
    double total = 0;
    for (const StorageSegment& segment : segments)
        total += static_cast<double>(segment.bytes);
    return total;
}

std::optional<StorageBarPlace> StorageBarsLayout::at(QPointF point) const {
    for (std::size_t bar = 0; bar < bars.size(); ++bar)
        for (std::size_t segment = 0; segment < bars[bar].segments.size(); ++segment)
            if (!bars[bar].segments[segment].isEmpty() && bars[bar].segments[segment].contains(point))
                return StorageBarPlace{bar, segment};
    return std::nullopt;
}

StorageBarsLayout lay_out_bars(const std::vector<StorageBar>& bars, const QRectF& area, double bar_height,
                               double step) {
    constexpr double sliver = 1;
    double largest = 0;
    for (const StorageBar& bar : bars)
        largest = std::max(largest, bar.bytes());
    StorageBarsLayout layout;
    for (std::size_t b = 0; b < bars.size(); ++b) {
        const double top = area.top() + static_cast<double>(b) * step;
        StorageBarsLayout::Bar placed{{area.left(), top, area.width(), bar_height}, 0, {}, {}};
        double left = area.left();
        for (const StorageSegment& segment : bars[b].segments) {
            const auto bytes = static_cast<double>(segment.bytes);
            const double width =
                segment.bytes == 0 || largest <= 0 ? 0 : std::max(sliver, bytes / largest * area.width());
            const double padding =
                segment.bytes == 0 ? 0 : static_cast<double>(segment.padding) / bytes * width;
            placed.segments.emplace_back(left, top, width, bar_height);
            placed.padding.emplace_back(left + width - padding, top, padding, bar_height);
            left += width;
        }
        placed.length = left - area.left();
        layout.bars.push_back(placed);
    }
    return layout;
}

} // namespace sparsight
