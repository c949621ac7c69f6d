#include "widgets/chart/plot_ground.h"

#include "widgets/look/theme.h"

#include <QPainter>

namespace sparsight {

void paint_empty_plot(QPainter& painter, const QRectF& plot, const QString& text, const Theme& theme) {
    painter.setPen(theme.dim_text);
    painter.drawText(plot.adjusted(3 * grid_step, 2 * grid_step, -3 * grid_step, -2 * grid_step),
                     Qt::AlignCenter | Qt::TextWordWrap, text);
}

void paint_plot_focus(QPainter& painter, const QRectF& plot, const Theme& theme) {
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(plot.adjusted(1, 1, -1, -1));
}

} // namespace sparsight
