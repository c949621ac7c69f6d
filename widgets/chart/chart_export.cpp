#include "widgets/chart/chart_export.h"

#include "widgets/chart/chart_csv.h"
#include "widgets/chart/chart_view.h"
#include "widgets/look/theme.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace sparsight {

QImage chart_image(ChartView& view, double scale) {
    const QSize size = view.export_size();
    QImage image(size * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    view.paint(painter, size, light_theme());
    return image;
}

QByteArray chart_svg(ChartView& view) {
    const QSize size = view.export_size();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setTitle(view.content().title);
    QPainter painter(&generator);
    view.paint(painter, size, light_theme());
    painter.end();
    return bytes;
}

std::expected<void, QString> write_chart(ChartView& view, const QString& path) {
    QByteArray bytes;
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive)) {
        bytes = chart_svg(view);
    } else if (path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive)) {
        bytes = chart_csv(view.content()).toUtf8();
    } else if (path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive)) {
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        chart_image(view).save(&buffer, "PNG");
    } else {
        return std::unexpected(
            QCoreApplication::translate("sparsight::Chart", "%1 does not end in .png, .svg or .csv.")
                .arg(path));
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return std::unexpected(QCoreApplication::translate("sparsight::Chart", "%1 could not be written: %2")
                                   .arg(path, file.errorString()));
    return {};
}

} // namespace sparsight
