// Fonts that follow the font of the application.
#pragma once

#include <QFont>

class QWidget;

namespace sparsight {

/// Gives the widget one of the fonts of theme.h, and gives it again whenever the font of the application
/// becomes another one: a font that is only set stays as large as it was, also in large type.
void keep_font(QWidget& widget, QFont (*font)());

} // namespace sparsight
