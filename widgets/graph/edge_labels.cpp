#include "widgets/graph/edge_labels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

namespace {

constexpr double cell_size = 160;
constexpr double distance = 2; ///< between labels and nodes
constexpr std::array label_shares{0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82};

} // namespace

template <class Visit>
void LabelPlaces::visit_cells(const QRectF& box, Visit visit) const {
    const auto cell = [](double place) { return static_cast<int>(std::floor(place / cell_size)); };
    for (int x = cell(box.left()); x <= cell(box.right()); ++x)
        for (int y = cell(box.top()); y <= cell(box.bottom()); ++y)
            visit(Cell{x, y});
}

LabelPlaces::LabelPlaces(const std::vector<QRectF>& boxes) {
    for (const QRectF& box : boxes)
        occupy(box);
}

void LabelPlaces::occupy(const QRectF& box) {
    visit_cells(box, [&](const Cell& cell) { cells_[cell].push_back(box); });
}

bool LabelPlaces::is_free(const QRectF& box) const {
    bool is_free = true;
    visit_cells(box, [&](const Cell& cell) {
        if (const auto there = cells_.find(cell); there != cells_.end())
            is_free = is_free && std::ranges::none_of(there->second, [&](const QRectF& other) {
                          return other.intersects(box);
                      });
    });
    return is_free;
}

QRectF LabelPlaces::take(const QPainterPath& curve, const QSizeF& size) {
    for (const double share : label_shares) {
        const QPointF middle = curve.pointAtPercent(share);
        const QRectF box(middle - QPointF(size.width() / 2, size.height() / 2), size);
        if (!is_free(box.adjusted(-distance, -distance, distance, distance)))
            continue;
        occupy(box);
        return box;
    }
    return {};
}

} // namespace sparsight
