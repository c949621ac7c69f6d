// Ctrl-C and SIGTERM as a request to stop instead of a death. The second one kills.
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace sparsight {

/// While it lives, the first SIGINT or SIGTERM requests a stop. Make it before any other thread is started:
/// threads inherit which signals they leave alone, and one that does not would die of them.
class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }
    [[nodiscard]] bool requested() const { return stop_.stop_requested(); }

private:
    void wait_for_signals();

    std::stop_source stop_;
    std::atomic<bool> over_ = false;
    sigset_t before_{};
    std::thread waiter_;
};

} // namespace sparsight
