#include "evaluation/diagnosis/hardware_counters.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <iterator>
#include <linux/perf_event.h>
#include <string>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace sparsight {

namespace {

std::uint64_t event_number(HardwareEvent event) {
    switch (event) {
    case HardwareEvent::Cycles:
        return PERF_COUNT_HW_CPU_CYCLES;
    case HardwareEvent::Instructions:
        return PERF_COUNT_HW_INSTRUCTIONS;
    case HardwareEvent::CacheMisses:
        return PERF_COUNT_HW_CACHE_MISSES;
    }
    return 0;
}

int open_counter(HardwareEvent event) {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = event_number(event);
    attributes.inherit = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    const long descriptor = ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return descriptor >= 0 ? static_cast<int>(descriptor) : -errno;
}

std::optional<std::array<std::uint64_t, 3>> read_counter(int descriptor) {
    std::array<std::uint64_t, 3> values{};
    if (::read(descriptor, values.data(), sizeof values) != static_cast<ssize_t>(sizeof values))
        return std::nullopt;
    return values;
}

std::string reason(int error) {
    switch (error) {
    case EACCES:
    case EPERM:
        return "this user may not count (kernel.perf_event_paranoid is above 2, or a container forbids it)";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        return "the processor, or the virtual machine that it is, shows no counters";
    case ENOSYS:
        return "this system has no perf events";
    default:
        return std::generic_category().message(error);
    }
}

} // namespace

std::string_view name(HardwareEvent event) {
    constexpr std::array<std::string_view, hardware_event_count> names{"cycles", "instructions",
                                                                       "cache_misses"};
    return names[static_cast<std::size_t>(event)];
}

CounterAccess system_counters() {
    return {
        .open = &open_counter, .read = &read_counter, .close = [](int descriptor) { ::close(descriptor); }};
}

Result<HardwareCounters> HardwareCounters::open(CounterAccess access) {
    HardwareCounters counters(std::move(access));
    int first_error = 0;
    for (const HardwareEvent event : all_hardware_events) {
        const int descriptor = counters.access_.open(event);
        if (descriptor >= 0)
            counters.counters_.push_back({event, descriptor});
        else if (first_error == 0)
            first_error = -descriptor;
    }
    if (counters.counters_.empty())
        return fail(Fault::Environment, "not available here: " + reason(first_error));
    return counters;
}

HardwareCounters::~HardwareCounters() {
    for (const Counter& counter : counters_)
        access_.close(counter.descriptor);
}

HardwareCounts HardwareCounters::count(const std::function<void()>& work) const {
    std::vector<std::optional<std::array<std::uint64_t, 3>>> before;
    std::ranges::transform(counters_, std::back_inserter(before),
                           [&](const Counter& counter) { return access_.read(counter.descriptor); });
    work();
    HardwareCounts counts;
    for (std::size_t at = 0; at < counters_.size(); ++at) {
        const auto after = access_.read(counters_[at].descriptor);
        if (!before[at] || !after)
            continue;
        const auto grown = [&](std::size_t field) {
            return static_cast<double>((*after)[field] - (*before[at])[field]);
        };
        if (const double ran = grown(2); ran > 0)
            counts.by_event[static_cast<std::size_t>(counters_[at].event)] = grown(0) * grown(1) / ran;
    }
    return counts;
}

} // namespace sparsight
