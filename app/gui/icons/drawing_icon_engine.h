// Paints a one-tone SVG drawing in a colour that is looked up at the moment of painting.
#pragma once

#include <QColor>
#include <QIconEngine>
#include <QString>

#include <optional>

namespace sparsight {

class DrawingIconEngine : public QIconEngine {
public:
    /// Without a colour: the palette's.
    DrawingIconEngine(QString path, std::optional<QColor> colour);

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override;
    [[nodiscard]] QIconEngine* clone() const override;
    [[nodiscard]] QString key() const override;
    [[nodiscard]] bool isNull() override;

private:
    [[nodiscard]] QColor colour(QIcon::Mode mode) const;

    QString path_;
    std::optional<QColor> colour_;
};

} // namespace sparsight
