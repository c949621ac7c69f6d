#include "collection/measurement_safeguards.h"

#include "machine/probe/memory_facts.h"
#include "store/workspace.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds between_looks{100};

} // namespace

std::filesystem::path MeasurementLock::default_file() {
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
    return (failed ? std::filesystem::path("/tmp") : folder) /
           fmt::format("sparsight-measuring-{}.lock", ::getuid());
}

Result<MeasurementLock> MeasurementLock::take(const std::stop_token& stop,
                                              const std::function<void()>& on_wait,
                                              const std::filesystem::path& file) {
    MeasurementLock turn(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    bool is_waiting = false;
    while (turn.descriptor_ >= 0 && ::flock(turn.descriptor_, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return turn; // a file system without locks
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped while another program was measuring");
        if (!std::exchange(is_waiting, true) && on_wait)
            on_wait();
        std::this_thread::sleep_for(between_looks);
    }
    return turn;
}

MeasurementLock::MeasurementLock(MeasurementLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

MeasurementLock::~MeasurementLock() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

namespace {

constexpr std::string_view setting_name = "measurement_in_flight"; ///< "attempts what"

} // namespace

Result<int> begin_attempt(Workspace& workspace, const PendingMeasurement& measurement) {
    const auto noted = setting(workspace, setting_name);
    if (!noted)
        return std::unexpected(noted.error());
    const std::string what =
        fmt::format("{} {} on {}", measurement.setting, measurement.configuration, measurement.workload);
    int before = 0;
    if (*noted) {
        const std::string_view text = **noted;
        const std::size_t blank = text.find(' ');
        if (blank != std::string_view::npos && text.substr(blank + 1) == what)
            std::from_chars(&text.front(), &text.front() + blank, before);
    }
    if (auto written = set_setting(workspace, setting_name, fmt::format("{} {}", before + 1, what)); !written)
        return std::unexpected(written.error());
    return before + 1;
}

Result<void> end_attempts(Workspace& workspace) {
    return set_setting(workspace, setting_name, "");
}

std::uint64_t operand_limit() {
    const auto memory = usable_memory_bytes(SystemFiles("/"));
    return memory ? *memory / 2 : std::uint64_t{2} << 30;
}

} // namespace sparsight
