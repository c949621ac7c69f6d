// Fusion with our lines: flat surfaces, round corners, thin scroll bars, a focus ring that can be seen. All
// colours come from the theme at the time of painting, all sizes from the font.
#pragma once

#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>

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

// The pieces that the style paints, one function each.

enum class Chevron { Up, Down, Left, Right };

void paint_rounded(QPainter& painter, const QRectF& rect, const QColor& fill, const QColor& line,
                   double radius);
void paint_focus_ring(QPainter& painter, const QRectF& rect, double radius, const Theme& theme);
void paint_chevron(QPainter& painter, const QRectF& rect, Chevron direction, const QColor& colour);

void paint_button(QPainter& painter, const QStyleOption& option, bool primary, const Theme& theme);
void paint_tool_button(QPainter& painter, const QStyleOption& option, const Theme& theme);
void paint_input(QPainter& painter, const QStyleOption& option, const Theme& theme);
void paint_check_box(QPainter& painter, const QStyleOption& option, const Theme& theme);
void paint_radio_button(QPainter& painter, const QStyleOption& option, const Theme& theme);
void paint_header_section(QPainter& painter, const QStyleOptionHeader& option, const Theme& theme);
void paint_tab(QPainter& painter, const QStyleOptionTab& option, const Theme& theme);
void paint_progress(QPainter& painter, const QStyleOptionProgressBar& option, const Theme& theme);
void paint_scroll_bar(QPainter& painter, const QStyleOptionSlider& option, const QRect& handle,
                      const Theme& theme);
void paint_slider(QPainter& painter, const QStyleOptionSlider& option, const QRect& groove,
                  const QRect& handle, const Theme& theme);

/// Room at the right of a tool button with a text for the sign that a menu opens.
inline constexpr int menu_mark_width = 14;
/// Whether it has that sign: a sign of its own in the place of a text says it already.
[[nodiscard]] bool has_menu_mark(const QStyleOptionToolButton& option);

/// The arrow of a sorted column stands where the title ends, so that titles of numbers keep to the right.
struct HeaderParts {
    QRect label;
    QRect arrow; ///< empty where nothing is sorted
};
[[nodiscard]] HeaderParts header_parts(const QStyleOptionHeader& option);
/// Room for the title and, where the table can be sorted, the arrow.
[[nodiscard]] int header_width(const QStyleOptionHeader& option);

} // namespace sparsight
