#include "domains/sparse/encoder/cost_network.h"

#include "model/convolution/sparse_convolution.h"
#include "model/networks/encoder.h"
#include "model/networks/network_inputs.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/relu.h>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

/// Linear layers name.0, name.2, … with ReLU between them.
at::Tensor perceptron(const NamedTensors& parameters, const std::string& name, int layers, at::Tensor input) {
    for (int layer = 0; layer < layers; ++layer) {
        if (layer > 0)
            input = at::relu(input);
        input = linear(parameters, name + "." + std::to_string(2 * layer), input);
    }
    return input;
}

template <typename Number>
at::Tensor to_tensor(std::vector<Number> numbers, at::IntArrayRef shape, at::ScalarType type) {
    return at::from_blob(numbers.data(), shape, at::TensorOptions(type)).clone();
}

/// A row of the type and on the device of the parameters.
at::Tensor row(const at::Tensor& numbers, const at::Tensor& like) {
    return numbers.to(like.device(), like.scalar_type()).unsqueeze(0);
}

/// [1, layers · channels], layer by layer.
at::Tensor pooled_convolutions(const NamedTensors& parameters, const ConvolutionPyramid& pyramid) {
    std::vector<at::Tensor> kernels;
    for (int layer = 1; layer <= pyramid_layers; ++layer)
        kernels.push_back(parameters[fmt::format("layer{}.0.kernel", layer)]);
    return convolution_means(kernels, pyramid).reshape({1, -1});
}

} // namespace

MatrixInput matrix_input(const NetworkDescription& network, const CsrPattern& pattern,
                         const PatternStatistics& statistics, const MachineDescription* machine, int threads,
                         std::shared_ptr<ConvolutionWorkspaces> workspaces) {
    MatrixInput input;
    if (network.architecture == Architecture::WacoNet)
        input.pyramid = std::make_shared<const ConvolutionPyramid>(
            build_convolution_pyramid(pattern, threads, default_coordinate_limit, std::move(workspaces)));
    std::vector<float> numbers =
        network.standardisation.apply(matrix_numbers(network.architecture, statistics));
    const auto count = static_cast<std::int64_t>(numbers.size());
    input.numbers = to_tensor(std::move(numbers), {count}, at::kFloat);
    if (network.machine)
        input.machine = to_tensor(machine_features(machine != nullptr ? *machine : MachineDescription{}),
                                  {static_cast<std::int64_t>(machine_feature_count())}, at::kFloat);
    return input;
}

ScheduleInput schedule_input(const NetworkDescription& network, const ScheduleBatch& batch) {
    const auto count = static_cast<std::int64_t>(batch.count);
    const auto tables = static_cast<std::int64_t>(category_tables(network.schedules).size());
    const auto loops = static_cast<std::int64_t>(loop_count(network.schedules.op));
    return {to_tensor(batch.categories, {count, tables}, at::kLong).t().contiguous(),
            to_tensor(batch.orders, {count, loops * loops}, at::kFloat)};
}

at::Tensor embed_matrix(const NetworkDescription& network, const NamedTensors& parameters,
                        const MatrixInput& matrix) {
    const at::Tensor& like = parameters["matrix_embedding.0.weight"];
    std::vector<at::Tensor> parts;
    if (network.architecture == Architecture::WacoNet) {
        parts.push_back(pooled_convolutions(parameters, *matrix.pyramid));
        parts.push_back(perceptron(parameters, "feature", 2, row(matrix.numbers, like)));
    } else {
        parts.push_back(at::relu(perceptron(parameters, "statistics", 2, row(matrix.numbers, like))));
    }
    if (network.machine)
        parts.push_back(perceptron(parameters, "machine", 2, row(matrix.machine, like)));
    at::Tensor embedding = perceptron(parameters, "matrix_embedding", 2, at::cat(parts, 1));
    if (network.narrowed)
        embedding = perceptron(parameters, "head", 2, embedding);
    return embedding.squeeze(0);
}

at::Tensor embed_schedules(const NetworkDescription& network, const NamedTensors& parameters,
                           const ScheduleInput& schedules) {
    const at::Tensor& like = parameters["order.weight"];
    const at::Tensor categories = schedules.categories.to(like.device());
    const std::size_t splits = indices(network.schedules.op).size();
    const std::vector<CategoryTable> tables = category_tables(network.schedules);
    std::vector<at::Tensor> parts;
    for (std::size_t table = 0; table < tables.size(); ++table) {
        if (table == splits) // WACO has the loop order between the splits and the formats
            parts.push_back(
                linear(parameters, "order", schedules.orders.to(like.device(), like.scalar_type())));
        parts.push_back(at::embedding(parameters[tables[table].name + ".weight"],
                                      categories[static_cast<std::int64_t>(table)]));
    }
    return perceptron(parameters, "schedule_embedding", 2, at::cat(parts, 1));
}

at::Tensor score(const NetworkDescription& network, const NamedTensors& parameters, const MatrixInput& matrix,
                 const ScheduleInput& schedules) {
    return predict(parameters, embed_matrix(network, parameters, matrix),
                   embed_schedules(network, parameters, schedules));
}

} // namespace sparsight
