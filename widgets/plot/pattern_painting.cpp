// The matrix itself: picture, single entries, cell grid, tile guides, overlay.
#include "widgets/plot/plot_scene.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

/// Device pixels of one painter: edges of cells are put on them, so that squares stay sharp.
class DevicePixels {
public:
    DevicePixels(const QPainter& painter, const PlotScene& scene)
        : ratio_(painter.device()->devicePixelRatioF())
        , offset_(scene.layout.viewport.topLeft())
        , view_(scene.view) {}

    [[nodiscard]] double ratio() const { return ratio_; }
    [[nodiscard]] int x(double col) const {
        return static_cast<int>(std::lround((view_.to_pixels(QPointF(col, 0)).x() + offset_.x()) * ratio_));
    }
    [[nodiscard]] int y(double row) const {
        return static_cast<int>(std::lround((view_.to_pixels(QPointF(0, row)).y() + offset_.y()) * ratio_));
    }
    [[nodiscard]] QRect rect(const QRectF& logical) const {
        const QPoint from(qRound(logical.left() * ratio_), qRound(logical.top() * ratio_));
        const QPoint to(qRound(logical.right() * ratio_), qRound(logical.bottom() * ratio_));
        return {from, QSize(to.x() - from.x(), to.y() - from.y())};
    }

private:
    double ratio_;
    QPointF offset_;
    const PlotView& view_;
};

void paint_image(QPainter& painter, const PlotScene& scene, const PlotPicture& picture) {
    const double ratio = painter.device()->devicePixelRatioF();
    QRectF place = scene.view.to_pixels(picture.region).translated(scene.layout.viewport.topLeft());
    const QRectF device(place.topLeft() * ratio, place.size() * ratio);
    const double enlarged = device.width() / picture.image.width();
    // Made for this view: put it on the pixels. Otherwise scaled until the new one comes; far enlarged, cells
    // are better seen as such.
    if (std::abs(device.width() - picture.image.width()) < 0.05 &&
        std::abs(device.height() - picture.image.height()) < 0.05)
        place = QRectF(std::round(device.left()) / ratio, std::round(device.top()) / ratio,
                       picture.image.width() / ratio, picture.image.height() / ratio);
    else
        painter.setRenderHint(QPainter::SmoothPixmapTransform, enlarged < 3);
    painter.drawImage(place, picture.image);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
}

void paint_cells(QPainter& painter, const PlotScene& scene, const PlotPicture& picture) {
    const DevicePixels pixels(painter, scene);
    const QRect clip = pixels.rect(scene.visible_matrix());
    const DensityColours colours(picture.theme, picture.fullest);
    painter.save();
    painter.scale(1 / pixels.ratio(), 1 / pixels.ratio());
    painter.fillRect(
        pixels.rect(scene.view.to_pixels(picture.region).translated(scene.layout.viewport.topLeft())) & clip,
        QColor(colours.background()));
    painter.setPen(Qt::NoPen);
    QVector<QRect> rects;
    for (std::size_t i = 0; i < picture.cells.size(); ++i) {
        const PlotCell& cell = picture.cells[i];
        const int x = pixels.x(cell.col);
        const int y = pixels.y(cell.row);
        const QRect square = QRect(x, y, std::max(pixels.x(cell.col + 1.0) - x, 1),
                                   std::max(pixels.y(cell.row + 1.0) - y, 1)) &
                             clip;
        if (!square.isEmpty())
            rects.push_back(square);
        if (i + 1 == picture.cells.size() || picture.cells[i + 1].count != cell.count) {
            painter.setBrush(QColor(colours.colour(cell.count)));
            painter.drawRects(rects);
            rects.clear();
        }
    }
    painter.restore();
}

void paint_picture(QPainter& painter, const PlotScene& scene, const PlotPicture& picture) {
    if (picture.image.isNull())
        paint_cells(painter, scene, picture);
    else
        paint_image(painter, scene, picture);
}

bool covers(const PlotScene& scene, const PlotPicture& picture) {
    constexpr double rounding = 1.0; // pixels: the border of the picture is on whole ones
    const QRectF place = scene.view.to_pixels(picture.region).translated(scene.layout.viewport.topLeft());
    return place.adjusted(-rounding, -rounding, rounding, rounding).contains(scene.visible_matrix());
}

/// Lines between every `step` rows and columns, inside the visible matrix.
struct LineGrid {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    QColor colour;
    double faintest = 0;  ///< pixels between lines at which they begin to show
    double strongest = 0; ///< and from which on they have their full colour
};

