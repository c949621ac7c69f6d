#include "model/networks/encoder.h"

#include "base/random.h"

#include <ATen/ops/add.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace sparsight {

std::vector<float> Standardisation::apply(std::span<const double> numbers) const {
    std::vector<float> standardised(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        standardised[i] = static_cast<float>((numbers[i] - mean[i]) / deviation[i]);
    return standardised;
}

Standardisation fit_standardisation(std::span<const std::vector<double>> rows) {
    const std::size_t columns = rows.front().size();
    const auto count = static_cast<double>(rows.size());
    Standardisation fitted{std::vector<double>(columns, 0.0), std::vector<double>(columns, 0.0)};
    for (std::size_t column = 0; column < columns; ++column) {
        double& mean = fitted.mean[column];
        for (const auto& row : rows)
            mean += row[column] / count;
        double variance = 0;
        for (const auto& row : rows)
            variance += (row[column] - mean) * (row[column] - mean) / count;
        // Rounding leaves a constant column with a deviation that is not quite 0.
        const bool varies = variance > 1e-24 * (1 + mean * mean);
        fitted.deviation[column] = varies ? std::sqrt(variance) : 1.0;
    }
    return fitted;
}

namespace {

using Value = std::optional<double> (*)(const MachineDescription&);

struct Fact {
    MachineFeature feature;
    Value value;
};

template <typename T>
std::optional<double> number(const std::optional<T>& fact) {
    return fact ? std::optional(static_cast<double>(*fact)) : std::nullopt;
}
template <typename Unit>
std::optional<double> number(const std::optional<Quantity<Unit>>& fact) {
    return fact ? std::optional(fact->value) : std::nullopt;
}

/// Of one cache of the level; of hybrid processors the largest.
std::optional<double> cache_bytes(const MachineDescription& machine, int level) {
    std::optional<double> bytes;
    for (const CacheLevel& cache : machine.caches)
        if (cache.level == level)
            bytes = std::max(bytes.value_or(0), static_cast<double>(cache.bytes));
    return bytes;
}

using Machine = const MachineDescription&;
const std::array facts{
    Fact{{"cores", "", 4, 2}, [](Machine m) { return number(m.cores); }},
    Fact{{"threads", "", 5, 2}, [](Machine m) { return number(m.threads); }},
    Fact{{"sockets", "", 0, 1}, [](Machine m) { return number(m.sockets); }},
    Fact{{"NUMA nodes", "", 0, 1}, [](Machine m) { return number(m.numa_nodes); }},
    Fact{{"clock", "GHz", 1.6, 0.5}, [](Machine m) { return number(m.clock); }},
    Fact{{"float lanes", "", 3, 1}, [](Machine m) { return number(m.float_lanes); }},
    Fact{{"L1 cache", "bytes", 15, 1}, [](Machine m) { return cache_bytes(m, 1); }},
    Fact{{"L2 cache", "bytes", 20, 1.5}, [](Machine m) { return cache_bytes(m, 2); }},
    Fact{{"last cache", "bytes", 25, 1.5}, [](Machine m) { return number(m.last_cache_bytes()); }},
    Fact{{"all last caches", "bytes", 26, 2}, [](Machine m) { return number(m.all_last_caches_bytes()); }},
    Fact{{"memory", "bytes", 36, 2}, [](Machine m) { return number(m.memory_bytes); }},
    Fact{{"bandwidth of one thread", "GB/s", 4, 1},
         [](Machine m) { return number(m.copy_bandwidth.one_thread); }},
    Fact{{"bandwidth of all threads", "GB/s", 6, 1.5},
         [](Machine m) { return number(m.copy_bandwidth.all_threads); }},
    Fact{
        {"memory latency", "ns", 6.6, 0.5},
        [](Machine m) { return m.memory_latency ? std::optional(m.memory_latency->count()) : std::nullopt; }},
    Fact{{"arithmetic of one thread", "GFLOP/s", 6, 1},
         [](Machine m) { return number(m.peak_fma.one_thread); }},
    Fact{{"arithmetic of all threads", "GFLOP/s", 10, 2},
         [](Machine m) { return number(m.peak_fma.all_threads); }},
};

} // namespace

std::span<const MachineFeature> machine_facts() {
    static const auto features = [] {
        std::array<MachineFeature, facts.size()> list;
        std::ranges::transform(facts, list.begin(), &Fact::feature);
        return list;
    }();
    return features;
}

std::size_t machine_feature_count() {
    return 2 * facts.size();
}

std::vector<float> machine_features(const MachineDescription& machine) {
    std::vector<float> features;
    features.reserve(machine_feature_count());
    for (const Fact& fact : facts) {
        const std::optional<double> value = fact.value(machine);
        const bool known = value && *value > 0; // the logarithm of 0 says nothing
        features.push_back(
            known ? static_cast<float>((std::log2(*value) - fact.feature.centre) / fact.feature.spread)
                  : 0.0F);
        features.push_back(known ? 1.0F : 0.0F);
    }
    return features;
}

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
                parameter.initial == Initial::Zero      ? 0
                : parameter.initial == Initial::Uniform ? (2 * random.uniform() - 1) / std::sqrt(fan)
                : parameter.initial == Initial::Normal  ? random.normal()
                                                        : random.normal() * std::sqrt(2 / fan);
            value = static_cast<float>(drawn);
        }
        weights.push_back(std::move(array));
    }
    return weights;
}

at::Tensor machine_input(const Encoder& encoder, const MachineDescription* machine) {
    if (!encoder.reads_machine())
        return {};
    return at::tensor(encoder.machine_numbers(machine != nullptr ? *machine : MachineDescription{}),
                      at::kFloat);
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

at::Tensor EmbeddingEncoder::score(const NamedTensors& parameters, const EncodedWorkload& workload,
                                   const at::Tensor& machine,
                                   const EncodedConfigurations& configurations) const {
    return predict(parameters, embed_workload(parameters, workload, machine),
                   embed_configurations(parameters, configurations));
}

namespace {

/// Of a domain with a single one.
class EqualConfigurations final : public EncodedConfigurations {
public:
    explicit EqualConfigurations(std::size_t count)
        : count_(count) {}

    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::shared_ptr<const EncodedConfigurations>
    select(std::span<const std::size_t> rows) const override {
        return std::make_shared<const EqualConfigurations>(rows.size());
    }

private:
    std::size_t count_;
};

} // namespace

at::Tensor BatchEncoder::score(const NamedTensors& parameters, const EncodedWorkload& workload,
                               const at::Tensor& machine, const EncodedConfigurations& configurations) const {
    const EncodedWorkload* const one = &workload;
    const auto count = static_cast<const EqualConfigurations&>(configurations).count();
    return score_batch(parameters, std::span(&one, 1), machine).expand({static_cast<std::int64_t>(count)});
}

std::shared_ptr<const EncodedConfigurations> BatchEncoder::encode_configurations(std::size_t count) {
    return std::make_shared<const EqualConfigurations>(count);
}

} // namespace sparsight
