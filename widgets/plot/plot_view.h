// The part of a matrix that is on the screen: zoom, pan and their limits, and the text for the position under
// the cursor, without a widget.
#pragma once

#include "widgets/look/number_text.h"
#include "widgets/plot/pattern_source.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <cstdint>
#include <optional>

namespace sparsight {

/// A rectangle in matrix coordinates: x counts columns, y counts rows; entry (i, j) fills [j, j + 1) × [i, i
/// + 1).
struct PlotRect {
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;
    bool operator==(const PlotRect&) const = default;
};

[[nodiscard]] PlotRect to_rect(const PatternArea& area);

/// Maps matrix coordinates to logical pixels from the top left of the viewport and back. Limits: never
/// smaller than the whole matrix (which is then centred), never larger than max_cell pixels per cell (a tiny
/// matrix still fills the viewport), and the viewport's centre stays on the matrix.
class PlotView {
public:
    static constexpr double max_cell = 96;

    PlotView() = default;
    /// Shows the whole matrix.
    PlotView(std::int64_t rows, std::int64_t cols, QSizeF size, bool equal_aspect);

    /// Square cells suit a matrix unless it is much longer in one direction.
    [[nodiscard]] static bool suits_equal_aspect(std::int64_t rows, std::int64_t cols);

    /// There is no matrix, or the viewport is empty: nothing can be mapped.
    [[nodiscard]] bool empty() const;
    [[nodiscard]] std::int64_t rows() const { return rows_; }
    [[nodiscard]] std::int64_t cols() const { return cols_; }
    [[nodiscard]] QSizeF size() const { return size_; }
    /// Whether rows are as high as columns are wide.
    [[nodiscard]] bool equal_aspect() const { return equal_aspect_; }
    /// Pixels per column and per row.
    [[nodiscard]] double col_pixels() const { return scale_.x(); }
    [[nodiscard]] double row_pixels() const { return scale_.y(); }

    [[nodiscard]] QPointF to_pixels(QPointF matrix) const;
    [[nodiscard]] QRectF to_pixels(const PlotRect& rect) const;
    [[nodiscard]] QPointF to_matrix(QPointF pixels) const;
    [[nodiscard]] PlotRect to_matrix(const QRectF& pixels) const;
    /// The position of the matrix in pixels; may exceed the viewport.
    [[nodiscard]] QRectF matrix_pixels() const;

    [[nodiscard]] bool is_whole() const;
    /// The rows and columns that are at least partly visible.
    [[nodiscard]] PatternArea visible_area() const;

    void show_whole();
    /// Fits the rectangle into the viewport as far as the limits allow.
    void show(const PlotRect& rect);
    /// Enlarges by `factor`; the point of the matrix at `pixels` stays in place, within the limits.
    void zoom_at(QPointF pixels, double factor);
    /// Moves the matrix by this many pixels.
    void pan(QPointF pixels);
    /// Keeps the centre and the size of a cell; a view of the whole matrix stays whole.
    void resize(QSizeF size);
    void set_equal_aspect(bool equal_aspect);

    bool operator==(const PlotView&) const = default;

private:
    [[nodiscard]] QPointF extent() const;
    [[nodiscard]] QPointF whole_scale() const;
    [[nodiscard]] QPointF middle() const;
    void set_scale(QPointF scale);
    void set_middle(QPointF matrix);
    void settle(); ///< keeps the centre of the view in the matrix
    void fill();   ///< avoids empty space beside the matrix, as far as it is large enough

    std::int64_t rows_ = 0;
    std::int64_t cols_ = 0;
    QSizeF size_;
    bool equal_aspect_ = true;
    QPointF scale_{1, 1};
    QPointF origin_; ///< matrix coordinates at the viewport's top left corner
};

/// The rows and columns of the pixel at `pixels`: exactly one cell where a cell is larger than a pixel;
/// otherwise neighbouring pixels divide the rows and columns among them. Empty beside the matrix.
[[nodiscard]] std::optional<PatternArea> pixel_area(const PlotView& view, QPointF pixels);

/// "row 12 034 · column 8 811 · 1 entry", "rows 12 032–12 063 · columns 8 800–8 831 · 57 entries"
[[nodiscard]] QString readout_text(const PatternArea& area, std::int64_t entries, const NumberStyle& style);

} // namespace sparsight