void paint_lines(QPainter& painter, const PlotScene& scene, const LineGrid& grid) {
    const DevicePixels pixels(painter, scene);
    const QRectF visible = scene.visible_matrix();
    const QRect clip = pixels.rect(visible);
    const PatternArea area = scene.view.visible_area();
    const auto pen = [&](double distance) {
        const double strength =
            std::clamp((distance - grid.faintest) / (grid.strongest - grid.faintest), 0.0, 1.0);
        QColor colour = grid.colour;
        colour.setAlphaF(static_cast<float>(colour.alphaF() * strength));
        return QPen(colour, 0); // one device pixel
    };
    const auto inner = [](std::int64_t begin, std::int64_t step) { return (begin / step + 1) * step; };
    painter.save();
    painter.scale(1 / pixels.ratio(), 1 / pixels.ratio());
    QVector<QLine> lines;
    const double row_distance = static_cast<double>(grid.rows) * scene.view.row_pixels();
    if (row_distance >= grid.faintest && grid.rows > 0) {
        for (std::int64_t row = inner(area.row_begin, grid.rows); row < area.row_end; row += grid.rows) {
            const int y = pixels.y(static_cast<double>(row));
            if (y > clip.top() && y < clip.bottom())
                lines.push_back({clip.left(), y, clip.right(), y});
        }
        painter.setPen(pen(row_distance));
        painter.drawLines(lines);
        lines.clear();
    }
    const double col_distance = static_cast<double>(grid.cols) * scene.view.col_pixels();
    if (col_distance >= grid.faintest && grid.cols > 0) {
        for (std::int64_t col = inner(area.col_begin, grid.cols); col < area.col_end; col += grid.cols) {
            const int x = pixels.x(static_cast<double>(col));
            if (x > clip.left() && x < clip.right())
                lines.push_back({x, clip.top(), x, clip.bottom()});
        }
        painter.setPen(pen(col_distance));
        painter.drawLines(lines);
    }
    painter.restore();
}

QColor with_alpha(QColor colour, double alpha) {
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

void paint_standing_out(QPainter& painter, const QRectF& place, const QColor& colour, const Theme& theme) {
    constexpr double thickness = 2;
    constexpr double least_side = 3 * thickness + 2; // of a frame with something to see within
    QRectF frame = place;
    const QPointF centre = frame.center();
    frame.setSize({std::max(frame.width(), least_side), std::max(frame.height(), least_side)});
    frame.moveCenter(centre);
    painter.fillRect(frame, with_alpha(colour, 0.3));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.surface, thickness + 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(frame);
    painter.setPen(QPen(colour, thickness, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(frame);
}

void paint_overlay(QPainter& painter, const PlotScene& scene) {
    const QRectF visible = scene.visible_matrix();
    const QFontMetricsF metrics(scene.font);
    for (const PlotOverlayRect& mark : scene.overlay) {
        const QRectF whole =
            scene.view.to_pixels(to_rect(mark.area)).translated(scene.layout.viewport.topLeft());
        const QRectF place = whole & visible;
        if (place.isEmpty())
            continue;
        if (mark.stands_out) {
            paint_standing_out(painter, place, mark.colour, scene.theme);
            continue;
        }
        painter.fillRect(place, with_alpha(mark.colour, 0.22));
        if (std::min(whole.width(), whole.height()) >= 4) {
            painter.setPen(QPen(with_alpha(mark.colour, 0.8), 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        const QRectF text = metrics.boundingRect(mark.label);
        const double gap = metrics.height() / 4;
        if (mark.label.isEmpty() || place.width() < text.width() + 4 * gap ||
            place.height() < metrics.height() + 2 * gap)
            continue;
        const QRectF chip(place.left() + gap, place.top() + gap,
                          metrics.horizontalAdvance(mark.label) + 2 * gap, metrics.height());
        painter.fillRect(chip, with_alpha(scene.theme.surface, 0.85));
        painter.setPen(scene.theme.text);
        painter.drawText(chip, Qt::AlignCenter, mark.label);
    }
}

} // namespace

void paint_pattern(QPainter& painter, const PlotScene& scene) {
    const QRectF visible = scene.visible_matrix();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(visible);
    painter.fillRect(visible, QColor(DensityColours(plot_theme(scene.theme), 1).background()));
    if (scene.backdrop && !(scene.picture && covers(scene, *scene.picture)))
        paint_picture(painter, scene, *scene.backdrop);
    if (scene.picture)
        paint_picture(painter, scene, *scene.picture);
    paint_lines(painter, scene, {1, 1, with_alpha(scene.theme.dim_text, 0.22), 8, 16});
    // Half-way between paper and ink, so that the lines show on both.
    paint_lines(painter, scene,
                {scene.guides.rows, scene.guides.cols, mixed(scene.theme.text, scene.theme.surface, 0.45),
                 legible_guides / 2, 2.5 * legible_guides});
    paint_overlay(painter, scene);
    painter.restore();

    const DevicePixels pixels(painter, scene);
    painter.save();
    painter.scale(1 / pixels.ratio(), 1 / pixels.ratio());
    painter.setPen(QPen(scene.theme.outline, 0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(pixels.rect(visible).adjusted(-1, -1, 0, 0)); // around the pixels of the matrix
    painter.restore();
}

} // namespace sparsight
