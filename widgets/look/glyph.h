// The few signs that the widgets themselves need: lines on a grid of 24, drawn in the text colour of the
// theme at the time of painting.
#pragma once

#include <QIcon>

namespace sparsight {

enum class Glyph {
    ChevronDown,
    Close,
    Columns,
    Copy,
    Error,
    Export,
    Image,
    Information,
    Menu,
    Question,
    Search,
    Warning,
    ZoomFit
};

/// Repaints itself in the colours of the theme that holds at the time; disabled ones are dimmed.
[[nodiscard]] QIcon glyph_icon(Glyph glyph);

/// Always in this colour.
[[nodiscard]] QIcon glyph_icon(Glyph glyph, const QColor& colour);

} // namespace sparsight
