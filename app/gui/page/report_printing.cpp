#include "gui/page/report_printing.h"

#include "evaluation/reports/html.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgRenderer>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QUrl>
#include <cmath>

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

constexpr double dots_per_inch = 96; ///< that pages are laid out in
constexpr double dots_per_millimetre = dots_per_inch / 25.4;
constexpr double margin = 13 * dots_per_millimetre;
constexpr QSizeF paper = QSizeF(210, 297) * dots_per_millimetre;
constexpr double foot = 6 * dots_per_millimetre; ///< from the lower edge to the number of the page
/// A page more for a few lines is one too many: what it saves a page to draw smaller is drawn smaller, down
/// to this.
constexpr double smallest_scale = 0.84;
constexpr double scale_step = 0.02;

/// A report laid out on sheets of paper; all lengths in dots.
class Sheets {
public:
    explicit Sheets(const QString& html)
        : reference_(1, 1, QImage::Format_RGB32) {
        report_.documentLayout()->setPaintDevice(&reference_);
        report_.setUseDesignMetrics(true);
        report_.setHtml(html);
        report_.setDocumentMargin(0);
        lay_out(smallest_scale);
        const int fewest = count();
        double scale = 1;
        for (lay_out(scale); count() > fewest && scale > smallest_scale; lay_out(scale))
            scale = std::max(smallest_scale, scale - scale_step);
        keep_headings();
    }

    [[nodiscard]] int count() const { return report_.pageCount(); }
    [[nodiscard]] QString title() const { return report_.metaInformation(QTextDocument::DocumentTitle); }

    /// With its number where there are several.
    void draw(QPainter& painter, int sheet) const {
        const QSizeF inside = report_.pageSize();
        if (count() > 1)
            painter.drawText(QRectF(0, paper.height() - margin, paper.width() - margin, margin - foot),
                             Qt::AlignRight | Qt::AlignBottom, QString::number(sheet + 1));
        painter.save();
        painter.translate(margin, margin);
        painter.scale(scale_, scale_);
        painter.translate(0, -sheet * inside.height());
        QAbstractTextDocumentLayout::PaintContext context;
        context.clip = QRectF(QPointF(0, sheet * inside.height()), inside);
        context.palette.setColor(QPalette::Text, Qt::black); // whatever the window looks like
        painter.setClipRect(context.clip);
        report_.documentLayout()->draw(&painter, context);
        painter.restore();
    }

private:
    void lay_out(double scale) {
        scale_ = scale;
        report_.setPageSize((paper - 2 * QSizeF(margin, margin)) / scale);
    }

    [[nodiscard]] int sheet_of(const QTextBlock& block) const {
        return static_cast<int>(std::floor(report_.documentLayout()->blockBoundingRect(block).top() /
                                           report_.pageSize().height()));
    }

    /// None stands at the foot of a page, its text on the next one.
    void keep_headings() {
        for (QTextBlock block = report_.begin(); block.isValid(); block = block.next()) {
            const QTextBlock next = block.next();
            if (block.blockFormat().headingLevel() == 0 || !next.isValid() ||
                sheet_of(block) == sheet_of(next))
                continue;
            QTextBlockFormat format;
            format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
            QTextCursor(block).mergeBlockFormat(format);
        }
    }

    QImage reference_; ///< outlives the layout, which measures by it
    Report report_;
    double scale_ = 1;
};

} // namespace

std::expected<void, QString> print_report(const QString& html, const QString& file) {
    const Sheets sheets(QString::fromStdString(printable_html(html.toStdString())));
    QBuffer bytes;
    bytes.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&bytes);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0)); // sheets have their own
        writer.setTitle(sheets.title());
        QPainter painter(&writer);
        QFont small;
        small.setPixelSize(10);
        painter.setFont(small);
        painter.scale(writer.logicalDpiX() / dots_per_inch, writer.logicalDpiY() / dots_per_inch);
        for (int sheet = 0; sheet < sheets.count(); ++sheet) {
            if (sheet > 0)
                writer.newPage();
            sheets.draw(painter, sheet);
        }
    }
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes.data()) != bytes.size() || !out.commit())
        return std::unexpected(out.errorString());
    return {};
}

} // namespace sparsight
