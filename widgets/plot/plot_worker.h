// One thread of a plot, on which only the newest request counts.
#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace sparsight {

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
