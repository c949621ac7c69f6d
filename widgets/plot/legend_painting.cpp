// The colour bar right of the matrix.
#include "widgets/plot/density_colours.h"
#include "widgets/plot/plot_scene.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

QString title_of(DensityUnit unit) {
    const auto translated = [](const char* text) {
        return QCoreApplication::translate("sparsight::SparsityPlot", text);
    };
    switch (unit) {
    case DensityUnit::Cell:
        return translated(QT_TRANSLATE_NOOP("sparsight::SparsityPlot", "entries per cell"));
    case DensityUnit::Pixel:
        return translated(QT_TRANSLATE_NOOP("sparsight::SparsityPlot", "entries per pixel"));
    case DensityUnit::ColumnAndPixelRow:
        return translated(QT_TRANSLATE_NOOP("sparsight::SparsityPlot", "entries per column and pixel"));
    case DensityUnit::RowAndPixelColumn:
        break;
    }
    return translated(QT_TRANSLATE_NOOP("sparsight::SparsityPlot", "entries per row and pixel"));
}

/// Colours from one entry (bottom) to the fullest (top), pixel by pixel of the bar.
QImage bar_image(const DensityColours& colours, int height) {
    QImage image(1, height, QImage::Format_RGB32);
    for (int y = 0; y < height; ++y) {
        const double share = 1 - (y + 0.5) / height;
        image.setPixel(0, y, colours.colour(std::pow(colours.fullest(), share)));
    }
    return image;
}

} // namespace

void paint_legend(QPainter& painter, const PlotScene& scene) {
    const PlotPicture* const picture = scene.picture ? scene.picture.get() : scene.backdrop.get();
    if (picture == nullptr)
        return;
    const DensityColours colours(picture->theme, picture->fullest);
    const QFontMetricsF metrics(scene.font);
    const QRectF matrix = scene.visible_matrix();
    const bool single = colours.fullest() <= 1;
    const double height =
        single ? legend_bar : std::min(scene.layout.viewport.height(), 14 * metrics.height());
    const double top =
        std::clamp(matrix.top(), scene.layout.viewport.top(), scene.layout.viewport.bottom() - height);
    const QRectF bar(std::round(matrix.right() + legend_gap), std::round(top), legend_bar,
                     std::round(height));
    painter.drawImage(bar, bar_image(colours, static_cast<int>(bar.height())));
    painter.setPen(QPen(scene.theme.outline, 0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(-1, -1, 0, 0));

    const double number_left = bar.right() + tick_length + tick_gap;
    const int wanted = std::max(2, static_cast<int>(height / (2.5 * metrics.height())));
    double widest = 0;
    for (const LegendTick& tick : colours.legend(wanted, scene.numbers)) {
        const double y = single ? bar.center().y() : bar.bottom() - tick.position * bar.height();
        const double width = metrics.horizontalAdvance(tick.label);
        widest = std::max(widest, width);
        painter.setPen(QPen(scene.theme.outline, 1));
        painter.drawLine(QPointF(bar.right() + 1, y), QPointF(bar.right() + tick_length, y));
        painter.setPen(scene.theme.dim_text);
        painter.drawText(QRectF(number_left, y - metrics.height() / 2, width + 1, metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, tick.label);
    }
    painter.save();
    painter.translate(number_left + widest + grid_step / 2.0,
                      bar.top() - (single ? metrics.height() / 4 : 0));
    painter.rotate(90);
    painter.setPen(scene.theme.text);
    painter.drawText(QRectF(0, -metrics.height(), 600, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     title_of(picture->unit));
    painter.restore();
}

} // namespace sparsight
