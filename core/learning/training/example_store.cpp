#include "learning/training/example_store.h"

#include "model/convolution/convolution_pass.h"
#include "model/tensors/torch_runtime.h"

#include <algorithm>
#include <c10/core/GradMode.h>

namespace sparsight {

namespace {

std::vector<double> chosen(const std::vector<double>& numbers, const std::vector<std::size_t>& places) {
    std::vector<double> picked;
    if (!numbers.empty())
        for (const std::size_t place : places)
            picked.push_back(numbers[place]);
    return picked;
}

} // namespace

ExampleStore::ExampleStore(const TaskSet& tasks, std::shared_ptr<const Encoder> encoder, int threads,
                           std::int64_t kept_coordinates, at::Device device)
    : tasks_(tasks)
    , encoder_(std::move(encoder))
    , threads_(threads)
    , device_(device)
    , kept_coordinates_(kept_coordinates)
    , workspaces_(std::make_shared<ConvolutionWorkspaces>()) {}

Result<std::shared_ptr<const EncodedWorkload>> ExampleStore::workload(std::size_t place) {
    auto found = workloads_.find(place);
    if (found == workloads_.end()) {
        const TaskWorkload& made_of = tasks_.workloads[place];
        auto payload =
            encoder_->reads_payload() ? made_of.load() : Result<std::shared_ptr<const Payload>>(nullptr);
        if (!payload)
            return std::unexpected(std::move(payload).error());
        Prepared prepared{
            encoder_->encode_workload(payload->get(), made_of.statistics, {threads_, device_, workspaces_})};
        held_coordinates_ += prepared.input->kept_size();
        make_room();
        found = workloads_.emplace(place, std::move(prepared)).first;
    }
    found->second.last_use = ++uses_;
    return found->second.input;
}

at::Tensor ExampleStore::machine(std::size_t task) const {
    const at::Tensor input = machine_input(*encoder_, &tasks_.tasks[task].description);
    return input.defined() ? input.to(device_) : input;
}

void ExampleStore::make_room() {
    while (held_coordinates_ > kept_coordinates_ && !workloads_.empty()) {
        const auto oldest =
            std::ranges::min_element(workloads_, {}, [](const auto& entry) { return entry.second.last_use; });
        held_coordinates_ -= oldest->second.input->kept_size();
        workloads_.erase(oldest);
    }
}

const std::shared_ptr<const EncodedConfigurations>& ExampleStore::configurations(std::size_t task,
                                                                                 std::size_t runtimes) {
    const std::pair key(task, runtimes);
    if (const auto found = configurations_.find(key); found != configurations_.end())
        return found->second;
    auto encoded =
        encoder_->encode_configurations(tasks_.tasks[task].runtimes[runtimes].configurations, device_);
    return configurations_.emplace(key, std::move(encoded)).first->second;
}

Result<ObjectiveTerm> ExampleStore::term(Loss loss, std::size_t task, const ExampleChoice& choice) {
    const WorkloadRuntimes& runtimes = tasks_.tasks[task].runtimes[choice.runtimes];
    auto input = guarded([&] { return workload(runtimes.workload); });
    if (!input)
        return std::unexpected(std::move(input).error());
    return guarded([&]() -> ObjectiveTerm {
        return [encoder = encoder_, input = *std::move(input), facts = machine(task),
                batch = configurations(task, choice.runtimes)->select(choice.configurations), loss,
                milliseconds = chosen(runtimes.milliseconds, choice.configurations),
                spreads = chosen(runtimes.spreads, choice.configurations),
                waits = chosen(runtimes.waits, choice.configurations)](const NamedTensors& weights) {
            return ranking_loss(loss, score(*encoder, weights, *input, facts, *batch),
                                {milliseconds, spreads, waits});
        };
    });
}

Result<Objective> ExampleStore::objective(Loss loss, std::size_t task,
                                          std::span<const ExampleChoice> choices) {
    Objective objective;
    for (const ExampleChoice& choice : choices) {
        auto made = term(loss, task, choice);
        if (!made)
            return std::unexpected(std::move(made).error());
        objective.push_back(*std::move(made));
    }
    return objective;
}

Result<at::Tensor> ExampleStore::scores(const NamedTensors& weights, std::size_t task, std::size_t runtimes) {
    return guarded([&]() -> Result<at::Tensor> {
        const auto input = workload(tasks_.tasks[task].runtimes[runtimes].workload);
        if (!input)
            return std::unexpected(input.error());
        const c10::AutoGradMode no_graph(false);
        return score(*encoder_, weights, **input, machine(task), *configurations(task, runtimes));
    });
}

} // namespace sparsight
