#include "learning/processes/process_group.h"

#include "model/tensors/torch_runtime.h"

#include <fmt/format.h>

#ifdef SPARSIGHT_HAS_GLOO
#include "learning/processes/process_rendezvous.h"

#include <ATen/core/ivalue.h>
#include <ATen/ops/cat.h>
#include <thread>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#endif

namespace sparsight {

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
