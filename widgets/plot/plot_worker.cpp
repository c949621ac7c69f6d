#include "widgets/plot/plot_worker.h"

#include <QMetaObject>
#include <algorithm>
#include <exception>
#include <utility>

namespace sparsight {

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
        if (lane !=
            static_cast<std::size_t>(Lane::Export)) // a file was asked for: it is written all the same
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
