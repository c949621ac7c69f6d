#include "domains/sparse/encoder/cost_network.h"

#include "model/checkpoints/pytorch_file.h"
#include "model/convolution/sparse_convolution.h"
#include "model/networks/encoder.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/relu.h>
#include <algorithm>
#include <fmt/format.h>
#include <utility>

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

namespace {

const NamedArray* find(const std::vector<NamedArray>& arrays, std::string_view name) {
    const auto found = std::ranges::find(arrays, name, &NamedArray::name);
    return found == arrays.end() ? nullptr : &*found;
}

Operator network_operator(const std::vector<NamedArray>& arrays) {
    if (find(arrays, "paridx.weight") != nullptr)
        return Operator::SDDMM;
    return find(arrays, "jsplit.weight") != nullptr ? Operator::SpMM : Operator::SpMV;
}

/// The predictor reads one number for the matrix and embedding_width of the schedule.
bool is_narrowed(const std::vector<NamedArray>& arrays) {
    const NamedArray* predictor = find(arrays, "final.0.weight");
    return predictor != nullptr && predictor->shape.size() == 2 && predictor->shape[1] == 1 + embedding_width;
}

} // namespace

Standardisation published_standardisation() {
    return {{42'555.535, 23'075.956, 514'772.713}, {226'582.904, 91'684.933, 1'981'206.008}};
}

Result<PublishedWeights> read_published_weights(const std::filesystem::path& path,
                                                std::optional<Operator> op) {
    Result<std::vector<NamedArray>> arrays = read_pytorch_weights(path);
    if (!arrays)
        return std::unexpected(arrays.error());
    const auto refuse = [&](std::string message) {
        return fail_in_file(Fault::Input, path.string(), 0, std::move(message));
    };
    constexpr std::string_view prefix = "shared_backbone.";
    for (NamedArray& array : *arrays)
        if (array.name.starts_with(prefix))
            array.name.erase(0, prefix.size());

    PublishedWeights published;
    published.network.schedules.network = network_operator(*arrays);
    published.network.schedules.op = op.value_or(published.network.schedules.network);
    published.network.standardisation = published_standardisation();
    published.network.narrowed = is_narrowed(*arrays);
    if (loop_count(published.network.schedules.op) != loop_count(published.network.schedules.network))
        return refuse(fmt::format("the network is one of {}, whose schedules have another number of loops "
                                  "than those of {}",
                                  name(published.network.schedules.network),
                                  name(published.network.schedules.op)));
    if (!published.network.narrowed)
        std::erase_if(*arrays, [&](const NamedArray& array) {
            const bool unused = array.name.starts_with("head.");
            if (unused)
                published.unused.push_back(array.name);
            return unused;
        });
    Result<std::vector<NamedArray>> matched =
        match_by_name(*std::move(arrays), parameter_shapes(published.network));
    if (!matched)
        return refuse(std::move(matched.error().message));
    published.weights = *std::move(matched);
    return published;
}

Checkpoint import_published_weights(const PublishedWeights& published, std::string machine) {
    Checkpoint checkpoint;
    checkpoint.model.architecture = describe(published.network);
    checkpoint.model.training.method = "published";
    checkpoint.model.training.machines.push_back(std::move(machine));
    checkpoint.weights = published.weights;
    return checkpoint;
}

} // namespace sparsight
