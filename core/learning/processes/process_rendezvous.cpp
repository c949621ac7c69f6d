#include "learning/processes/process_rendezvous.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <netdb.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace sparsight {

namespace {

struct Starter {
    const char* rank = nullptr;
    const char* count = nullptr;
    const char* local_rank = nullptr;
    const char* also = nullptr; ///< has to be set, too: what is set for every shell of a job says nothing
};
constexpr std::array starters{
    Starter{"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    Starter{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    Starter{"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    Starter{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_STEP_ID"},
};

Result<int> whole_number(const std::string& name, const std::string& text, int least, int most) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
        return fail(Fault::Input,
                    fmt::format("the environment variable {} is '{}'; expected a number from {} "
                                "to {}",
                                name, text, least, most));
    return number;
}

/// "node[03-07,09],other" → "node03"
std::string first_node(std::string_view nodes) {
    const std::size_t bracket = nodes.find_first_of("[,");
    std::string first(nodes.substr(0, bracket));
    if (bracket != std::string_view::npos && nodes[bracket] == '[') {
        const std::string_view numbers = nodes.substr(bracket + 1);
        first += numbers.substr(0, numbers.find_first_of("-,]"));
    }
    return first;
}

Result<void> set_meeting_point(ProcessPlace& place, const Starter& starter,
                               const EnvironmentLookup& variable) {
    if (const auto master = variable("MASTER_ADDR"))
        place.master = *master;
    else if (const auto nodes = variable("SLURM_STEP_NODELIST"); nodes && starter.also != nullptr)
        place.master = first_node(*nodes);
    if (const auto text = variable("MASTER_PORT")) {
        const auto port = whole_number("MASTER_PORT", *text, 1, 65'535);
        if (!port)
            return std::unexpected(port.error());
        place.port = static_cast<std::uint16_t>(*port);
    }
    return {};
}

} // namespace

std::optional<std::string> environment_variable(const std::string& name) {
    const char* const value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

Result<ProcessPlace> process_place(const EnvironmentLookup& variable) {
    constexpr int most_processes = 1 << 20;
    for (const Starter& starter : starters) {
        const auto rank_text = variable(starter.rank);
        const auto count_text = variable(starter.count);
        if ((!rank_text && !count_text) || (starter.also != nullptr && !variable(starter.also)))
            continue;
        if (!rank_text || !count_text)
            return fail(Fault::Input, fmt::format("the environment variable {} is set and {} is not",
                                                  rank_text ? starter.rank : starter.count,
                                                  rank_text ? starter.count : starter.rank));
        const auto count = whole_number(starter.count, *count_text, 1, most_processes);
        if (!count)
            return std::unexpected(count.error());
        const auto rank = whole_number(starter.rank, *rank_text, 0, *count - 1);
        if (!rank)
            return std::unexpected(rank.error());
        ProcessPlace place;
        place.rank = *rank;
        place.count = *count;
        // srun speaks PMI to programs of MPI, and says this in its own way all the same.
        for (const char* const name : {starter.local_rank, "SLURM_LOCALID"})
            if (const auto text = variable(name)) {
                const auto local_rank = whole_number(name, *text, 0, *count - 1);
                if (!local_rank)
                    return std::unexpected(local_rank.error());
                place.local_rank = *local_rank;
                break;
            }
        if (auto set = set_meeting_point(place, starter, variable); !set)
            return std::unexpected(std::move(set).error());
        return place;
    }
    return ProcessPlace{};
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_attempts{50};
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
        std::this_thread::sleep_for(between_attempts);
    }
    return {};
}

} // namespace sparsight
