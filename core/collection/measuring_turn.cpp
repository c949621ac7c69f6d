#include "collection/measuring_turn.h"

#include <cerrno>
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

std::filesystem::path MeasuringTurn::default_file() {
    std::error_code failed;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
    return (failed ? std::filesystem::path("/tmp") : folder) /
           fmt::format("sparsight-measuring-{}.lock", ::getuid());
}

Result<MeasuringTurn> MeasuringTurn::take(const std::stop_token& stop, const std::function<void()>& on_wait,
                                          const std::filesystem::path& file) {
    MeasuringTurn turn(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
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

MeasuringTurn::MeasuringTurn(MeasuringTurn&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

MeasuringTurn::~MeasuringTurn() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

} // namespace sparsight
