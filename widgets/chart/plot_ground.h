// What every plot paints beside its content.
#pragma once

#include <QRectF>
#include <QString>

class QPainter;

namespace sparsight {

struct Theme;

/// A sentence in the place of a plot that has nothing to show.
void paint_empty_plot(QPainter& painter, const QRectF& plot, const QString& text, const Theme& theme);

/// The edge of a plot that has the keyboard.
void paint_plot_focus(QPainter& painter, const QRectF& plot, const Theme& theme);

} // namespace sparsight
