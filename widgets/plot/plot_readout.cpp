#include "widgets/plot/plot_readout.h"

#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("sparsight::SparsityPlot", text);
}

struct IndexRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

IndexRange range_of(double pixel, double origin, double per_pixel, std::int64_t count) {
    const auto index = [count](double at) {
        return std::clamp(static_cast<std::int64_t>(std::floor(at)), std::int64_t{0}, count - 1);
    };
    if (per_pixel <= 1) {
        const std::int64_t one = index(origin + pixel * per_pixel);
        return {one, one + 1};
    }
    const std::int64_t begin = index(origin + std::floor(pixel) * per_pixel);
    const auto end = static_cast<std::int64_t>(std::floor(origin + (std::floor(pixel) + 1) * per_pixel));
    return {begin, std::clamp(end, begin + 1, count)};
}

QString range_text(const char* one, const char* several, std::int64_t begin, std::int64_t end,
                   const NumberStyle& style) {
    if (end - begin == 1)
        return translated(one).arg(count_text(begin, style));
    return translated(several).arg(count_text(begin, style), count_text(end - 1, style));
}

} // namespace

std::optional<PatternArea> pixel_area(const PlotView& view, QPointF pixels) {
    if (view.empty() || !QRectF(QPointF(0, 0), view.size()).contains(pixels) ||
        !view.matrix_pixels().contains(pixels))
        return std::nullopt;
    const QPointF origin = view.to_matrix(QPointF(0, 0));
    const auto [row_begin, row_end] = range_of(pixels.y(), origin.y(), 1 / view.row_pixels(), view.rows());
    const auto [col_begin, col_end] = range_of(pixels.x(), origin.x(), 1 / view.col_pixels(), view.cols());
    return PatternArea{row_begin, row_end, col_begin, col_end};
}

QString readout_text(const PatternArea& area, std::int64_t entries, const NumberStyle& style) {
    const QString rows = range_text(QT_TRANSLATE_NOOP("sparsight::SparsityPlot", "row %1"),
                                    QT_TRANSLATE_NOOP("sparsight::SparsityPlot", "rows %1–%2"),
                                    area.row_begin, area.row_end, style);
    const QString cols = range_text(QT_TRANSLATE_NOOP("sparsight::SparsityPlot", "column %1"),
                                    QT_TRANSLATE_NOOP("sparsight::SparsityPlot", "columns %1–%2"),
                                    area.col_begin, area.col_end, style);
    QString count;
    if (entries == 0)
        count = translated(QT_TRANSLATE_NOOP("sparsight::SparsityPlot", "no entry"));
    else if (entries == 1)
        count = translated(QT_TRANSLATE_NOOP("sparsight::SparsityPlot", "1 entry"));
    else
        count = translated(QT_TRANSLATE_NOOP("sparsight::SparsityPlot", "%1 entries"))
                    .arg(count_text(entries, style));
    return rows + QStringLiteral(" · ") + cols + QStringLiteral(" · ") + count;
}

} // namespace sparsight
