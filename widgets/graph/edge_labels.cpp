#include "widgets/graph/edge_labels.h"

#include <QPolygonF>
#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

namespace {

constexpr double cell_size = 160;
constexpr double label_distance = 2; ///< from nodes and other labels
constexpr double point_distance = 6; ///< between points that stand for a curve
constexpr double most_points = 600;
constexpr std::array label_shares{0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74, 0.2, 0.8, 0.14, 0.86};

std::vector<QPointF> points_along(const QPainterPath& curve) {
    const QRectF bounds = curve.controlPointRect();
    const double distance = std::max(point_distance, (bounds.width() + bounds.height()) / most_points);
    std::vector<QPointF> points;
    double rest = 0; // to the next point
    for (const QPolygonF& line : curve.toSubpathPolygons())
        for (qsizetype i = 1; i < line.size(); ++i) {
            const QPointF step = line[i] - line[i - 1];
            const double length = std::hypot(step.x(), step.y());
            double along = rest;
            for (; along < length; along += distance)
                points.push_back(line[i - 1] + step * (along / length));
            rest = along - length;
        }
    return points;
}

} // namespace

template <class Visit>
void LabelPlaces::visit_cells(const QRectF& box, Visit visit) {
    const auto cell = [](double place) { return static_cast<int>(std::floor(place / cell_size)); };
    for (int x = cell(box.left()); x <= cell(box.right()); ++x)
        for (int y = cell(box.top()); y <= cell(box.bottom()); ++y)
            visit(Cell{x, y});
}

LabelPlaces::LabelPlaces(const QRectF& area, const std::vector<QRectF>& boxes,
                         const std::vector<QPainterPath>& curves)
    : area_(area) {
    for (const QRectF& box : boxes)
        occupy(box);
    for (const QPainterPath& curve : curves) {
        curves_.push_back(points_along(curve));
        for (const QPointF& point : curves_.back())
            visit_cells(QRectF(point, QSizeF(0, 0)), [&](const Cell& cell) {
                cells_[cell].points.push_back({curves_.size() - 1, point});
            });
    }
}

void LabelPlaces::occupy(const QRectF& box) {
    visit_cells(box, [&](const Cell& cell) { cells_[cell].boxes.push_back(box); });
}

bool LabelPlaces::is_free(const QRectF& box) const {
    bool is_free = area_.contains(box);
    visit_cells(box, [&](const Cell& cell) {
        if (const auto there = cells_.find(cell); there != cells_.end())
            is_free = is_free && std::ranges::none_of(there->second.boxes, [&](const QRectF& other) {
                          return other.intersects(box);
                      });
    });
    return is_free;
}

bool LabelPlaces::is_crossed(const QRectF& box, std::size_t curve) const {
    bool is_crossed = false;
    visit_cells(box, [&](const Cell& cell) {
        if (const auto there = cells_.find(cell); there != cells_.end())
            is_crossed =
                is_crossed || std::ranges::any_of(there->second.points, [&](const CurvePoint& point) {
                    return point.curve != curve && box.contains(point.place);
                });
    });
    return is_crossed;
}

QRectF LabelPlaces::take(std::size_t curve, const QSizeF& size) {
    const auto& points = curves_[curve];
    const double beside = size.width() / 2 + label_distance;
    QRectF best;
    bool is_best_crossed = true;
    for (const double aside : {0.0, beside, -beside})
        for (const double share : label_shares) {
            if (points.empty() || !is_best_crossed)
                break;
            const QPointF middle =
                points[static_cast<std::size_t>(share * static_cast<double>(points.size() - 1))];
            const QRectF box(middle + QPointF(aside - size.width() / 2, -size.height() / 2), size);
            if (!is_free(box.adjusted(-label_distance, -label_distance, label_distance, label_distance)))
                continue;
            is_best_crossed = is_crossed(box, curve);
            if (best.isNull() || !is_best_crossed)
                best = box;
        }
    if (!best.isNull())
        occupy(best);
    return best;
}

} // namespace sparsight
