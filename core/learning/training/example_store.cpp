#include "learning/training/example_store.h"

#include "domains/sparse/tensor/sparse_workload.h"
#include "model/convolution/convolution_pass.h"
#include "model/networks/network_inputs.h"
#include "model/tensors/torch_runtime.h"

#include <ATen/ops/index_select.h>
#include <ATen/ops/tensor.h>
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

ScheduleInput chosen(const ScheduleInput& all, const std::vector<std::size_t>& places) {
    const std::vector<std::int64_t> rows(places.begin(), places.end());
    const at::Tensor index = at::tensor(rows, at::kLong).to(all.categories.device());
    return {at::index_select(all.categories, 1, index), at::index_select(all.orders, 0, index)};
}

} // namespace

ExampleStore::ExampleStore(const TaskSet& tasks, NetworkDescription network, int threads,
                           std::int64_t kept_coordinates, at::Device device)
    : tasks_(tasks)
    , network_(std::move(network))
    , threads_(threads)
    , device_(device)
    , kept_coordinates_(kept_coordinates)
    , workspaces_(std::make_shared<ConvolutionWorkspaces>()) {}

Result<MatrixInput> ExampleStore::matrix(std::size_t task, std::size_t matrix) {
    auto found = matrices_.find(matrix);
    if (found == matrices_.end()) {
        const TaskWorkload& made_of = tasks_.workloads[matrix];
        const bool looks_at_pattern = network_.architecture == Architecture::WacoNet;
        auto payload = looks_at_pattern ? made_of.load() : payload_of(CsrPattern());
        if (!payload)
            return std::unexpected(std::move(payload).error());
        Prepared prepared;
        prepared.input = matrix_input(network_, pattern_of(**payload), pattern_statistics(made_of.statistics),
                                      nullptr, threads_, workspaces_);
        prepared.input.numbers = prepared.input.numbers.to(device_);
        if (prepared.input.pyramid)
            prepared.coordinates = prepared.input.pyramid->coordinate_count();
        held_coordinates_ += prepared.coordinates;
        make_room();
        found = matrices_.emplace(matrix, std::move(prepared)).first;
    }
    found->second.last_use = ++uses_;
    MatrixInput input = found->second.input;
    if (network_.machine)
        input.machine = at::tensor(machine_features(tasks_.tasks[task].description), at::kFloat).to(device_);
    return input;
}

void ExampleStore::make_room() {
    while (held_coordinates_ > kept_coordinates_ && !matrices_.empty()) {
        const auto oldest =
            std::ranges::min_element(matrices_, {}, [](const auto& entry) { return entry.second.last_use; });
        held_coordinates_ -= oldest->second.coordinates;
        matrices_.erase(oldest);
    }
}

const ScheduleInput& ExampleStore::schedules(std::size_t task, std::size_t runtimes) {
    const std::pair key(task, runtimes);
    if (const auto found = schedules_.find(key); found != schedules_.end())
        return found->second;
    const std::vector<Configuration>& all = tasks_.tasks[task].runtimes[runtimes].configurations;
    ScheduleInput input = schedule_input(network_, encode_batch(network_.schedules, all));
    input.categories = input.categories.to(device_);
    input.orders = input.orders.to(device_);
    return schedules_.emplace(key, std::move(input)).first->second;
}

Result<ObjectiveTerm> ExampleStore::term(Loss loss, std::size_t task, const ExampleChoice& choice) {
    const WorkloadRuntimes& runtimes = tasks_.tasks[task].runtimes[choice.runtimes];
    auto input = guarded([&] { return matrix(task, runtimes.workload); });
    if (!input)
        return std::unexpected(std::move(input).error());
    return guarded([&]() -> ObjectiveTerm {
        return [network = network_, input = *std::move(input),
                batch = chosen(schedules(task, choice.runtimes), choice.schedules), loss,
                milliseconds = chosen(runtimes.milliseconds, choice.schedules),
                spreads = chosen(runtimes.spreads, choice.schedules)](const NamedTensors& weights) {
            return ranking_loss(loss, score(network, weights, input, batch), milliseconds, spreads);
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
        const auto input = matrix(task, tasks_.tasks[task].runtimes[runtimes].workload);
        if (!input)
            return std::unexpected(input.error());
        const c10::AutoGradMode no_graph(false);
        return score(network_, weights, *input, schedules(task, runtimes));
    });
}

Standardisation standardise(Architecture architecture, const TaskSet& tasks,
                            std::span<const std::size_t> train) {
    std::vector<std::vector<double>> rows;
    for (const std::size_t matrix : train)
        rows.push_back(matrix_numbers(architecture, pattern_statistics(tasks.workloads[matrix].statistics)));
    return fit_standardisation(rows);
}

} // namespace sparsight
