// A stop that comes when it is asked for or when time is over, whichever is first.
#pragma once

#include "base/quantity.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace sparsight {

class TimedStop {
public:
    TimedStop(const std::stop_token& stop, Seconds after)
        : on_stop_(stop, [this] { source_.request_stop(); })
        , timer_([this, after](const std::stop_token& over) {
            std::unique_lock lock(mutex_);
            if (!ending_.wait_for(lock, over, after, [] { return false; }) && !over.stop_requested())
                source_.request_stop();
        }) {}

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::stop_callback<std::function<void()>> on_stop_;
    std::mutex mutex_;
    std::condition_variable_any ending_;
    std::jthread timer_; ///< last: it ends before what it uses
};

} // namespace sparsight
