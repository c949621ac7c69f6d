#include "gui/page/report_printing.h"

#include "evaluation/printable_html.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgRenderer>
#include <QTextDocument>
#include <QUrl>

namespace sparsight {

namespace {

/// Figures are drawn with so many dots a pixel: sharp on paper.
constexpr int sharpness = 4;

class Report : public QTextDocument {
protected:
    QVariant loadResource(int type, const QUrl& name) override {
        const QString text = name.toString();
        const QString figure = QStringLiteral("data:image/svg+xml;base64,");
        if (type != QTextDocument::ImageResource || !text.startsWith(figure))
            return QTextDocument::loadResource(type, name);
        QSvgRenderer renderer(QByteArray::fromBase64(text.mid(figure.size()).toLatin1()));
        QImage image(renderer.defaultSize() * sharpness, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        renderer.render(&painter);
        return image;
    }
};

} // namespace

std::expected<void, QString> print_report(const QString& html, const QString& file) {
    Report report;
    report.setHtml(QString::fromStdString(printable_html(html.toStdString())));
    QBuffer bytes;
    bytes.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&bytes);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0)); // the document leaves some, with the page's number
        writer.setTitle(report.metaInformation(QTextDocument::DocumentTitle));
        report.print(&writer);
    }
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes.data()) != bytes.size() || !out.commit())
        return std::unexpected(out.errorString());
    return {};
}

} // namespace sparsight
