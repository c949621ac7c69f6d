// Fusion with our lines: flat surfaces, round corners, thin scroll bars, a focus ring that can be seen. All
// colours come from the theme at the time of painting, all sizes from the font.
#pragma once

#include <QProxyStyle>

namespace sparsight {

struct Theme;

/// Set this dynamic property to true on the one button of a view that leads on.
inline constexpr const char* primary_property = "primary";

class SparsightStyle : public QProxyStyle {
    Q_OBJECT
public:
    SparsightStyle();

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
};

} // namespace sparsight
