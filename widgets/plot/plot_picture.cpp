#include "widgets/plot/plot_picture.h"

#include "widgets/plot/density_raster.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr std::int64_t most_single_entries = 50'000; // more would take longer to paint than a frame
constexpr int most_cells = 8192;

/// The device pixels on which the matrix shows within the viewport and its margin.
QRect shown_pixels(const PictureRequest& request) {
    const double ratio = request.device_pixel_ratio;
    const QRectF matrix = request.view.matrix_pixels();
    const QRectF viewport = QRectF(QPointF(0, 0), request.view.size())
                                .adjusted(-request.margin, -request.margin, request.margin, request.margin);
    const QRectF shown = matrix & viewport;
    constexpr double rounding = 1e-6;
    const auto floor_of = [&](double edge) { return static_cast<int>(std::floor(edge * ratio + rounding)); };
    const auto ceil_of = [&](double edge) { return static_cast<int>(std::ceil(edge * ratio - rounding)); };
    const int left = floor_of(shown.left());
    const int top = floor_of(shown.top());
    // A matrix thinner than a pixel still shows.
    return {left, top, std::max(ceil_of(shown.right()) - left, 1),
            std::max(ceil_of(shown.bottom()) - top, 1)};
}

PatternArea area_of(const PlotRect& region, const PlotView& view) {
    const auto index = [](double edge, std::int64_t low, std::int64_t high) {
        return std::clamp(static_cast<std::int64_t>(edge), low, high);
    };
    PatternArea area;
    area.row_begin = index(std::floor(region.top), 0, view.rows() - 1);
    area.row_end = index(std::ceil(region.bottom), area.row_begin + 1, view.rows());
    area.col_begin = index(std::floor(region.left), 0, view.cols() - 1);
    area.col_end = index(std::ceil(region.right), area.col_begin + 1, view.cols());
    return area;
}

DensityUnit unit_of(double cols_per_pixel, double rows_per_pixel) {
    if (cols_per_pixel <= 1)
        return rows_per_pixel <= 1 ? DensityUnit::Cell : DensityUnit::ColumnAndPixelRow;
    return rows_per_pixel <= 1 ? DensityUnit::RowAndPixelColumn : DensityUnit::Pixel;
}

std::vector<PlotCell> merged(const std::vector<PatternEntry>& entries) {
    std::vector<PlotCell> cells;
    cells.reserve(entries.size());
    for (const PatternEntry& entry : entries)
        if (!cells.empty() && cells.back().row == entry.row && cells.back().col == entry.col)
            ++cells.back().count;
        else
            cells.push_back({entry.row, entry.col, 1});
    std::ranges::stable_sort(cells, {}, &PlotCell::count);
    return cells;
}

int wanted_cells(std::int64_t extent, int pixels, int cells_per_pixel) {
    const std::int64_t most = std::min<std::int64_t>(extent, most_cells);
    return static_cast<int>(std::min(cells_per_pixel * static_cast<std::int64_t>(pixels), most));
}

} // namespace

PlotPicture render_picture(const PatternSource& source, const PictureRequest& request) {
    PlotPicture picture;
    picture.theme = request.theme;
    const PlotView& view = request.view;
    if (view.empty())
        return picture;
    const double ratio = request.device_pixel_ratio;
    const QRect pixels = shown_pixels(request);
    picture.region = view.to_matrix(
        QRectF(pixels.left() / ratio, pixels.top() / ratio, pixels.width() / ratio, pixels.height() / ratio));
    const PatternArea area = area_of(picture.region, view);
    const RasterTarget target{pixels.width(),
                              pixels.height(),
                              picture.region.left,
                              picture.region.top,
                              1 / (view.col_pixels() * ratio),
                              1 / (view.row_pixels() * ratio)};
    picture.unit = unit_of(target.cols_per_pixel, target.rows_per_pixel);

    if (std::min(view.col_pixels(), view.row_pixels()) >= single_entry_pixels) {
        const PatternEntries entries = source.entries(area, most_single_entries);
        if (entries.total <= most_single_entries) {
            picture.cells = merged(entries.entries);
            const float largest =
                picture.cells.empty() ? 1.0F : static_cast<float>(picture.cells.back().count);
            picture.fullest = colour_scale_end(std::span(&largest, 1));
            return picture;
        }
    }

    // Sources may round inner edges: columns to powers of two, rows to whole rows. Two cells a pixel keep
    // that from being seen; rows need it only where a pixel covers few of them.
    const int across = wanted_cells(area.cols(), pixels.width(), 2);
    const int down = wanted_cells(area.rows(), pixels.height(), target.rows_per_pixel > 4 ? 1 : 2);
    const std::vector<float> values = density_values(source.counts(area, across, down), target);
    picture.fullest = colour_scale_end(values);
    picture.image = density_image(values, pixels.width(), pixels.height(),
                                  DensityColours(request.theme, picture.fullest));
    return picture;
}

QImage thumbnail(const PatternSource& source, QSize size, PlotTheme theme, double device_pixel_ratio) {
    QImage image(size * device_pixel_ratio, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    image.setDevicePixelRatio(device_pixel_ratio);
    PictureRequest request;
    request.view = PlotView(source.rows(), source.cols(), size,
                            PlotView::suits_equal_aspect(source.rows(), source.cols()));
    request.device_pixel_ratio = device_pixel_ratio;
    request.theme = theme;
    if (request.view.empty())
        return image;
    const PlotPicture picture = render_picture(source, request);
    QPainter painter(&image);
    const QRectF place = request.view.to_pixels(picture.region);
    const DensityColours colours(theme, picture.fullest);
    if (!picture.image.isNull()) {
        painter.drawImage(place, picture.image);
        return image;
    }
    painter.fillRect(place, QColor(colours.background()));
    for (const PlotCell& cell : picture.cells)
        painter.fillRect(request.view.to_pixels(
                             PlotRect{static_cast<double>(cell.col), static_cast<double>(cell.row),
                                      static_cast<double>(cell.col) + 1, static_cast<double>(cell.row) + 1}),
                         QColor(colours.colour(cell.count)));
    return image;
}

} // namespace sparsight
