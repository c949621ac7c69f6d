// Colours by meaning and fonts by purpose. Everything that paints asks here at the time of painting;
// switching the theme at run time sends QEvent::PaletteChange to every widget.
#pragma once

#include <QColor>
#include <QFont>
#include <array>
#include <cstddef>

class QApplication;
class QWidget;

namespace sparsight {

enum class ThemeChoice { System, Light, Dark };

struct CodeColours {
    QColor keyword;
    QColor type;
    QColor number;
    QColor comment;
    QColor function;
    QColor text;
};

struct Theme {
    bool dark = false;

    QColor window;  ///< behind everything
    QColor surface; ///< cards, tables, plots, inputs
    QColor raised;  ///< buttons, menus, tooltips
    QColor hover;   ///< under the mouse
    QColor border;  ///< lines between surfaces
    QColor outline; ///< border of an input or button: contrast 3 to 1 against its surroundings when focused
    QColor text;
    QColor dim_text;
    QColor disabled_text;
    QColor accent; ///< focus, primary buttons, the chosen item
    QColor accent_text;
    QColor selection; ///< behind selected rows and text
    QColor grid;      ///< lines inside a chart

    QColor win;       ///< faster than fixed CSR
    QColor lose;      ///< slower than fixed CSR
    QColor reference; ///< fixed CSR at 1.0×
    QColor simulated; ///< hatching over simulated or predicted values
    QColor warning;
    QColor error;

    CodeColours code;
    std::array<QColor, 8> series; ///< categories, distinguishable by colour-blind people, too

    /// The same index has the same colour on every page; after eight the colours repeat.
    [[nodiscard]] QColor series_colour(std::size_t index) const { return series[index % series.size()]; }
};

[[nodiscard]] const Theme& light_theme();
[[nodiscard]] const Theme& dark_theme();

/// Sets the style, palette and tooltips of the whole application; may be called again at any time.
void apply_theme(QApplication& application, ThemeChoice choice);

/// The applied theme, or the theme that fits the application's palette.
[[nodiscard]] const Theme& current_theme();

/// All spacing is a multiple, or half, of this many logical pixels.
inline constexpr int grid_step = 8;
inline constexpr int corner_radius = 6;

// Font sizes follow the application's font, so that large type for teaching reaches every text.
[[nodiscard]] QFont page_title_font();
[[nodiscard]] QFont title_font();   ///< for a card or a chart
[[nodiscard]] QFont caption_font(); ///< for axis labels, chips, notes
[[nodiscard]] QFont monospace_font();
[[nodiscard]] QFont bold_monospace_font();

/// The colour at `share` of the way from a to b.
[[nodiscard]] QColor mixed(const QColor& a, const QColor& b, double share);

/// Sets one of the fonts of theme.h on the widget, and again whenever the application's font changes: a font
/// that is only set keeps its size, even in large type.
void keep_font(QWidget& widget, QFont (*font)());

} // namespace sparsight
