// Marks of a ruler over rows or columns.
#pragma once

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/plot/plot_picture.h"
#include "widgets/plot/plot_view.h"

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

struct AxisTick {
    std::int64_t index = 0; ///< of the row or column, from 0
    double position = 0;    ///< its middle, in pixels from the ruler's begin
};

/// What a ruler covers: `begin` is the matrix coordinate at pixel 0 of `length`.
struct AxisRange {
    double begin = 0;
    double pixels_per_index = 1;
    double length = 0;
    std::int64_t count = 0; ///< rows or columns of the matrix
};

/// The least of 1, 2, 5, 10, 20, 50, … whose marks are at least `spacing` pixels apart.
[[nodiscard]] std::int64_t nice_step(double pixels_per_index, double spacing);

/// Multiples of the nice step that are visible.
[[nodiscard]] std::vector<AxisTick> axis_ticks(const AxisRange& range, double spacing);

// Where the parts of the plot are within its widget or exported picture.

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

// All that the sparsity plot paints, as one value: the same on the screen and in an exported file.

/// Pixels between two guides below which they are too faint to be seen.
inline constexpr double legible_guides = 12;

/// A line every so many rows and columns; 0 for none.
struct TileGuides {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    bool operator==(const TileGuides&) const = default;
};

/// A part of the matrix to be marked: the rows of a thread, a stored block.
struct PlotOverlayRect {
    PatternArea area;
    QColor colour;
    QString label;
    /// For few marks that must be seen on any picture: a thick frame between two lines of the background.
    bool stands_out = false;
};

struct PlotScene {
    PlotLayout layout;
    PlotView view;
    std::shared_ptr<const PlotPicture> picture;  ///< of the view or one shortly before; may be null
    std::shared_ptr<const PlotPicture> backdrop; ///< of the whole matrix, shown where the picture is not
    TileGuides guides;
    std::vector<PlotOverlayRect> overlay;
    Theme theme;
    QFont font;
    NumberStyle numbers;
    std::optional<QPointF> cursor; ///< within the viewport, marked on the rulers

    /// The part of the viewport in which the matrix is, in the painter's coordinates.
    [[nodiscard]] QRectF visible_matrix() const;
};

[[nodiscard]] PlotTheme plot_theme(const Theme& theme);

/// Everything below, on a filled background.
void paint_scene(QPainter& painter, QSizeF size, const PlotScene& scene);

/// The matrix with cell grid, tile guides and overlay. Clips by itself: SVG painters do not.
void paint_pattern(QPainter& painter, const PlotScene& scene);
void paint_rulers(QPainter& painter, const PlotScene& scene);
void paint_legend(QPainter& painter, const PlotScene& scene);

} // namespace sparsight
