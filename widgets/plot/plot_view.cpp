#include "widgets/plot/plot_view.h"

#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace sparsight {

PlotRect to_rect(const PatternArea& area) {
    return {static_cast<double>(area.col_begin), static_cast<double>(area.row_begin),
            static_cast<double>(area.col_end), static_cast<double>(area.row_end)};
}

PlotView::PlotView(std::int64_t rows, std::int64_t cols, QSizeF size, bool equal_aspect)
    : rows_(rows)
    , cols_(cols)
    , size_(size)
    , equal_aspect_(equal_aspect) {
    show_whole();
}

bool PlotView::suits_equal_aspect(std::int64_t rows, std::int64_t cols) {
    return rows <= 4 * cols && cols <= 4 * rows;
}

bool PlotView::empty() const {
    return rows_ < 1 || cols_ < 1 || size_.width() < 1 || size_.height() < 1;
}

QPointF PlotView::extent() const {
    return {static_cast<double>(cols_), static_cast<double>(rows_)};
}

QPointF PlotView::whole_scale() const {
    const QPointF scale(size_.width() / extent().x(), size_.height() / extent().y());
    if (!equal_aspect_)
        return scale;
    const double smaller = std::min(scale.x(), scale.y());
    return {smaller, smaller};
}

QPointF PlotView::middle() const {
    return to_matrix(QPointF(size_.width() / 2, size_.height() / 2));
}

QPointF PlotView::to_pixels(QPointF matrix) const {
    return {(matrix.x() - origin_.x()) * scale_.x(), (matrix.y() - origin_.y()) * scale_.y()};
}

QRectF PlotView::to_pixels(const PlotRect& rect) const {
    return {to_pixels(QPointF(rect.left, rect.top)), to_pixels(QPointF(rect.right, rect.bottom))};
}

QPointF PlotView::to_matrix(QPointF pixels) const {
    return {origin_.x() + pixels.x() / scale_.x(), origin_.y() + pixels.y() / scale_.y()};
}

PlotRect PlotView::to_matrix(const QRectF& pixels) const {
    const QPointF from = to_matrix(pixels.topLeft());
    const QPointF to = to_matrix(pixels.bottomRight());
    return {from.x(), from.y(), to.x(), to.y()};
}

QRectF PlotView::matrix_pixels() const {
    return to_pixels(PlotRect{0, 0, extent().x(), extent().y()});
}

bool PlotView::is_whole() const {
    return empty() || scale_ == whole_scale();
}

PatternArea PlotView::visible_area() const {
    if (empty())
        return {};
    const PlotRect rect = to_matrix(QRectF(QPointF(0, 0), size_));
    constexpr double rounding = 1e-9; // in rows or columns: an edge this close to a border counts as on it
    const auto first = [](double edge, std::int64_t count) {
        return std::clamp(static_cast<std::int64_t>(std::floor(edge + rounding)), std::int64_t{0}, count - 1);
    };
    const auto last = [](double edge, std::int64_t begin, std::int64_t count) {
        return std::clamp(static_cast<std::int64_t>(std::ceil(edge - rounding)), begin + 1, count);
    };
    PatternArea area;
    area.row_begin = first(rect.top, rows_);
    area.row_end = last(rect.bottom, area.row_begin, rows_);
    area.col_begin = first(rect.left, cols_);
    area.col_end = last(rect.right, area.col_begin, cols_);
    return area;
}

void PlotView::show_whole() {
    if (empty())
        return;
    scale_ = whole_scale();
    set_middle(extent() / 2);
}

void PlotView::show(const PlotRect& rect) {
    if (empty())
        return;
    QPointF scale(size_.width() / std::max(rect.right - rect.left, 1e-6),
                  size_.height() / std::max(rect.bottom - rect.top, 1e-6));
    if (equal_aspect_)
        scale = QPointF(std::min(scale.x(), scale.y()), std::min(scale.x(), scale.y()));
    set_scale(scale);
    set_middle({(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2});
    fill();
}

void PlotView::zoom_at(QPointF pixels, double factor) {
    if (empty())
        return;
    // Beside the matrix, use its nearest point; otherwise zooming would push it out of view.
    const QPointF there = to_matrix(pixels);
    const QPointF point(std::clamp(there.x(), 0.0, extent().x()), std::clamp(there.y(), 0.0, extent().y()));
    const QPointF place = to_pixels(point);
    set_scale(scale_ * factor);
    origin_ = {point.x() - place.x() / scale_.x(), point.y() - place.y() / scale_.y()};
    if (factor < 1)
        fill();
    else
        settle();
}

void PlotView::pan(QPointF pixels) {
    if (empty())
        return;
    origin_ -= QPointF(pixels.x() / scale_.x(), pixels.y() / scale_.y());
    settle();
}

void PlotView::resize(QSizeF size) {
    const bool whole = is_whole();
    const QPointF kept = empty() ? QPointF() : middle();
    size_ = size;
    if (empty())
        return;
    if (whole) {
        show_whole();
        return;
    }
    set_scale(scale_);
    set_middle(kept);
    settle();
}

void PlotView::set_equal_aspect(bool equal_aspect) {
    if (equal_aspect == equal_aspect_)
        return;
    const bool whole = is_whole();
    equal_aspect_ = equal_aspect;
    if (empty())
        return;
    if (whole) {
        show_whole();
        return;
    }
    const QPointF kept = middle();
    if (equal_aspect) {
        const double scale = std::sqrt(scale_.x() * scale_.y());
        set_scale({scale, scale});
    }
    set_middle(kept);
    settle();
}

void PlotView::set_scale(QPointF scale) {
    const QPointF whole = whole_scale();
    const auto limited = [](double wanted, double least) {
        // A zoom level slightly above that of the whole matrix counts as the whole matrix.
        return wanted < least * 1.001 ? least : std::min(wanted, std::max(max_cell, least));
    };
    scale_ = {limited(scale.x(), whole.x()), limited(scale.y(), whole.y())};
}

void PlotView::set_middle(QPointF matrix) {
    origin_ = {matrix.x() - size_.width() / 2 / scale_.x(), matrix.y() - size_.height() / 2 / scale_.y()};
}

void PlotView::fill() {
    const auto filled = [](double middle, double extent, double visible) {
        return visible >= extent ? extent / 2 : std::clamp(middle, visible / 2, extent - visible / 2);
    };
    const QPointF now = middle();
    const QPointF wanted(filled(now.x(), extent().x(), size_.width() / scale_.x()),
                         filled(now.y(), extent().y(), size_.height() / scale_.y()));
    if (wanted != now)
        set_middle(wanted);
}

void PlotView::settle() {
    const QPointF whole = whole_scale();
    const auto settled = [this](double middle, double extent, double scale, double whole_here) {
        // With stretched cells each direction can be whole by itself; with square cells only both together.
        const bool fits = scale == whole_here && (!equal_aspect_ || is_whole());
        return fits ? extent / 2 : std::clamp(middle, 0.0, extent);
    };
    const QPointF now = middle();
    const QPointF wanted(settled(now.x(), extent().x(), scale_.x(), whole.x()),
                         settled(now.y(), extent().y(), scale_.y(), whole.y()));
    if (wanted != now) // keeps the origin exact where no limit is reached
        set_middle(wanted);
}

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
