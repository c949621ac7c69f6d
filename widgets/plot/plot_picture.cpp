#include "widgets/plot/plot_picture.h"

#include "widgets/plot/density_image.h"

#include <QMetaObject>
#include <QPainter>
#include <algorithm>
#include <bit>
#include <cmath>
#include <exception>
#include <utility>

namespace sparsight {

namespace {

constexpr std::int64_t most_single_entries = 6'000; // painting more would take much of a frame's time
constexpr int most_cells = 8192;

/// The device pixels that the matrix covers within the viewport and its margin.
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
    // A matrix thinner than a pixel is still visible.
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

/// Rows and columns per counted cell. Where pixels are smoothed, cells of equal size give even pixels; where
/// they are not, rows are counted per pixel (0) and columns in slightly finer cells.
struct CellSize {
    std::int64_t rows = 1;
    std::int64_t cols = 1;
    bool operator==(const CellSize&) const = default;
};

CellSize cell_size(const RasterTarget& target, PictureQuality quality) {
    const double wanted = quality == PictureQuality::Fine ? 0.5 : 1; // pixels
    const auto whole = [](double size) { return static_cast<std::uint64_t>(std::max(size, 1.0)); };
    CellSize size;
    size.rows = target.rows_per_pixel < coarse_pixels
                    ? static_cast<std::int64_t>(whole(target.rows_per_pixel * wanted))
                    : 0;
    // The engine counts columns in powers of two; other sizes would give uneven cells.
    const double cols = target.cols_per_pixel * (target.cols_per_pixel < coarse_pixels ? wanted : 0.75);
    size.cols = static_cast<std::int64_t>(std::bit_floor(whole(cols)));
    return size;
}

/// Extends [begin, end) to whole cells, within the matrix.
void align(std::int64_t& begin, std::int64_t& end, std::int64_t cell, std::int64_t extent) {
    begin = begin / cell * cell;
    end = std::min((end + cell - 1) / cell * cell, extent);
}

PatternCounts count_cells(const PatternSource& source, PatternArea area, const CellSize& size,
                          int pixel_rows) {
    const auto limited = [](std::int64_t cells) {
        return static_cast<int>(std::clamp<std::int64_t>(cells, 1, most_cells));
    };
    align(area.col_begin, area.col_end, size.cols, source.cols());
    const int across = limited(area.cols() / size.cols);
    if (size.rows == 0)
        return source.counts(area, across, limited(pixel_rows));
    align(area.row_begin, area.row_end, size.rows, source.rows());
    return source.counts(area, across, limited(area.rows() / size.rows));
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

    const bool large_cells = std::min(view.col_pixels(), view.row_pixels()) >= single_entry_pixels;
    if (large_cells) {
        const PatternEntries entries = source.entries(area, most_single_entries);
        if (entries.total <= most_single_entries) {
            picture.cells = merged(entries.entries);
            const float largest =
                picture.cells.empty() ? 1.0F : static_cast<float>(picture.cells.back().count);
            picture.fullest = colour_scale_end(std::span(&largest, 1));
            return picture;
        }
    }

    const CellSize size = cell_size(target, request.quality);
    picture.is_fine = size == cell_size(target, PictureQuality::Fine);
    const PatternCounts counts = count_cells(source, area, size, pixels.height());
    const std::vector<float> values =
        large_cells ? cell_values(counts, target) : density_values(counts, target);
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

PlotWorker::PlotWorker()
    : thread_([this](const std::stop_token& stop) { run(stop); }) {}

void PlotWorker::post(Lane lane, Task task, Failure failed) {
    {
        const std::scoped_lock lock(mutex_);
        std::deque<Order>& queue = waiting_[static_cast<std::size_t>(lane)];
        if (lane != Lane::Export)
            queue.clear();
        queue.push_back({std::move(task), std::move(failed)});
    }
    wake_.notify_one();
}

void PlotWorker::clear(Lane lane) {
    const std::scoped_lock lock(mutex_);
    waiting_[static_cast<std::size_t>(lane)].clear();
}

void PlotWorker::clear() {
    const std::scoped_lock lock(mutex_);
    for (std::size_t lane = 0; lane < waiting_.size(); ++lane)
        if (lane != static_cast<std::size_t>(Lane::Export)) // a requested file is written in any case
            waiting_[lane].clear();
}

PlotWorker::Order PlotWorker::next() {
    for (std::deque<Order>& queue : waiting_)
        if (!queue.empty()) {
            Order order = std::move(queue.front());
            queue.pop_front();
            return order;
        }
    return {};
}

void PlotWorker::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        Order order;
        {
            std::unique_lock lock(mutex_);
            const auto is_waiting = [](const auto& queue) { return !queue.empty(); };
            if (!wake_.wait(lock, stop, [&] { return std::ranges::any_of(waiting_, is_waiting); }))
                return;
            order = next();
        }
        Delivery delivery;
        try {
            delivery = order.task();
        } catch (const std::exception& exception) {
            delivery = [failed = std::move(order.failed), what = QString::fromUtf8(exception.what())] {
                failed(what);
            };
        }
        if (delivery)
            QMetaObject::invokeMethod(&receiver_, std::move(delivery), Qt::QueuedConnection);
    }
}

} // namespace sparsight
