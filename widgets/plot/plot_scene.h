// Everything that the sparsity plot paints, as one value for the screen and for exported files: the layout,
// rulers, legend, tile guides and overlays.
#pragma once

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/plot/plot_picture.h"
#include "widgets/plot/plot_view.h"

#include <QByteArray>
#include <QColor>
#include <QFont>
#include <QImage>
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
    std::int64_t index = 0; ///< row or column, from 0
    double position = 0;    ///< its centre, in pixels from the start of the ruler
};

/// The range of a ruler: `begin` is the matrix coordinate at pixel 0 of `length`.
struct AxisRange {
    double begin = 0;
    double pixels_per_index = 1;
    double length = 0;
    std::int64_t count = 0; ///< rows or columns of the matrix
};

/// The smallest of 1, 2, 5, 10, 20, 50, … whose ticks are at least `spacing` pixels apart.
[[nodiscard]] std::int64_t nice_step(double pixels_per_index, double spacing);

/// The visible multiples of the nice step.
[[nodiscard]] std::vector<AxisTick> axis_ticks(const AxisRange& range, double spacing);

/// The positions of the plot's parts within its widget or exported picture.
struct PlotLayout {
    QRectF viewport;      ///< shows the matrix
    double row_ruler = 0; ///< width of the strip left of the matrix
    double col_ruler = 0; ///< height of the strip above the matrix
    double legend = 0;    ///< width of the strip right of the matrix; 0 where there is no space
};

/// `font` is the font of the rulers; its size decides everything but a few gaps. Edges are whole pixels.
[[nodiscard]] PlotLayout lay_out_plot(QSizeF size, const QFont& font, std::int64_t rows, std::int64_t nnz,
                                      const NumberStyle& numbers);

// Gaps in logical pixels, shared by the parts painted along the matrix.
inline constexpr double tick_length = 5;
inline constexpr double tick_gap = 4;
inline constexpr double legend_gap = 18;
inline constexpr double legend_bar = 12;

/// Below this distance in pixels, guides are too faint to be seen.
inline constexpr double legible_guides = 12;

/// Lines after every `rows` rows and `cols` columns; 0 for none.
struct TileGuides {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    bool operator==(const TileGuides&) const = default;
};

/// A marked part of the matrix: the rows of a thread, a stored block.
struct PlotOverlayRect {
    PatternArea area;
    QColor colour;
    QString label;
    /// For a few marks that must be visible on any picture: a thick frame between two lines in the
    /// background's colour.
    bool stands_out = false;
};

struct PlotScene {
    PlotLayout layout;
    PlotView view;
    std::shared_ptr<const PlotPicture> picture; ///< of the current view or of one shortly before; may be null
    /// Of the whole matrix, shown where the picture does not reach.
    std::shared_ptr<const PlotPicture> backdrop;
    TileGuides guides;
    std::vector<PlotOverlayRect> overlay;
    Theme theme;
    QFont font;
    NumberStyle numbers;
    std::optional<QPointF> cursor; ///< within the viewport, marked on the rulers

    /// The part of the viewport that the matrix covers, in the painter's coordinates.
    [[nodiscard]] QRectF visible_matrix() const;
};

[[nodiscard]] PlotTheme plot_theme(const Theme& theme);

/// Paints all parts below on a filled background.
void paint_scene(QPainter& painter, QSizeF size, const PlotScene& scene);

/// The matrix with cell grid, tile guides and overlay. Clips by itself, because SVG painters do not.
void paint_pattern(QPainter& painter, const PlotScene& scene);
void paint_rulers(QPainter& painter, const PlotScene& scene);
void paint_legend(QPainter& painter, const PlotScene& scene);

// The plot as a file: always in light colours, without what belongs to the mouse.

/// A scene to be exported at the size that it has on the screen. May be used on any thread.
struct PlotExport {
    std::shared_ptr<const PatternSource> source;
    PlotScene scene;
    QSizeF size;
    QString title; ///< kept in the file's description
};

/// `device_pixel_ratio` pixels for each logical one.
[[nodiscard]] QImage export_image(const PlotExport& plot, double device_pixel_ratio = 2);

/// Rulers and single entries are vectors, a dense matrix is an embedded image.
[[nodiscard]] QByteArray export_svg(const PlotExport& plot);

/// The counts that are visible: row_begin,row_end,col_begin,col_end,count with a line for each cell that
/// holds entries; from 0, ends excluded.
[[nodiscard]] QByteArray export_csv(const PlotExport& plot);

enum class PlotFileFormat { Png, Svg, Csv };

/// Writes the file as a whole or not at all; an empty text or why it failed.
[[nodiscard]] QString export_file(const PlotExport& plot, PlotFileFormat format, const QString& path);

} // namespace sparsight
