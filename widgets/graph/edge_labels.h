// Places for the labels of edges: on their edge, on no node and no other label, and on other edges only where
// there is no room besides.
#pragma once

#include <QPainterPath>
#include <QRectF>
#include <QSizeF>
#include <map>
#include <utility>
#include <vector>

namespace sparsight {

class LabelPlaces {
public:
    /// Labels stay in the area; `boxes` stay free of them.
    LabelPlaces(const QRectF& area, const std::vector<QRectF>& boxes,
                const std::vector<QPainterPath>& curves);

    /// The best place along the curve of this number, near to its middle; empty if there is none. It is taken
    /// from then on.
    [[nodiscard]] QRectF take(std::size_t curve, const QSizeF& size);

private:
    using Cell = std::pair<int, int>;
    struct CurvePoint {
        std::size_t curve;
        QPointF place;
    };
    struct Content {
        std::vector<QRectF> boxes;
        std::vector<CurvePoint> points;
    };
    template <class Visit>
    static void visit_cells(const QRectF& box, Visit visit);
    [[nodiscard]] bool is_free(const QRectF& box) const;
    [[nodiscard]] bool is_crossed(const QRectF& box, std::size_t curve) const;
    void occupy(const QRectF& box);

    QRectF area_;
    std::map<Cell, Content> cells_;
    std::vector<std::vector<QPointF>> curves_; ///< points at equal distances
};

} // namespace sparsight
