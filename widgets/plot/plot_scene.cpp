#include "widgets/plot/plot_scene.h"

#include <QPainter>

namespace sparsight {

QRectF PlotScene::visible_matrix() const {
    return view.matrix_pixels().translated(layout.viewport.topLeft()) & layout.viewport;
}

PlotTheme plot_theme(const Theme& theme) {
    return theme.dark ? PlotTheme::Dark : PlotTheme::Light;
}

void paint_scene(QPainter& painter, QSizeF size, const PlotScene& scene) {
    painter.fillRect(QRectF(QPointF(0, 0), size), scene.theme.surface);
    if (scene.view.empty())
        return;
    painter.setFont(scene.font);
    paint_pattern(painter, scene);
    paint_rulers(painter, scene);
    if (scene.layout.legend > 0)
        paint_legend(painter, scene);
}

} // namespace sparsight
