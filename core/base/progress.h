// How a long action reports its progress and measures its time. It is stopped through a std::stop_token.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace sparsight {

/// `done` of `total` units of work; a total of 0 means "not known".
struct Progress {
    std::string_view stage; ///< what is being done, for the user ("reading", "measuring cage8")
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::string_view details{}; ///< for people, in the place of the stage: "epoch 3 of 80, loss 0.41"
    std::optional<std::chrono::duration<double>>
        left{}; ///< time, where the work knows better than done and total
};

/// Called on the thread that does the work; an empty function is not called.
using ProgressSink = std::function<void(const Progress&)>;

/// Measures the time since its construction.
class Stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - start_).count();
    }
    [[nodiscard]] double milliseconds() const { return seconds() * 1000; }

private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point start_ = Clock::now();
};

} // namespace sparsight
