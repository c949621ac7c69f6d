#include "widgets/plot/plot_layout.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace sparsight {

PlotLayout lay_out_plot(QSizeF size, const QFont& font, std::int64_t rows, std::int64_t nnz,
                        const NumberStyle& numbers) {
    const QFontMetricsF metrics(font);
    const double line = metrics.height();
    const auto width_of = [&](std::int64_t number) {
        return metrics.horizontalAdvance(count_text(std::max<std::int64_t>(number, 0), numbers));
    };
    PlotLayout layout;
    layout.row_ruler = std::ceil(line + grid_step + width_of(rows - 1) + tick_gap + tick_length);
    layout.col_ruler = std::ceil(2 * line + grid_step / 2.0 + tick_gap + tick_length);
    // A pixel seldom holds more than some thousand entries; the fullest a matrix of this size can have.
    const double labels = width_of(std::min<std::int64_t>(nnz, 99'999));
    const double legend =
        std::ceil(legend_gap + legend_bar + tick_length + tick_gap + labels + grid_step + line);
    constexpr double narrowest = 160;
    const double left = grid_step + layout.row_ruler;
    layout.legend = size.width() - left - legend - grid_step >= narrowest ? legend : 0;
    const double top = grid_step + layout.col_ruler;
    const double right = size.width() - grid_step - std::max<double>(layout.legend, grid_step);
    const double bottom = size.height() - 2.0 * grid_step;
    layout.viewport =
        QRectF(left, top, std::max(std::floor(right - left), 0.0), std::max(std::floor(bottom - top), 0.0));
    return layout;
}

} // namespace sparsight
