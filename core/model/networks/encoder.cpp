#include "model/networks/encoder.h"

#include "base/random.h"
#include "model/networks/network_inputs.h"

#include <ATen/ops/add.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tensor.h>
#include <cmath>
#include <utility>

namespace sparsight {

void add_linear(std::vector<NetworkParameter>& list, const std::string& name, std::int64_t out,
                std::int64_t in) {
    list.push_back({{name + ".weight", {out, in}}, Initial::Uniform, in});
    list.push_back({{name + ".bias", {out}}, Initial::Uniform, in});
}

void add_predictor(std::vector<NetworkParameter>& list, std::int64_t workload_width) {
    constexpr std::int64_t first_width = 128;
    add_linear(list, "final.0", first_width, workload_width + embedding_width);
    add_linear(list, "final.2", last_layer_width, first_width);
    add_linear(list, "final.4", 1, last_layer_width);
}

std::vector<NamedShape> shapes_of(std::span<const NetworkParameter> parameters) {
    std::vector<NamedShape> shapes;
    for (const NetworkParameter& parameter : parameters)
        shapes.push_back(parameter.tensor);
    return shapes;
}

std::vector<NamedArray> draw_weights(std::span<const NetworkParameter> parameters, std::uint64_t seed) {
    std::vector<NamedArray> weights;
    const Random base(seed);
    for (const NetworkParameter& parameter : parameters) {
        Random random = base.fork(weights.size());
        std::int64_t count = 1;
        for (const std::int64_t extent : parameter.tensor.shape)
            count *= extent;
        const auto fan = static_cast<double>(parameter.fan);
        NamedArray array{parameter.tensor.name, parameter.tensor.shape,
                         std::vector<float>(static_cast<std::size_t>(count))};
        for (float& value : array.values) {
            const double drawn =
                parameter.initial == Initial::Uniform  ? (2 * random.uniform() - 1) / std::sqrt(fan)
                : parameter.initial == Initial::Normal ? random.normal()
                                                       : random.normal() * std::sqrt(2 / fan);
            value = static_cast<float>(drawn);
        }
        weights.push_back(std::move(array));
    }
    return weights;
}

at::Tensor machine_input(const MachineDescription* machine) {
    return at::tensor(machine_features(machine != nullptr ? *machine : MachineDescription{}), at::kFloat);
}

at::Tensor linear(const NamedTensors& parameters, const std::string& name, const at::Tensor& input) {
    return at::linear(input, parameters[name + ".weight"], parameters[name + ".bias"]);
}

at::Tensor last_layer_inputs(const NamedTensors& parameters, const at::Tensor& workload_embedding,
                             const at::Tensor& configuration_embeddings) {
    // The first layer of [workload, configuration] is the sum of two: the workload's is the same for all
    // rows.
    const at::Tensor& weight = parameters["final.0.weight"];
    const std::int64_t width = workload_embedding.size(0);
    const at::Tensor shared =
        at::linear(workload_embedding.unsqueeze(0), weight.narrow(1, 0, width), parameters["final.0.bias"]);
    const at::Tensor first = at::add(
        at::linear(configuration_embeddings, weight.narrow(1, width, weight.size(1) - width)), shared);
    return at::relu(linear(parameters, "final.2", at::relu(first)));
}

at::Tensor predict(const NamedTensors& parameters, const at::Tensor& workload_embedding,
                   const at::Tensor& configuration_embeddings) {
    return linear(parameters, "final.4",
                  last_layer_inputs(parameters, workload_embedding, configuration_embeddings))
        .squeeze(1);
}

at::Tensor score(const Encoder& encoder, const NamedTensors& parameters, const EncodedWorkload& workload,
                 const at::Tensor& machine, const EncodedConfigurations& configurations) {
    return predict(parameters, encoder.embed_workload(parameters, workload, machine),
                   encoder.embed_configurations(parameters, configurations));
}

} // namespace sparsight
