// Row numbers left of the matrix, column numbers above it.
#include "widgets/look/number_text.h"
#include "widgets/plot/axis_ticks.h"
#include "widgets/plot/plot_scene.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

namespace sparsight {

namespace {

void paint_rows(QPainter& painter, const PlotScene& scene, const QFontMetricsF& metrics) {
    const QRectF matrix = scene.visible_matrix();
    const double top = scene.layout.viewport.top();
    const QPointF origin = scene.view.to_matrix(QPointF(0, 0));
    const AxisRange range{origin.y(), scene.view.row_pixels(), scene.layout.viewport.height(),
                          scene.view.rows()};
    const double number_right = matrix.left() - tick_length - tick_gap;
    double widest = 0;
    for (const AxisTick& tick : axis_ticks(range, 2.5 * metrics.height())) {
        const double y = top + tick.position;
        const QString text = count_text(tick.index, scene.numbers);
        const double width = metrics.horizontalAdvance(text);
        widest = std::max(widest, width);
        painter.setPen(QPen(scene.theme.outline, 1));
        painter.drawLine(QPointF(matrix.left() - tick_length, y), QPointF(matrix.left() - 1, y));
        painter.setPen(scene.theme.dim_text);
        painter.drawText(
            QRectF(number_right - width - 1, y - metrics.height() / 2, width + 1, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, text);
    }
    const QString title = QCoreApplication::translate("sparsight::SparsityPlot", "row");
    painter.save();
    painter.translate(number_right - widest - grid_step, matrix.center().y());
    painter.rotate(-90);
    painter.setPen(scene.theme.text);
    painter.drawText(QRectF(-200, -metrics.height(), 400, metrics.height()), Qt::AlignCenter, title);
    painter.restore();
}

void paint_cols(QPainter& painter, const PlotScene& scene, const QFontMetricsF& metrics) {
    const QRectF matrix = scene.visible_matrix();
    const double left = scene.layout.viewport.left();
    const QPointF origin = scene.view.to_matrix(QPointF(0, 0));
    const AxisRange range{origin.x(), scene.view.col_pixels(), scene.layout.viewport.width(),
                          scene.view.cols()};
    const double number_bottom = matrix.top() - tick_length - tick_gap / 2;
    const double widest =
        metrics.horizontalAdvance(count_text(scene.view.visible_area().col_end, scene.numbers));
    for (const AxisTick& tick : axis_ticks(range, std::max(widest + 2 * metrics.height(), 48.0))) {
        const double x = left + tick.position;
        painter.setPen(QPen(scene.theme.outline, 1));
        painter.drawLine(QPointF(x, matrix.top() - tick_length), QPointF(x, matrix.top() - 1));
        painter.setPen(scene.theme.dim_text);
        painter.drawText(QRectF(x - widest, number_bottom - metrics.height(), 2 * widest, metrics.height()),
                         Qt::AlignCenter, count_text(tick.index, scene.numbers));
    }
    painter.setPen(scene.theme.text);
    const double bottom = number_bottom - metrics.height();
    painter.drawText(QRectF(matrix.center().x() - 200, bottom - metrics.height(), 400, metrics.height()),
                     Qt::AlignCenter, QCoreApplication::translate("sparsight::SparsityPlot", "column"));
}

void paint_cursor(QPainter& painter, const PlotScene& scene) {
    const QRectF matrix = scene.visible_matrix();
    const QPointF cursor = *scene.cursor + scene.layout.viewport.topLeft();
    if (!matrix.contains(cursor))
        return;
    painter.setPen(QPen(scene.theme.accent, 2, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(matrix.left() - tick_length, cursor.y()),
                     QPointF(matrix.left() - 1, cursor.y()));
    painter.drawLine(QPointF(cursor.x(), matrix.top() - tick_length), QPointF(cursor.x(), matrix.top() - 1));
}

} // namespace

void paint_rulers(QPainter& painter, const PlotScene& scene) {
    const QFontMetricsF metrics(scene.font);
    paint_rows(painter, scene, metrics);
    paint_cols(painter, scene, metrics);
    if (scene.cursor)
        paint_cursor(painter, scene);
}

} // namespace sparsight
