#include "learning/meeting_point.h"

#include <cerrno>
#include <fmt/format.h>
#include <memory>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace sparsight {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{50};
constexpr int longest_look = 200; ///< milliseconds

struct FreeAddresses {
    void operator()(addrinfo* addresses) const { ::freeaddrinfo(addresses); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Addresses addresses_of(const ProcessPlace& place) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(place.master.c_str(), fmt::to_string(place.port).c_str(), &wanted, &found) != 0)
        return nullptr;
    return Addresses(found);
}

bool answers(const addrinfo& address) {
    const int socket =
        ::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol);
    if (socket < 0)
        return false;
    bool is_connected = ::connect(socket, address.ai_addr, address.ai_addrlen) == 0;
    if (!is_connected && errno == EINPROGRESS) {
        pollfd waiting{socket, POLLOUT, 0};
        int error = 0;
        socklen_t size = sizeof error;
        is_connected = ::poll(&waiting, 1, longest_look) == 1 &&
                       ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
    }
    ::close(socket);
    return is_connected;
}

bool somebody_listens(const ProcessPlace& place) {
    const Addresses addresses = addresses_of(place); // each time: the name may not be known yet
    for (const addrinfo* each = addresses.get(); each != nullptr; each = each->ai_next)
        if (answers(*each))
            return true;
    return false;
}

} // namespace

Result<void> wait_for_listener(const ProcessPlace& place, std::chrono::milliseconds patience,
                               const std::stop_token& stop) {
    const auto begun = Clock::now();
    while (!somebody_listens(place)) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped while waiting for the other processes");
        if (Clock::now() - begun > patience)
            return fail(Fault::Environment, "nobody listens there");
        std::this_thread::sleep_for(between_looks);
    }
    return {};
}

} // namespace sparsight
