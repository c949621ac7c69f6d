#include "widgets/plot/plot_export.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

namespace sparsight {

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
