#include "learning/process_group.h"

#include "model/torch_errors.h"

#include <fmt/format.h>

#ifdef SPARSIGHT_HAS_GLOO
#include <ATen/ops/cat.h>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#endif

namespace sparsight {

#ifdef SPARSIGHT_HAS_GLOO

struct ProcessGroup::Connection {
    c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo;
};

Result<ProcessGroup> ProcessGroup::join(const ProcessPlace& place, std::chrono::milliseconds patience) {
    ProcessGroup group;
    group.rank_ = place.rank;
    group.count_ = place.count;
    if (place.count == 1)
        return group;
    auto connection = guarded([&] {
        c10d::TCPStoreOptions meeting;
        meeting.port = place.port;
        meeting.isServer = place.rank == 0;
        meeting.numWorkers = static_cast<std::size_t>(place.count);
        meeting.timeout = patience;
        auto options = c10d::ProcessGroupGloo::Options::create(patience);
        options->devices.push_back(place.master == "127.0.0.1"
                                       ? c10d::ProcessGroupGloo::createDeviceForHostname(place.master)
                                       : c10d::ProcessGroupGloo::createDefaultDevice());
        return c10::make_intrusive<c10d::ProcessGroupGloo>(
            c10::make_intrusive<c10d::TCPStore>(place.master, meeting), place.rank, place.count, options);
    });
    if (!connection)
        return fail(Fault::Environment,
                    fmt::format("process {} of {} did not meet the others at {}:{}: {}", place.rank,
                                place.count, place.master, place.port, connection.error().message));
    group.connection_ = std::make_unique<Connection>(Connection{*std::move(connection)});
    return group;
}

void ProcessGroup::add_up(std::vector<at::Tensor>& tensors) const {
    if (!connection_)
        return;
    // One message for all: each has its own latency.
    std::vector<at::Tensor> flat;
    flat.reserve(tensors.size());
    for (const at::Tensor& tensor : tensors)
        flat.push_back(tensor.detach().reshape({-1}).to(at::kDouble));
    std::vector<at::Tensor> message{at::cat(flat)};
    connection_->gloo->allreduce(message)->wait();
    std::int64_t begin = 0;
    for (at::Tensor& tensor : tensors) {
        tensor = message.front()
                     .slice(0, begin, begin + tensor.numel())
                     .reshape(tensor.sizes())
                     .to(tensor.scalar_type());
        begin += tensor.numel();
    }
}

#else

struct ProcessGroup::Connection {};

Result<ProcessGroup> ProcessGroup::join(const ProcessPlace& place, std::chrono::milliseconds) {
    if (place.count > 1)
        return fail(Fault::Environment,
                    fmt::format("{} processes are to train together, but this program was "
                                "built without Gloo (package libgloo-dev)",
                                place.count));
    return ProcessGroup();
}

void ProcessGroup::add_up(std::vector<at::Tensor>&) const {}

#endif

ProcessGroup::ProcessGroup() = default;
ProcessGroup::ProcessGroup(ProcessGroup&& other) noexcept = default;
ProcessGroup& ProcessGroup::operator=(ProcessGroup&& other) noexcept = default;
ProcessGroup::~ProcessGroup() = default;

} // namespace sparsight
