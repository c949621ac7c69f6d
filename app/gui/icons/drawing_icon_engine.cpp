#include "gui/icons/drawing_icon_engine.h"

#include <QFile>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <utility>

namespace sparsight {

namespace {

/// As large as fits, in the middle, in pixels of the device.
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

/// Qt 6 asks for a size in pixels of the device here.
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

} // namespace sparsight
