#include "widgets/plot/plot_scene.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/plot/density_image.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

namespace sparsight {

std::int64_t nice_step(double pixels_per_index, double spacing) {
    const double least = spacing / pixels_per_index;
    for (std::int64_t power = 1; power < std::int64_t{1'000'000'000'000}; power *= 10)
        for (const std::int64_t step : {power, 2 * power, 5 * power})
            if (static_cast<double>(step) >= least)
                return step;
    return std::int64_t{1'000'000'000'000};
}

std::vector<AxisTick> axis_ticks(const AxisRange& range, double spacing) {
    std::vector<AxisTick> ticks;
    if (range.count < 1 || range.length <= 0 || range.pixels_per_index <= 0)
        return ticks;
    const std::int64_t step = nice_step(range.pixels_per_index, spacing);
    const auto first = static_cast<std::int64_t>(std::floor(std::max(range.begin, 0.0)));
    for (std::int64_t index = (first + step - 1) / step * step; index < range.count; index += step) {
        const double position = (static_cast<double>(index) + 0.5 - range.begin) * range.pixels_per_index;
        if (position > range.length)
            break;
        if (position >= 0)
            ticks.push_back({index, position});
    }
    return ticks;
}

PlotLayout lay_out_plot(QSizeF size, const QFont& font, std::int64_t rows, std::int64_t nnz,
                        const NumberStyle& numbers) {
    const QFontMetricsF metrics(font);
    const double line = metrics.height();
    const auto width_of = [&](std::int64_t number) {
        return metrics.horizontalAdvance(count_text(std::max<std::int64_t>(number, 0), numbers));
    };
    PlotLayout layout;
    layout.row_ruler = std::ceil(line + grid_step + width_of(rows - 1) + tick_gap + tick_length);
    layout.col_ruler = std::ceil(2 * line + grid_step / 2.0 + tick_gap + tick_length);
    // A pixel rarely has more than some thousand entries, and never more than the matrix.
    const double labels = width_of(std::min<std::int64_t>(nnz, 99'999));
    const double legend =
        std::ceil(legend_gap + legend_bar + tick_length + tick_gap + labels + grid_step + line);
    constexpr double narrowest = 160;
    const double left = grid_step + layout.row_ruler;
    layout.legend = size.width() - left - legend - grid_step >= narrowest ? legend : 0;
    const double top = grid_step + layout.col_ruler;
    const double right = size.width() - grid_step - std::max<double>(layout.legend, grid_step);
    const double bottom = size.height() - 2.0 * grid_step;
    layout.viewport =
        QRectF(left, top, std::max(std::floor(right - left), 0.0), std::max(std::floor(bottom - top), 0.0));
    return layout;
}

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

/// Colours from one entry (bottom) to the fullest cell (top), pixel by pixel of the bar.
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

namespace {

PlotScene light_scene(const PlotExport& plot, double device_pixel_ratio) {
    PlotScene scene = plot.scene;
    scene.theme = light_theme();
    scene.cursor.reset();
    scene.backdrop.reset();
    PictureRequest request;
    request.view = scene.view;
    request.device_pixel_ratio = device_pixel_ratio;
    request.theme = PlotTheme::Light;
    scene.picture = std::make_shared<const PlotPicture>(render_picture(*plot.source, request));
    return scene;
}

QByteArray png_of(const PlotExport& plot) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QImage image = export_image(plot);
    image.setText(QStringLiteral("Title"), plot.title);
    if (!buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "PNG"))
        return {};
    return bytes;
}

} // namespace

QImage export_image(const PlotExport& plot, double device_pixel_ratio) {
    const QSize pixels(static_cast<int>(std::ceil(plot.size.width() * device_pixel_ratio)),
                       static_cast<int>(std::ceil(plot.size.height() * device_pixel_ratio)));
    QImage image(pixels, QImage::Format_RGB32);
    image.setDevicePixelRatio(device_pixel_ratio);
    QPainter painter(&image);
    paint_scene(painter, plot.size, light_scene(plot, device_pixel_ratio));
    return image;
}

QByteArray export_svg(const PlotExport& plot) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(plot.size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), plot.size));
    generator.setTitle(plot.title);
    QPainter painter(&generator);
    paint_scene(painter, plot.size, light_scene(plot, 1));
    painter.end();
    return bytes;
}

QByteArray export_csv(const PlotExport& plot) {
    const PatternArea area = plot.scene.view.visible_area();
    const auto cells = [](std::int64_t extent, double pixels) {
        const double most = std::min(pixels, 8192.0);
        return static_cast<int>(std::clamp(static_cast<std::int64_t>(most), std::int64_t{1}, extent));
    };
    QByteArray text("row_begin,row_end,col_begin,col_end,count\n");
    if (area.empty())
        return text;
    const QRectF place = plot.scene.visible_matrix();
    const PatternCounts counts =
        plot.source->counts(area, cells(area.cols(), place.width()), cells(area.rows(), place.height()));
    std::size_t cell = 0;
    for (std::size_t y = 0; y + 1 < counts.row_edges.size(); ++y)
        for (std::size_t x = 0; x + 1 < counts.col_edges.size(); ++x, ++cell) {
            if (counts.counts[cell] == 0)
                continue;
            for (const std::int64_t edge :
                 {counts.row_edges[y], counts.row_edges[y + 1], counts.col_edges[x], counts.col_edges[x + 1]})
                text.append(QByteArray::number(qint64{edge})).append(',');
            text.append(QByteArray::number(counts.counts[cell])).append('\n');
        }
    return text;
}

QString export_file(const PlotExport& plot, PlotFileFormat format, const QString& path) {
    QByteArray bytes;
    switch (format) {
    case PlotFileFormat::Png:
        bytes = png_of(plot);
        break;
    case PlotFileFormat::Svg:
        bytes = export_svg(plot);
        break;
    case PlotFileFormat::Csv:
        bytes = export_csv(plot);
        break;
    }
    if (bytes.isEmpty())
        return QCoreApplication::translate("sparsight::SparsityPlot", "the picture could not be made");
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return file.errorString();
    return {};
}

} // namespace sparsight
