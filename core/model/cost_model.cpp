#include "model/cost_model.h"

#include "model/networks/encoder.h"
#include "model/tensors/torch_runtime.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <algorithm>
#include <utility>

namespace sparsight {

Result<std::unique_ptr<WorkloadScorer>> CostModel::embed_statistics(std::span<const double>,
                                                                    const MachineDescription*) const {
    return fail(Fault::Input, "the model reads more of a workload than its statistics");
}

Result<std::vector<float>> CostModel::score_each(std::span<const std::shared_ptr<const Payload>> workloads,
                                                 const Configuration& configuration,
                                                 const MachineDescription* machine, int threads) const {
    std::vector<float> scores;
    scores.reserve(workloads.size());
    for (const std::shared_ptr<const Payload>& workload : workloads) {
        const auto scorer = embed(workload, machine, threads);
        if (!scorer)
            return std::unexpected(scorer.error());
        const auto score = (*scorer)->score(std::span(&configuration, 1));
        if (!score)
            return std::unexpected(score.error());
        scores.push_back(score->front());
    }
    return scores;
}

Result<std::unique_ptr<CostModel>> make_cost_model(const Checkpoint& checkpoint, const ModelDomain& domain,
                                                   std::string_view device) {
    if (!is_network(checkpoint.model))
        return make_tree_cost_model(checkpoint, domain);
    auto network = make_network_cost_model(checkpoint, domain, device);
    if (!network || !checkpoint.model.blend)
        return network;
    return domain.blend_with_simulator(*std::move(network));
}

namespace {

struct Network {
    ModelDescription model;
    std::shared_ptr<const EmbeddingEncoder> encoder;
    NamedTensors parameters;
};

/// Nobody differentiates the scores of a model that is in use.
template <typename Work>
auto without_graph(Work work) -> Result<decltype(work())> {
    const at::NoGradGuard no_gradients;
    return guarded(work);
}

/// Work on so many configurations at a time stays in the cache and in memory that is used again.
constexpr std::size_t block_size = 2048;

/// The numbers of work(first, count) for each block of `total`, one after the other.
template <typename Work>
std::vector<float> in_blocks(std::size_t total, std::size_t numbers_each, Work work) {
    std::vector<float> numbers;
    numbers.reserve(total * numbers_each);
    for (std::size_t first = 0; first < total; first += block_size) {
        const at::Tensor block =
            work(first, std::min(block_size, total - first)).to(at::Device(at::kCPU)).contiguous();
        numbers.insert(numbers.end(), block.data_ptr<float>(), block.data_ptr<float>() + block.numel());
    }
    return numbers;
}

at::Tensor embed(const Network& of, std::span<const Configuration> configurations) {
    return of.encoder->embed_configurations(
        of.parameters, *of.encoder->encode_configurations(configurations, at::Device(at::kCPU)));
}

class NetworkScorer final : public WorkloadScorer {
public:
    NetworkScorer(std::shared_ptr<const Network> network, at::Tensor workload)
        : network_(std::move(network))
        , workload_(std::move(workload))
        , embedding_(in_blocks(1, static_cast<std::size_t>(workload_.numel()),
                               [&](std::size_t, std::size_t) { return workload_; })) {}

    Result<std::vector<float>> score(std::span<const Configuration> configurations) const override {
        return without_graph([&] {
            return in_blocks(configurations.size(), 1, [&](std::size_t first, std::size_t count) {
                return predict(network_->parameters, workload_,
                               embed(*network_, configurations.subspan(first, count)));
            });
        });
    }

    Result<std::vector<float>> score_embeddings(std::span<const float> embeddings) const override {
        return without_graph([&] {
            return in_blocks(
                embeddings.size() / embedding_width, 1, [&](std::size_t first, std::size_t count) {
                    // Read only, though from_blob does not say so.
                    return predict(
                        network_->parameters, workload_,
                        at::from_blob(const_cast<float*>(embeddings.data()) + first * embedding_width,
                                      {static_cast<std::int64_t>(count), embedding_width},
                                      at::TensorOptions(at::kFloat))
                            .to(workload_.device()));
                });
        });
    }

