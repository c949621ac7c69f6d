// A port on this computer that nobody listens on.
#pragma once

#include <cstdint>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sparsight::testing {

/// 0 where there is none.
inline std::uint16_t free_port() {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const bool is_bound = ::bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                          ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    ::close(listener);
    return is_bound ? ntohs(address.sin_port) : std::uint16_t{0};
}

/// Whether somebody does.
inline bool is_listened_on(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool is_connected = ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return is_connected;
}

} // namespace sparsight::testing
