// Places for the labels of edges: on their edge, on no node and on no other label.
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
    /// `boxes` stay free of labels.
    explicit LabelPlaces(const std::vector<QRectF>& boxes);

    /// The place nearest to the middle of the curve; empty if there is no room anywhere. It is taken from
    /// then on.
    [[nodiscard]] QRectF take(const QPainterPath& curve, const QSizeF& size);

private:
    using Cell = std::pair<int, int>;
    template <class Visit>
    void visit_cells(const QRectF& box, Visit visit) const;
    [[nodiscard]] bool is_free(const QRectF& box) const;
    void occupy(const QRectF& box);

    std::map<Cell, std::vector<QRectF>> cells_;
};

} // namespace sparsight