    std::span<const float> embedding() const override { return embedding_; }

    Result<std::vector<float>> last_inputs(std::span<const Configuration> configurations) const override {
        return without_graph([&] {
            return in_blocks(
                configurations.size(), last_layer_width, [&](std::size_t first, std::size_t count) {
                    return last_layer_inputs(network_->parameters, workload_,
                                             embed(*network_, configurations.subspan(first, count)));
                });
        });
    }

private:
    std::shared_ptr<const Network> network_;
    at::Tensor workload_;
    std::vector<float> embedding_;
};

class NetworkCostModel final : public CostModel {
public:
    explicit NetworkCostModel(Network network)
        : network_(std::make_shared<const Network>(std::move(network))) {}

    const ModelDescription& description() const override { return network_->model; }

    Result<std::unique_ptr<WorkloadScorer>> embed(const std::shared_ptr<const Payload>& payload,
                                                  const MachineDescription* machine,
                                                  int threads) const override {
        return embed_with(payload.get(), network_->encoder->statistics(*payload, threads), machine, threads);
    }

    bool reads_statistics() const override { return !network_->encoder->reads_payload(); }
    Result<std::unique_ptr<WorkloadScorer>>
    embed_statistics(std::span<const double> statistics, const MachineDescription* machine) const override {
        if (!reads_statistics())
            return CostModel::embed_statistics(statistics, machine);
        return embed_with(nullptr, statistics, machine, 1);
    }

    std::size_t last_width() const override { return last_layer_width; }

    std::size_t embedding_width() const override { return sparsight::embedding_width; }

    Result<std::vector<float>>
    embed_configurations(std::span<const Configuration> configurations) const override {
        return without_graph([&] {
            return in_blocks(configurations.size(), embedding_width(),
                             [&](std::size_t first, std::size_t count) {
                                 return sparsight::embed(*network_, configurations.subspan(first, count));
                             });
        });
    }

private:
    [[nodiscard]] Result<std::unique_ptr<WorkloadScorer>> embed_with(const Payload* payload,
                                                                     std::span<const double> statistics,
                                                                     const MachineDescription* machine,
                                                                     int threads) const {
        return without_graph([&]() -> std::unique_ptr<WorkloadScorer> {
            const EmbeddingEncoder& encoder = *network_->encoder;
            const auto encoded = encoder.encode_workload(payload, statistics, {.threads = threads});
            return std::make_unique<NetworkScorer>(
                network_,
                encoder.embed_workload(network_->parameters, *encoded, machine_input(encoder, machine)));
        });
    }

    std::shared_ptr<const Network> network_;
};

struct BatchNetwork {
    ModelDescription model;
    std::shared_ptr<const BatchEncoder> encoder;
    NamedTensors parameters;
    at::Device device;

    [[nodiscard]] std::shared_ptr<const EncodedWorkload> encoded(const Payload& payload, int threads) const {
        return encoder->encode_workload(&payload, {}, {.threads = threads, .device = device});
    }
    /// Undefined where the network reads none.
    [[nodiscard]] at::Tensor input_of(const MachineDescription* machine) const {
        const at::Tensor input = machine_input(*encoder, machine);
        return input.defined() ? input.to(device) : input;
    }
};

std::unexpected<Error> no_embeddings() {
    return fail(Fault::Input, "the network scores workloads, and has no embeddings of configurations");
}

class BatchScorer final : public WorkloadScorer {
public:
    BatchScorer(std::shared_ptr<const BatchNetwork> network, std::shared_ptr<const EncodedWorkload> workload,
                at::Tensor machine)
        : network_(std::move(network))
        , workload_(std::move(workload))
        , machine_(std::move(machine)) {}

