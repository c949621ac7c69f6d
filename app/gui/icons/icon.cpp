#include "gui/icons/icon.h"

#include "gui/program/program.h"

#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <utility>

namespace sparsight {

namespace {

/// Draws as large as fits, centred, in device pixels.
QPixmap draw(const QString& path, const QSize& pixels, const QColor& colour) {
    QPixmap picture(pixels);
    picture.fill(Qt::transparent);
    QSvgRenderer drawing(path);
    drawing.setAspectRatioMode(Qt::KeepAspectRatio);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    drawing.render(&painter);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(picture.rect(), colour);
    return picture;
}

QPixmap cached_drawing(const QString& path, const QSize& pixels, const QColor& colour) {
    const QString key = QStringLiteral("drawing %1 %2x%3 %4")
                            .arg(path)
                            .arg(pixels.width())
                            .arg(pixels.height())
                            .arg(colour.rgba(), 0, 16);
    QPixmap picture;
    if (!QPixmapCache::find(key, &picture)) {
        picture = draw(path, pixels, colour);
        QPixmapCache::insert(key, picture);
    }
    return picture;
}

} // namespace

DrawingIconEngine::DrawingIconEngine(QString path, Colour colour)
    : path_(std::move(path))
    , colour_(std::move(colour)) {}

void DrawingIconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) {
    const qreal scale = painter->device() == nullptr ? 1 : painter->device()->devicePixelRatioF();
    QPixmap picture = cached_drawing(path_, (QSizeF(rect.size()) * scale).toSize(), colour_(mode));
    picture.setDevicePixelRatio(scale);
    painter->drawPixmap(rect.topLeft(), picture);
}

QPixmap DrawingIconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) {
    return size.isEmpty() ? QPixmap() : cached_drawing(path_, size, colour_(mode));
}

/// Qt 6 passes a size in device pixels here.
QPixmap DrawingIconEngine::scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state,
                                        qreal scale) {
    QPixmap picture = pixmap(size, mode, state);
    picture.setDevicePixelRatio(scale);
    return picture;
}

QIconEngine* DrawingIconEngine::clone() const {
    return new DrawingIconEngine(*this);
}

QString DrawingIconEngine::key() const {
    return QStringLiteral("sparsight-drawing");
}

bool DrawingIconEngine::isNull() {
    return !QFile::exists(path_);
}

namespace {

QColor of_palette(QPalette::ColorGroup group, QPalette::ColorRole role) {
    return QGuiApplication::palette().color(group, role);
}

QColor paler(QColor colour) {
    colour.setAlphaF(0.38F);
    return colour;
}

QColor text_colour(QIcon::Mode mode) {
    if (mode == QIcon::Disabled)
        return paler(of_palette(QPalette::Active, QPalette::WindowText));
    return of_palette(QPalette::Active,
                      mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::WindowText);
}

/// A disabled button is not filled.
QColor accent_colour(QIcon::Mode mode) {
    return mode == QIcon::Disabled ? text_colour(mode) : of_palette(QPalette::Active, QPalette::BrightText);
}

QIcon make_icon(const QString& name, const DrawingIconEngine::Colour& colour) {
    const QString path = QStringLiteral(":/icons/%1.svg").arg(name);
    if (!QFile::exists(path))
        return {};
    return QIcon(new DrawingIconEngine(path, colour)); // QIcon owns its engine
}

} // namespace

QIcon icon(const QString& name) {
    return make_icon(name, text_colour);
}

QIcon icon(const QString& name, const QColor& colour) {
    return make_icon(name,
                     [colour](QIcon::Mode mode) { return mode == QIcon::Disabled ? paler(colour) : colour; });
}

QIcon icon_on_accent(const QString& name) {
    return make_icon(name, accent_colour);
}

QStringList icon_names() {
    QStringList names = QDir(QStringLiteral(":/icons")).entryList({QStringLiteral("*.svg")}, QDir::Files);
    for (QString& name : names)
        name.chop(4);
    names.sort();
    return names;
}

QIcon application_icon() {
    return QIcon(QStringLiteral(":/application/%1.svg").arg(QLatin1StringView(application_id)));
}

} // namespace sparsight
