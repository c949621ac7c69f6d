// Pictures of a part of a matrix for the sparsity plot, and the worker thread that renders them off the GUI
// thread, where only the newest request counts.
#pragma once

#include "widgets/plot/density_image.h"
#include "widgets/plot/pattern_source.h"
#include "widgets/plot/plot_view.h"

#include <QImage>
#include <QObject>
#include <QString>
#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace sparsight {

/// What the colours count: entries in a cell of the matrix, or in a pixel where it covers several cells.
enum class DensityUnit { Cell, Pixel, ColumnAndPixelRow, RowAndPixelColumn };

/// A position of the matrix with its entries; more than one where the pattern has duplicates.
struct PlotCell {
    std::int32_t row = 0;
    std::int32_t col = 0;
    std::uint32_t count = 1;
    bool operator==(const PlotCell&) const = default;
};

/// Either pixels or, at a high zoom, the single entries, which stay sharp at any size.
struct PlotPicture {
    PlotRect region;             ///< the shown part of the matrix
    QImage image;                ///< null for a picture of cells
    std::vector<PlotCell> cells; ///< by ascending count
    DensityUnit unit = DensityUnit::Cell;
    PlotTheme theme = PlotTheme::Light;
    double fullest = 1;  ///< the end of the colour scale
    bool is_fine = true; ///< a finer request would not improve it
};

/// Quick is for moving pictures: about one counted cell per pixel. Fine counts at least two in each direction
/// where moiré would be visible otherwise.
enum class PictureQuality { Quick, Fine };

struct PictureRequest {
    PlotView view;
    double device_pixel_ratio = 1;
    double margin = 0; ///< logical pixels around the viewport, so that a drag does not show an empty border
    PlotTheme theme = PlotTheme::Light;
    PictureQuality quality = PictureQuality::Fine;
};

/// From this many logical pixels per cell on, entries are drawn as sharp squares.
inline constexpr double single_entry_pixels = 5;

[[nodiscard]] PlotPicture render_picture(const PatternSource& source, const PictureRequest& request);

/// The whole matrix fitted into `size`, with square cells unless it is much longer in one direction;
/// transparent beside the matrix.
[[nodiscard]] QImage thumbnail(const PatternSource& source, QSize size, PlotTheme theme,
                               double device_pixel_ratio = 1);

/// Runs tasks one at a time on its own thread. A waiting task is dropped when a newer one of its lane comes;
/// exports are never dropped. Lanes have priority in the order of the enumeration.
class PlotWorker {
public:
    enum class Lane { Readout, Quick, Fine, Backdrop, Export };
    /// The delivery that a task returns runs on the thread that made the worker.
    using Delivery = std::function<void()>;
    using Task = std::function<Delivery()>;

    /// Receives the text of an exception thrown by a task, on the thread that made the worker.
    using Failure = std::function<void(const QString& problem)>;

    PlotWorker();

    void post(Lane lane, Task task, Failure failed);
    /// Drops the waiting tasks of one lane or of all; a running task still delivers.
    void clear(Lane lane);
    void clear();

private:
    struct Order {
        Task task;
        Failure failed;
    };

    void run(const std::stop_token& stop);
    [[nodiscard]] Order next();

    QObject receiver_; ///< destroying it drops pending deliveries
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::array<std::deque<Order>, 5> waiting_;
    std::jthread thread_; // last: it ends before the members that it uses
};

} // namespace sparsight
