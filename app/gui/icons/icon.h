// The program's icons: one-tone SVG drawings that take their colour from the theme at the moment of painting.
#pragma once

#include <QColor>
#include <QIcon>
#include <QIconEngine>
#include <QString>
#include <QStringList>
#include <functional>

class QColor;

namespace sparsight {

/// Paints a one-tone SVG drawing in a colour that is looked up at the moment of painting.
class DrawingIconEngine : public QIconEngine {
public:
    /// Called at every painting.
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

/// The drawing resources/icons/NAME.svg in the text colour of the palette at the moment of painting (paler
/// when disabled, in the colour of highlighted text when selected), sharp at every size and resolution. It
/// follows a change of theme by itself. An unknown name gives a null icon.
[[nodiscard]] QIcon icon(const QString& name);

/// The same drawing in a given colour, for marks such as a warning; paler when disabled.
[[nodiscard]] QIcon icon(const QString& name, const QColor& colour);

/// The same drawing for a button that is filled with the accent colour.
[[nodiscard]] QIcon icon_on_accent(const QString& name);

/// Every name that icon() knows, sorted.
[[nodiscard]] QStringList icon_names();

/// The program's own icon, in its own colours.
[[nodiscard]] QIcon application_icon();

} // namespace sparsight
