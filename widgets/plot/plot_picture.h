// The picture of a part of a matrix, made away from the screen's thread.
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

/// What the colours count: entries in a cell of the matrix, or in a pixel where it covers several.
enum class DensityUnit { Cell, Pixel, ColumnAndPixelRow, RowAndPixelColumn };

/// A place in the matrix with entries in it; more than one where the pattern has duplicates.
struct PlotCell {
    std::int32_t row = 0;
    std::int32_t col = 0;
    std::uint32_t count = 1;
    bool operator==(const PlotCell&) const = default;
};

/// Either pixels or, zoomed in far enough, the single entries, which stay sharp at any size.
struct PlotPicture {
    PlotRect region;             ///< what it shows
    QImage image;                ///< null when it is made of cells
    std::vector<PlotCell> cells; ///< by ascending count
    DensityUnit unit = DensityUnit::Cell;
    PlotTheme theme = PlotTheme::Light;
    double fullest = 1;  ///< the end of the colour scale
    bool is_fine = true; ///< a finer request would not make it better
};

/// Quick is for moving pictures: about one counted cell a pixel. Fine counts two in each direction at least
/// where moiré would be seen otherwise.
enum class PictureQuality { Quick, Fine };

struct PictureRequest {
    PlotView view;
    double device_pixel_ratio = 1;
    double margin = 0; ///< logical pixels around the viewport, so that a drag does not show an empty border
    PlotTheme theme = PlotTheme::Light;
    PictureQuality quality = PictureQuality::Fine;
};

/// From this many logical pixels a cell on, entries are sharp squares.
inline constexpr double single_entry_pixels = 5;

[[nodiscard]] PlotPicture render_picture(const PatternSource& source, const PictureRequest& request);

/// The whole matrix in `size`, square cells unless it is much longer in one direction, nothing around it:
/// transparent where it does not reach.
[[nodiscard]] QImage thumbnail(const PatternSource& source, QSize size, PlotTheme theme,
                               double device_pixel_ratio = 1);

// One thread of a plot, on which only the newest request counts.

/// Runs tasks one at a time. A task that still waits is dropped when a newer one of its lane comes; exports
/// are not dropped. Lanes that come first in the enumeration go first.
class PlotWorker {
public:
    enum class Lane { Readout, Quick, Fine, Backdrop, Export };
    /// What the task hands back runs on the thread that made the worker.
    using Delivery = std::function<void()>;
    using Task = std::function<Delivery()>;

    /// Gets the text of an exception that leaves a task, on the thread that made the worker.
    using Failure = std::function<void(const QString& problem)>;

    PlotWorker();

    void post(Lane lane, Task task, Failure failed);
    /// Drops what waits, in one lane or in all; what runs still delivers.
    void clear(Lane lane);
    void clear();

private:
    struct Order {
        Task task;
        Failure failed;
    };

    void run(const std::stop_token& stop);
    [[nodiscard]] Order next();

    QObject receiver_; ///< deliveries die with it
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::array<std::deque<Order>, 5> waiting_;
    std::jthread thread_; // last: ends before what it uses
};

} // namespace sparsight
