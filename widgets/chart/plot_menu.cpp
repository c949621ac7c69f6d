#include "widgets/chart/plot_menu.h"

#include "widgets/look/glyph.h"

#include <QBuffer>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace sparsight {

namespace {

struct PlotMenuText {
    Q_DECLARE_TR_FUNCTIONS(sparsight::PictureExport)
};

/// Larger pictures are drawn with fewer pixels.
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

/// Not modal: work continues while the user chooses a name.
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
            PlotMenuText::tr("%1 was not written: pictures can be saved as PNG or SVG, data as CSV.")
                .arg(path));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.commit())
        return std::unexpected(PlotMenuText::tr("%1 was not written: %2").arg(path, file.errorString()));
    return {};
}

void add_export_actions(QMenu& menu, std::function<ExportedPicture()> make,
                        std::function<void(const std::expected<QString, QString>&)> tell) {
    QWidget* const parent = menu.parentWidget();
    QObject::connect(menu.addAction(glyph_icon(Glyph::Image), PlotMenuText::tr("&Save picture…")),
                     &QAction::triggered, parent, [=] {
                         ask_and_save(parent, PlotMenuText::tr("Save picture"),
                                      PlotMenuText::tr("Pictures (*.png *.svg)"), QStringLiteral("png"),
                                      make(), tell);
                     });
    QObject::connect(menu.addAction(glyph_icon(Glyph::Export), PlotMenuText::tr("Save &data as CSV…")),
                     &QAction::triggered, parent, [=] {
                         ask_and_save(parent, PlotMenuText::tr("Save data"),
                                      PlotMenuText::tr("Tables (*.csv)"), QStringLiteral("csv"), make(),
                                      tell);
                     });
    QObject::connect(menu.addAction(glyph_icon(Glyph::Copy), PlotMenuText::tr("&Copy picture")),
                     &QAction::triggered, parent,
                     [=] { QGuiApplication::clipboard()->setImage(image_of(make())); });
}

void pop_up_export_menu(QWidget& picture, const QPoint& place, std::function<ExportedPicture()> make,
                        std::function<void(const std::expected<QString, QString>&)> tell) {
    auto* const menu = new QMenu(&picture);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    add_export_actions(*menu, std::move(make), std::move(tell));
    menu->popup(place);
}

namespace {

constexpr int button_margin = 2;

} // namespace

PlotMenuButton::PlotMenuButton(QWidget& plot, const QString& does, const QString& name, Fill fill,
                               Export make)
    : QToolButton(&plot)
    , plot_(plot)
    , fill_(std::move(fill))
    , make_(std::move(make)) {
    setIcon(glyph_icon(Glyph::Menu));
    setAutoRaise(true);
    setPopupMode(QToolButton::InstantPopup);
    setToolTip(does);
    setAccessibleName(name);
    setFocusPolicy(Qt::TabFocus);
    auto* const menu = new QMenu(this);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        this->fill(*menu);
    });
    plot.installEventFilter(this);
    place();
}

void PlotMenuButton::set_beside(int pixels) {
    beside_ = pixels;
    place();
}

void PlotMenuButton::set_offered(bool offered) {
    is_offered_ = offered;
    setVisible(offered);
}

void PlotMenuButton::place() {
    adjustSize();
    move(plot_.width() - beside_ - width() - button_margin, button_margin);
    raise();
    Q_EMIT placed();
}

QSizeF PlotMenuButton::room() const {
    return QSizeF(size()) + QSizeF(2 * button_margin, button_margin);
}

void PlotMenuButton::fill(QMenu& menu) {
    if (fill_)
        fill_(menu);
    if (!make_)
        return;
    if (!menu.isEmpty())
        menu.addSeparator();
    add_export_actions(menu, make_, [this](const std::expected<QString, QString>& saved) {
        if (saved)
            Q_EMIT exported_to(*saved);
        else
            Q_EMIT export_failed(saved.error());
    });
}

void PlotMenuButton::pop_up(const QPoint& place) {
    auto* const menu = new QMenu(&plot_);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fill(*menu);
    menu->popup(place);
}

void PlotMenuButton::changeEvent(QEvent* event) {
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        place();
}

bool PlotMenuButton::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize:
        place();
        break;
    case QEvent::ContextMenu:
        if (!is_offered_)
            break;
        pop_up(static_cast<QContextMenuEvent*>(event)->globalPos());
        event->accept();
        return true;
    default:
        break;
    }
    return QToolButton::eventFilter(watched, event);
}

} // namespace sparsight
