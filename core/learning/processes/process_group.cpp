#include "learning/processes/process_group.h"

#include "model/tensors/torch_runtime.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#ifdef SPARSIGHT_HAS_GLOO
#include <ATen/core/ivalue.h>
#include <ATen/ops/cat.h>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#endif

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

Result<void> set_rendezvous(ProcessPlace& place, const Starter& starter, const EnvironmentLookup& variable) {
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
        if (auto set = set_rendezvous(place, starter, variable); !set)
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

#ifdef SPARSIGHT_HAS_GLOO

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{20};
/// How long the first process, whose memory the words are in, waits until the others have read them.
constexpr std::chrono::seconds farewell{10};

std::vector<std::uint8_t> bytes_of(const std::string& word) {
    return {word.begin(), word.end()};
}

/// Looks again and again. False: not in time.
template <typename Look>
Result<bool> until(Look look, std::chrono::milliseconds patience, const std::stop_token& stop) {
    const auto begun = Clock::now();
    while (!look()) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped while waiting for the other processes");
        if (Clock::now() - begun > patience)
            return false;
        std::this_thread::sleep_for(between_looks);
    }
    return true;
}

} // namespace

struct ProcessGroup::Connection {
    std::chrono::milliseconds patience{};
    c10::intrusive_ptr<c10d::TCPStore> store;
    c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo;
    int exchanges = 0;
};

Result<ProcessGroup> ProcessGroup::join(const ProcessPlace& place, std::chrono::milliseconds patience,
                                        const std::stop_token& stop) {
    ProcessGroup group;
    group.rank_ = place.rank;
    group.count_ = place.count;
    if (place.count == 1)
        return group;
    const auto missed = [&](const Error& error) {
        if (error.fault == Fault::Cancelled)
            return std::unexpected(error);
        return fail(Fault::Environment,
                    fmt::format("process {} of {} did not meet the others at {}:{}: {}", place.rank,
                                place.count, place.master, place.port, error.message));
    };
    if (place.rank > 0)
        if (auto found = wait_for_listener(place, patience, stop); !found)
            return missed(found.error());
    auto met = guarded([&]() -> Result<void> {
        c10d::TCPStoreOptions meeting;
        meeting.port = place.port;
        meeting.isServer = place.rank == 0;
        meeting.numWorkers = static_cast<std::size_t>(place.count);
        meeting.waitWorkers = false; // it would not hear of a stop
        meeting.timeout = patience;
        group.connection_ = std::make_unique<Connection>();
        group.connection_->patience = patience;
        group.connection_->store = c10::make_intrusive<c10d::TCPStore>(place.master, meeting);
        if (auto all = group.exchange("here", stop); !all)
            return std::unexpected(std::move(all).error());
        // All are there: this does not take long.
        auto options = c10d::ProcessGroupGloo::Options::create(patience);
        options->devices.push_back(place.master == "127.0.0.1"
                                       ? c10d::ProcessGroupGloo::createDeviceForHostname(place.master)
                                       : c10d::ProcessGroupGloo::createDefaultDevice());
        group.connection_->gloo = c10::make_intrusive<c10d::ProcessGroupGloo>(
            group.connection_->store, place.rank, place.count, options);
        return {};
    });
    if (!met)
        return missed(met.error());
    return group;
}

Result<std::vector<std::string>> ProcessGroup::exchange(const std::string& word,
                                                        const std::stop_token& stop) {
    if (!connection_)
        return std::vector<std::string>{word};
    Connection& connection = *connection_;
    const std::string round = fmt::format("exchange {}", connection.exchanges++);
    return guarded([&]() -> Result<std::vector<std::string>> {
        const auto key_of = [&](int rank) { return fmt::format("{} of {}", round, rank); };
        connection.store->set(key_of(rank_), bytes_of(word));
        std::vector<std::string> words;
        for (int rank = 0; rank < count_; ++rank) {
            const auto there =
                until([&] { return connection.store->check({key_of(rank)}); }, connection.patience, stop);
            if (!there)
                return std::unexpected(there.error());
            if (!*there)
                return fail(Fault::Environment, fmt::format("process {} did not come in time", rank));
            const std::vector<std::uint8_t> bytes = connection.store->get(key_of(rank));
            words.emplace_back(bytes.begin(), bytes.end());
        }
        const std::string read = round + " is read";
        if (rank_ > 0)
            connection.store->add(read, 1);
        else if (auto all =
                     until([&] { return connection.store->add(read, 0) == count_ - 1; }, farewell, stop);
                 !all)
            return std::unexpected(std::move(all).error());
        return words;
    });
}

void ProcessGroup::add_up(std::vector<at::Tensor>& tensors) const {
    if (!connection_)
        return;
    // One message for all: each has its own latency.
    std::vector<at::Tensor> flat;
    flat.reserve(tensors.size());
    for (const at::Tensor& tensor : tensors)
        flat.push_back(tensor.detach().reshape({-1}).to(at::Device(at::kCPU), at::kDouble));
    std::vector<at::Tensor> message{at::cat(flat)};
    connection_->gloo->allreduce(message)->wait();
    std::int64_t begin = 0;
    for (at::Tensor& tensor : tensors) {
        tensor = message.front()
                     .slice(0, begin, begin + tensor.numel())
                     .reshape(tensor.sizes())
                     .to(tensor.device(), tensor.scalar_type());
        begin += tensor.numel();
    }
}

#else

struct ProcessGroup::Connection {};

Result<ProcessGroup> ProcessGroup::join(const ProcessPlace& place, std::chrono::milliseconds,
                                        const std::stop_token&) {
    if (place.count > 1)
        return fail(Fault::Environment,
                    fmt::format("{} processes are to train together, but this program was "
                                "built without Gloo (package libgloo-dev)",
                                place.count));
    return ProcessGroup();
}

Result<std::vector<std::string>> ProcessGroup::exchange(const std::string& word, const std::stop_token&) {
    return std::vector<std::string>{word};
}

void ProcessGroup::add_up(std::vector<at::Tensor>&) const {}

#endif

ProcessGroup::ProcessGroup() = default;
ProcessGroup::ProcessGroup(ProcessGroup&& other) noexcept = default;
ProcessGroup& ProcessGroup::operator=(ProcessGroup&& other) noexcept = default;
ProcessGroup::~ProcessGroup() = default;

} // namespace sparsight
