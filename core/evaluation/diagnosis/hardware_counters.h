// Counters of the processor while kernels run, read through Linux's perf events. Many virtual machines hide
// the counters, and a system may deny access to them; this is reported and is not a failure.
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

/// Counts over all threads; absent where the processor has no such counter.
struct HardwareCounts {
    std::array<std::optional<double>, hardware_event_count> by_event{};
    [[nodiscard]] const std::optional<double>& operator[](HardwareEvent event) const {
        return by_event[static_cast<std::size_t>(event)];
    }
};

/// How counters are opened and read: by the system, or by a test.
struct CounterAccess {
    /// A descriptor, or a negative errno.
    std::function<int(HardwareEvent)> open;
    /// Count, nanoseconds enabled, nanoseconds running; nothing where it can't be read.
    std::function<std::optional<std::array<std::uint64_t, 3>>(int descriptor)> read;
    std::function<void(int descriptor)> close;
};
[[nodiscard]] CounterAccess system_counters();

class HardwareCounters {
public:
    /// Counts events of this thread and of all threads that it starts later, so open it before a Team is
    /// created. Error (Fault::Environment): "not available here: …" with the reason.
    [[nodiscard]] static Result<HardwareCounters> open(CounterAccess access = system_counters());

    HardwareCounters(HardwareCounters&&) noexcept = default;
    HardwareCounters& operator=(HardwareCounters&&) = delete;
    ~HardwareCounters();

    /// Counts events while `work` runs. Where events share a counter, each count is scaled up from the time
    /// in which it was active.
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
