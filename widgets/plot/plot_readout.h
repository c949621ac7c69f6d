// What lies under the cursor, in words.
#pragma once

#include "widgets/look/number_style.h"
#include "widgets/plot/plot_view.h"

#include <QString>
#include <optional>

namespace sparsight {

/// The rows and columns of the pixel at `pixels`: exactly one cell where it is larger than a pixel; otherwise
/// neighbouring pixels share the rows and columns out among them. Nothing beside the matrix.
[[nodiscard]] std::optional<PatternArea> pixel_area(const PlotView& view, QPointF pixels);

/// "row 12 034 · column 8 811 · 1 entry", "rows 12 032–12 063 · columns 8 800–8 831 · 57 entries"
[[nodiscard]] QString readout_text(const PatternArea& area, std::int64_t entries, const NumberStyle& style);

} // namespace sparsight
