// Where the parts of the plot are within its widget or exported picture.
#pragma once

#include "widgets/look/number_style.h"

#include <QFont>
#include <QRectF>
#include <QSizeF>
#include <cstdint>

namespace sparsight {

struct PlotLayout {
    QRectF viewport;      ///< shows the matrix
    double row_ruler = 0; ///< width of the strip left of the matrix
    double col_ruler = 0; ///< height of the strip above it
    double legend = 0;    ///< width of the strip right of it; 0 where there is no room
};

/// `font` is that of the rulers; its size decides everything but a few gaps. Edges are whole pixels.
[[nodiscard]] PlotLayout lay_out_plot(QSizeF size, const QFont& font, std::int64_t rows, std::int64_t nnz,
                                      const NumberStyle& numbers);

// Gaps in logical pixels, shared by the parts that are painted along the matrix.
inline constexpr double tick_length = 5;
inline constexpr double tick_gap = 4;
inline constexpr double legend_gap = 18;
inline constexpr double legend_bar = 12;

} // namespace sparsight
