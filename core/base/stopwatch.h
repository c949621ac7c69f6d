// How long something takes: from the making of a Stopwatch on.
#pragma once

#include <chrono>

namespace sparsight {

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
