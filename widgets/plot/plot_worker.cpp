#include "widgets/plot/plot_worker.h"

#include <QMetaObject>
#include <algorithm>
#include <exception>
#include <utility>

namespace sparsight {

PlotWorker::PlotWorker(std::function<void(QString)> failed)
    : failed_(std::move(failed))
    , thread_([this](const std::stop_token& stop) { run(stop); }) {}

void PlotWorker::post(Lane lane, Task task) {
    {
        const std::scoped_lock lock(mutex_);
        std::deque<Task>& queue = waiting_[static_cast<std::size_t>(lane)];
        if (lane != Lane::Export)
            queue.clear();
        queue.push_back(std::move(task));
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
        if (lane !=
            static_cast<std::size_t>(Lane::Export)) // a file was asked for: it is written all the same
            waiting_[lane].clear();
}

PlotWorker::Task PlotWorker::next() {
    for (std::deque<Task>& queue : waiting_)
        if (!queue.empty()) {
            Task task = std::move(queue.front());
            queue.pop_front();
            return task;
        }
    return {};
}

void PlotWorker::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            const auto is_waiting = [](const auto& queue) { return !queue.empty(); };
            if (!wake_.wait(lock, stop, [&] { return std::ranges::any_of(waiting_, is_waiting); }))
                return;
            task = next();
        }
        Delivery delivery;
        try {
            delivery = task();
        } catch (const std::exception& exception) {
            delivery = [this, what = QString::fromUtf8(exception.what())] { failed_(what); };
        }
        if (delivery)
            QMetaObject::invokeMethod(&receiver_, std::move(delivery), Qt::QueuedConnection);
    }
}

} // namespace sparsight
