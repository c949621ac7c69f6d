#include "gui/failures/saliency_marks.h"

#include "widgets/look/theme.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

/// Of what the strongest cell moves; weaker ones would cover the pattern.
constexpr double least_shown = 0.35;

double strength(const SaliencyCell& cell) {
    return std::abs(cell.support.value_or(0));
}

} // namespace

std::vector<PlotOverlayRect> saliency_marks(const SaliencyReason& reason) {
    double strongest = 0;
    for (const SaliencyCell& cell : reason.cells)
        strongest = std::max(strongest, strength(cell));
    std::vector<PlotOverlayRect> marks;
    for (const SaliencyCell& cell : reason.cells) {
        const auto row = static_cast<std::size_t>(cell.row);
        const auto column = static_cast<std::size_t>(cell.column);
        const bool is_on_grid = row + 1 < reason.row_edges.size() && column + 1 < reason.column_edges.size();
        if (!is_on_grid || strongest <= 0 || strength(cell) < least_shown * strongest)
            continue;
        const Theme& theme = current_theme();
        marks.push_back({{reason.row_edges[row], reason.row_edges[row + 1], reason.column_edges[column],
                          reason.column_edges[column + 1]},
                         *cell.support > 0 ? theme.lose : theme.win,
                         {},
                         true});
    }
    return marks;
}

} // namespace sparsight