    Result<std::vector<float>> score(std::span<const Configuration> configurations) const override {
        return without_graph([&] {
            const auto rows = BatchEncoder::encode_configurations(configurations.size());
            return in_blocks(1, configurations.size(), [&](std::size_t, std::size_t) {
                return network_->encoder->score(network_->parameters, *workload_, machine_, *rows);
            });
        });
    }
    Result<std::vector<float>> score_embeddings(std::span<const float>) const override {
        return no_embeddings();
    }

private:
    std::shared_ptr<const BatchNetwork> network_;
    std::shared_ptr<const EncodedWorkload> workload_;
    at::Tensor machine_;
};

class BatchCostModel final : public CostModel {
public:
    explicit BatchCostModel(BatchNetwork network)
        : network_(std::make_shared<const BatchNetwork>(std::move(network))) {}

    const ModelDescription& description() const override { return network_->model; }
    Result<std::unique_ptr<WorkloadScorer>> embed(const std::shared_ptr<const Payload>& payload,
                                                  const MachineDescription* machine,
                                                  int threads) const override {
        return without_graph([&]() -> std::unique_ptr<WorkloadScorer> {
            return std::make_unique<BatchScorer>(network_, network_->encoded(*payload, threads),
                                                 network_->input_of(machine));
        });
    }
    Result<std::vector<float>> score_each(std::span<const std::shared_ptr<const Payload>> workloads,
                                          const Configuration&, const MachineDescription* machine,
                                          int threads) const override {
        return without_graph([&] {
            constexpr std::size_t batch_size = 256;
            const at::Tensor facts = network_->input_of(machine);
            std::vector<float> scores;
            for (std::size_t first = 0; first < workloads.size(); first += batch_size) {
                std::vector<std::shared_ptr<const EncodedWorkload>> held;
                std::vector<const EncodedWorkload*> batch;
                for (const auto& each :
                     workloads.subspan(first, std::min(batch_size, workloads.size() - first))) {
                    held.push_back(network_->encoded(*each, threads));
                    batch.push_back(held.back().get());
                }
                const auto some = in_blocks(batch.size(), 1, [&](std::size_t begin, std::size_t count) {
                    return network_->encoder->score_batch(network_->parameters,
                                                          std::span(batch).subspan(begin, count), facts);
                });
                scores.insert(scores.end(), some.begin(), some.end());
            }
            return scores;
        });
    }
    std::size_t embedding_width() const override { return 0; }
    Result<std::vector<float>> embed_configurations(std::span<const Configuration>) const override {
        return no_embeddings();
    }

private:
    std::shared_ptr<const BatchNetwork> network_;
};

} // namespace

Result<std::unique_ptr<CostModel>>
make_network_cost_model(const Checkpoint& checkpoint, const ModelDomain& domain, std::string_view device) {
    auto encoder = domain.encoder(checkpoint.model.architecture);
    if (!encoder)
        return std::unexpected(std::move(encoder).error());
    if ((*encoder)->gray_box() != nullptr)
        return make_gray_box_cost_model(checkpoint, *std::move(encoder));
    Result<std::vector<NamedArray>> weights =
        match_by_name(checkpoint.weights, shapes_of((*encoder)->parameters()));
    if (!weights)
        return std::unexpected(weights.error());
    const auto on = usable_device(device);
    if (!on)
        return std::unexpected(on.error());
    return guarded([&]() -> std::unique_ptr<CostModel> {
        if (const BatchEncoder* const batches = (*encoder)->batches())
            return std::make_unique<BatchCostModel>(BatchNetwork{
                checkpoint.model, {*encoder, batches}, to_tensors(*weights, false, at::kFloat, *on), *on});
        const std::shared_ptr<const EmbeddingEncoder> embeds(*encoder, (*encoder)->embeds());
        return std::make_unique<NetworkCostModel>(
            Network{checkpoint.model, embeds, to_tensors(*weights, false, at::kFloat, *on)});
    });
}

} // namespace sparsight
