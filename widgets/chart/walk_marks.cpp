#include "widgets/chart/walk_marks.h"

#include <QLineF>
#include <QPainter>
#include <cmath>

namespace sparsight {

QColor faint(QColor colour, double alpha) {
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

void paint_diamond(QPainter& painter, const QPointF& place, double half) {
    painter.drawPolygon(QPolygonF({place + QPointF(0, -half), place + QPointF(half, 0),
                                   place + QPointF(0, half), place + QPointF(-half, 0)}));
}

void paint_arrow(QPainter& painter, const QLineF& line, double size) {
    if (line.length() < 4 * size)
        return;
    const QPointF tip = line.pointAt(0.5 + size / line.length());
    const double angle = std::atan2(line.dy(), line.dx());
    const auto corner = [&](double turn) {
        return tip - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * 2 * size;
    };
    painter.drawPolygon(QPolygonF({tip, corner(0.45), corner(-0.45)}));
}

} // namespace sparsight
