// What the processor counts while kernels run, by Linux's perf events. Virtual machines mostly hide the
// counters, and systems may keep them from users: that is no failure, it is told.
#pragma once

#include "base/error.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace sparsight {

enum class HardwareEvent : std::uint8_t { Cycles, Instructions, CacheMisses };
inline constexpr std::size_t hardware_event_count = 3;
inline constexpr std::array all_hardware_events{HardwareEvent::Cycles, HardwareEvent::Instructions,
                                                HardwareEvent::CacheMisses};
/// "cycles", "instructions", "cache_misses" (of the last level).
[[nodiscard]] std::string_view name(HardwareEvent event);

/// Over all counted threads; absent where the processor has no such counter.
struct HardwareCounts {
    std::array<std::optional<double>, hardware_event_count> by_event{};
    [[nodiscard]] const std::optional<double>& operator[](HardwareEvent event) const {
        return by_event[static_cast<std::size_t>(event)];
    }
};

/// How counters are had: the system's own way, or a test's.
struct CounterAccess {
    /// A descriptor, or a negative errno.
    std::function<int(HardwareEvent)> open;
    /// Count, nanoseconds it was to run, nanoseconds it ran; nothing where it can't be read.
    std::function<std::optional<std::array<std::uint64_t, 3>>(int descriptor)> read;
    std::function<void(int descriptor)> close;
};
[[nodiscard]] CounterAccess system_counters();

class HardwareCounters {
public:
    /// Counts what this thread does from now on, and the threads that it starts from now on: open it before a
    /// Team is made. Error (Fault::Environment): "not available here: …" with the reason.
    [[nodiscard]] static Result<HardwareCounters> open(CounterAccess access = system_counters());

    HardwareCounters(HardwareCounters&&) noexcept = default;
    HardwareCounters& operator=(HardwareCounters&&) = delete;
    ~HardwareCounters();

    /// What was counted while `work` ran. Where the processor shares few counters among many events, each is
    /// scaled up from the time that it ran.
    [[nodiscard]] HardwareCounts count(const std::function<void()>& work) const;

private:
    struct Counter {
        HardwareEvent event{};
        int descriptor = -1;
    };
    explicit HardwareCounters(CounterAccess access)
        : access_(std::move(access)) {}

    CounterAccess access_;
    std::vector<Counter> counters_;
};

} // namespace sparsight
