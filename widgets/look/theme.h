// Colours by what they mean, fonts by what they are for. Everything that paints asks here, at the time of
// painting; switching while running sends QEvent::PaletteChange to every widget.
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
    QColor outline; ///< the edge of an input or button: 3 to 1 against its surroundings when focused
    QColor text;
    QColor dim_text;
    QColor disabled_text;
    QColor accent; ///< focus, primary buttons, what is chosen
    QColor accent_text;
    QColor selection; ///< behind selected rows and text
    QColor grid;      ///< lines inside a chart

    QColor win;       ///< faster than fixed CSR
    QColor lose;      ///< slower than fixed CSR
    QColor reference; ///< fixed CSR at 1.0×
    QColor simulated; ///< hatching over what is simulated or predicted
    QColor warning;
    QColor error;

    CodeColours code;
    std::array<QColor, 8> series; ///< categories, told apart also by colour-blind people

    /// The same index has the same colour on every page; more than eight start over.
    [[nodiscard]] QColor series_colour(std::size_t index) const { return series[index % series.size()]; }
};

[[nodiscard]] const Theme& light_theme();
[[nodiscard]] const Theme& dark_theme();

/// Style, palette and tooltips of the whole application; may be called again at any time.
void apply_theme(QApplication& application, ThemeChoice choice);

/// The theme that was applied, or the one that fits the palette of the application.
[[nodiscard]] const Theme& current_theme();

/// All spacing is a multiple of this many logical pixels, or half of it.
inline constexpr int grid_step = 8;
inline constexpr int corner_radius = 6;

// Sizes follow the font of the application, so that large type for teaching reaches every text.
[[nodiscard]] QFont page_title_font();
[[nodiscard]] QFont title_font();   ///< of a card or a chart
[[nodiscard]] QFont caption_font(); ///< axis labels, chips, notes
[[nodiscard]] QFont monospace_font();
[[nodiscard]] QFont bold_monospace_font();

/// colour `share` of the way from a to b
[[nodiscard]] QColor mixed(const QColor& a, const QColor& b, double share);

// Fonts that follow the font of the application.

/// Gives the widget one of the fonts of theme.h, and gives it again whenever the font of the application
/// becomes another one: a font that is only set stays as large as it was, also in large type.
void keep_font(QWidget& widget, QFont (*font)());

} // namespace sparsight
