#include "widgets/schedule/picture_export.h"

#include "widgets/look/glyph.h"

#include <QBuffer>
#include <QClipboard>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace sparsight {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(sparsight::PictureExport)
};

/// Pictures larger than this are drawn with fewer pixels.
constexpr double most_pixels = 16000;

QImage image_of(const ExportedPicture& picture) {
    const double longest = std::max({picture.size.width(), picture.size.height(), 1.0});
    const double scale = std::min(2.0, most_pixels / longest);
    QImage image((picture.size * scale).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(scale, scale);
    picture.paint(painter);
    return image;
}

QByteArray svg_of(const ExportedPicture& picture) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(picture.size.toSize());
    generator.setViewBox(QRectF({0, 0}, picture.size));
    generator.setTitle(picture.name);
    QPainter painter(&generator);
    picture.paint(painter);
    painter.end();
    return buffer.data();
}

QByteArray image_file(const ExportedPicture& picture, const QByteArray& suffix) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    return image_of(picture).save(&buffer, suffix.constData()) ? buffer.data() : QByteArray();
}

/// Not modal: work goes on while a name is being chosen.
void ask_and_save(QWidget* parent, const QString& title, const QString& filter, const QString& suffix,
                  const ExportedPicture& picture,
                  const std::function<void(const std::expected<QString, QString>&)>& tell) {
    auto* const dialog = new QFileDialog(parent, title, picture.name + u'.' + suffix, filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    QObject::connect(dialog, &QFileDialog::fileSelected, dialog, [picture, tell](const QString& path) {
        if (const auto saved = save_picture(picture, path); saved)
            tell(path);
        else
            tell(std::unexpected(saved.error()));
    });
    dialog->open();
}

} // namespace

std::expected<void, QString> save_picture(const ExportedPicture& picture, const QString& path) {
    const QByteArray suffix = QFileInfo(path).suffix().toLower().toLatin1();
    const QByteArray content = suffix == "svg"   ? svg_of(picture)
                               : suffix == "csv" ? picture.csv.toUtf8()
                                                 : image_file(picture, suffix);
    if (content.isEmpty())
        return std::unexpected(
            Text::tr("%1 was not written: pictures can be saved as PNG or SVG, data as CSV.").arg(path));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        return std::unexpected(Text::tr("%1 was not written: %2").arg(path, file.errorString()));
    return {};
}

void add_export_actions(QMenu& menu, std::function<ExportedPicture()> make,
                        std::function<void(const std::expected<QString, QString>&)> tell) {
    QWidget* const parent = menu.parentWidget();
    QObject::connect(menu.addAction(glyph_icon(Glyph::Image), Text::tr("&Save picture…")),
                     &QAction::triggered, parent, [=] {
                         ask_and_save(parent, Text::tr("Save picture"), Text::tr("Pictures (*.png *.svg)"),
                                      QStringLiteral("png"), make(), tell);
                     });
    QObject::connect(menu.addAction(glyph_icon(Glyph::Export), Text::tr("Save &data as CSV…")),
                     &QAction::triggered, parent, [=] {
                         ask_and_save(parent, Text::tr("Save data"), Text::tr("Tables (*.csv)"),
                                      QStringLiteral("csv"), make(), tell);
                     });
    QObject::connect(menu.addAction(glyph_icon(Glyph::Copy), Text::tr("&Copy picture")), &QAction::triggered,
                     parent, [=] { QGuiApplication::clipboard()->setImage(image_of(make())); });
}

void pop_up_export_menu(QWidget& picture, const QPoint& place, std::function<ExportedPicture()> make,
                        std::function<void(const std::expected<QString, QString>&)> tell) {
    auto* const menu = new QMenu(&picture);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    add_export_actions(*menu, std::move(make), std::move(tell));
    menu->popup(place);
}

} // namespace sparsight
