// The marks of a walk, in its picture and in its legend.
#pragma once

#include <QColor>
#include <QPointF>

class QLineF;
class QPainter;

namespace sparsight {

[[nodiscard]] QColor faint(QColor colour, double alpha);
void paint_diamond(QPainter& painter, const QPointF& place, double half);
/// Half way along the line, so that the arrows of several lines to one node do not overlap.
void paint_arrow(QPainter& painter, const QLineF& line, double size);

} // namespace sparsight
