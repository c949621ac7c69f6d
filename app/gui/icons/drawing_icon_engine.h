// Paints a one-tone SVG drawing in a colour that is looked up at the moment of painting.
#pragma once

#include <QColor>
#include <QIconEngine>
#include <QString>

#include <functional>

namespace sparsight {

class DrawingIconEngine : public QIconEngine {
public:
    /// Asked at every painting.
    using Colour = std::function<QColor(QIcon::Mode)>;

    DrawingIconEngine(QString path, Colour colour);

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override;
    [[nodiscard]] QIconEngine* clone() const override;
    [[nodiscard]] QString key() const override;
    [[nodiscard]] bool isNull() override;

private:
    QString path_;
    Colour colour_;
};

} // namespace sparsight
