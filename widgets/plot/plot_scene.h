// All that the sparsity plot paints, as one value: the same on the screen and in an exported file.
#pragma once

#include "widgets/look/number_style.h"
#include "widgets/look/theme.h"
#include "widgets/plot/plot_layout.h"
#include "widgets/plot/plot_picture.h"
#include "widgets/plot/plot_view.h"

#include <QColor>
#include <QFont>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

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
