#include "machine/probe/background_load.h"

#include "machine/probe/processor_facts.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <fmt/format.h>
#include <sstream>
#include <unistd.h>

namespace sparsight {

namespace {

std::optional<ProcessorTime> time_now(const std::vector<int>& processors) {
    const long ticks_a_second = sysconf(_SC_CLK_TCK);
    if (ticks_a_second <= 0)
        return std::nullopt;
    return processor_time(SystemFiles("/"), processors, Seconds(1.0 / static_cast<double>(ticks_a_second)));
}

/// Of all threads of this process.
Seconds own_time() {
    std::timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

} // namespace

std::optional<ProcessorTime> processor_time(const SystemFiles& files, const std::vector<int>& processors,
                                            Seconds tick) {
    const auto text = files.text("proc/stat");
    if (!text)
        return std::nullopt;
    enum Column : std::size_t {
        User,
        Nice,
        System,
        Idle,
        WaitingForDisk,
        Interrupts,
        SoftInterrupts,
        Stolen
    };
    ProcessorTime time;
    std::size_t found = 0;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        if (std::ranges::none_of(processors,
                                 [&](int processor) { return name == fmt::format("cpu{}", processor); }))
            continue;
        ++found;
        std::array<std::int64_t, Stolen + 1> ticks{}; // columns that an old kernel does not have stay 0
        for (std::int64_t& count : ticks)
            words >> count;
        for (std::size_t column = 0; column < ticks.size(); ++column) {
            const Seconds seconds = tick * static_cast<double>(ticks[column]);
            time.total += seconds;
            if (column != Idle && column != WaitingForDisk)
                time.busy += seconds;
        }
    }
    return found == processors.size() && found > 0 ? std::optional(time) : std::nullopt;
}

std::optional<double> share_of_others(const ProcessorTime& before, const ProcessorTime& after, Seconds own) {
    const Seconds total = after.total - before.total;
    if (!(total.count() > 0))
        return std::nullopt;
    // Ticks are coarse: a difference below zero is none.
    return std::clamp((after.busy - before.busy - own) / total, 0.0, 1.0);
}

BackgroundLoad::BackgroundLoad()
    : processors_(allowed_processors())
    , before_(time_now(processors_))
    , own_before_(own_time()) {}

std::optional<double> BackgroundLoad::share() const {
    const auto now = time_now(processors_);
    if (!before_ || !now)
        return std::nullopt;
    return share_of_others(*before_, *now, own_time() - own_before_);
}

} // namespace sparsight
