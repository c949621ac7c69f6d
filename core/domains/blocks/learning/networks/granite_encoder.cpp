#include "domains/blocks/learning/networks/granite_encoder.h"

#include "domains/blocks/learning/block_payload.h"
#include "domains/blocks/learning/networks/block_graph.h"
#include "domains/blocks/learning/networks/learned_facts.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/index_add.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/log.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

class EncodedGraph final : public EncodedWorkload {
public:
    /// Places, all of at::kLong.
    struct Tensors {
        at::Tensor tokens;       ///< of each node
        at::Tensor instructions; ///< nodes
        at::Tensor kinds;        ///< of each edge
        at::Tensor senders;      ///< nodes
        at::Tensor receivers;    ///< nodes
    };

    explicit EncodedGraph(Tensors tensors)
        : tensors_(std::move(tensors)) {}

    [[nodiscard]] std::int64_t kept_size() const override {
        const auto bytes = 8 * (nodes() + instructions() + 3 * edges());
        return 1 + bytes / 100;
    }
    [[nodiscard]] const Tensors& tensors() const { return tensors_; }
    [[nodiscard]] std::int64_t nodes() const { return tensors_.tokens.size(0); }
    [[nodiscard]] std::int64_t edges() const { return tensors_.kinds.size(0); }
    [[nodiscard]] std::int64_t instructions() const { return tensors_.instructions.size(0); }

private:
    Tensors tensors_;
};

/// The graphs of several blocks as one, and to which block each of its parts belongs.
struct GraphBatch {
    EncodedGraph::Tensors graph{};
    at::Tensor node_blocks;
    at::Tensor edge_blocks;
    at::Tensor instruction_blocks;
    at::Tensor node_counts; ///< of each block
    at::Tensor edge_counts;
};

GraphBatch joined_graphs(EncodedWorkloads workloads, at::Device device) {
    std::array<std::vector<at::Tensor>, 5> parts;
    std::vector<std::int64_t> nodes;
    std::vector<std::int64_t> edges;
    std::vector<std::int64_t> instructions;
    std::vector<std::int64_t> first_nodes;
    std::int64_t count = 0;
    for (const EncodedWorkload* const workload : workloads) {
        const auto& graph = static_cast<const EncodedGraph&>(*workload);
        const EncodedGraph::Tensors& tensors = graph.tensors();
        parts[0].push_back(tensors.tokens);
        parts[1].push_back(tensors.instructions);
        parts[2].push_back(tensors.kinds);
        parts[3].push_back(tensors.senders);
        parts[4].push_back(tensors.receivers);
        nodes.push_back(graph.nodes());
        edges.push_back(graph.edges());
        instructions.push_back(graph.instructions());
        first_nodes.push_back(count);
        count += graph.nodes();
    }
    const auto places = [&](const std::vector<std::int64_t>& of) { return at::tensor(of, at::kLong); };
    const at::Tensor numbers = at::arange(std::ssize(workloads), at::kLong);
    const auto blocks = [&](const std::vector<std::int64_t>& counts) {
        return at::repeat_interleave(numbers, places(counts), 0);
    };
    const at::Tensor first = places(first_nodes).to(device);
    GraphBatch batch{.graph = {},
                     .node_blocks = blocks(nodes).to(device),
                     .edge_blocks = blocks(edges).to(device),
                     .instruction_blocks = blocks(instructions).to(device),
                     .node_counts = places(nodes).to(device),
                     .edge_counts = places(edges).to(device)};
    const auto all = [&](std::size_t part) { return at::cat(parts[part]).to(device); };
    const at::Tensor edge_offsets = at::index_select(first, 0, batch.edge_blocks);
    batch.graph = {.tokens = all(0),
                   .instructions = all(1) + at::index_select(first, 0, batch.instruction_blocks),
                   .kinds = all(2),
                   .senders = all(3) + edge_offsets,
                   .receivers = all(4) + edge_offsets};
    return batch;
}

/// [count, …]: rows of a table by their place.
at::Tensor gathered_rows(const at::Tensor& table, const at::Tensor& places) {
    return at::index_select(table, 0, places);
}

/// [count, …]: the sum of the rows of each place.
at::Tensor summed_rows(const at::Tensor& rows, const at::Tensor& places, std::int64_t count) {
    std::vector<std::int64_t> shape = rows.sizes().vec();
    shape[0] = count;
    return at::index_add(at::zeros(shape, rows.options()), 0, places, rows);
}

/// What is left of a perceptron behind its first layer, which is computed in parts.
at::Tensor behind_first_layer(const NamedTensors& parameters, const std::string& name,
                              const at::Tensor& first) {
    const at::Tensor second = at::relu(linear(parameters, name + ".2", at::relu(first)));
    return linear(parameters, name + ".4", second);
}

void add_update(std::vector<NetworkParameter>& list, const std::string& name, std::int64_t width,
                std::int64_t parts, std::int64_t out) {
    add_linear(list, name + ".0", width, parts * width);
    add_linear(list, name + ".2", width, width);
    add_linear(list, name + ".4", out, width);
}

struct GraphFeatures {
    at::Tensor edges;
    at::Tensor nodes;
    at::Tensor globals;
};

constexpr std::array<const char*, 3> feature_kinds{"edges", "nodes", "globals"};

class GraniteEncoder final : public BatchEncoder {
public:
    explicit GraniteEncoder(GraniteDescription description)
        : description_(std::move(description)) {
        for (std::size_t place = 0; place < description_.tokens.size(); ++place)
            tokens_.emplace(description_.tokens[place], static_cast<std::int64_t>(place));
    }

    [[nodiscard]] ModelArchitecture architecture() const override { return architecture_of(description_); }
    [[nodiscard]] bool reads_machine() const override { return true; }

    /// Its place among the machines of the description.
    [[nodiscard]] std::vector<float> machine_numbers(const MachineDescription& machine) const override {
        return {place_of_machine(description_.machines, machine.name)};
    }

    [[nodiscard]] std::vector<NetworkParameter> parameters() const override {
        std::vector<NetworkParameter> list;
        list.push_back({{"nodes.weight", {token_count(), width()}}, Initial::Normal, 1});
        list.push_back({{"edges.weight", {kind_count(), width()}}, Initial::Normal, 1});
        // The frequencies sum to 2 however many there are, so that the fan of the layer says nothing.
        list.push_back({{"globals.weight", {token_count() + kind_count(), width()}}, Initial::Uniform, 1});
        list.push_back({{"globals.bias", {width()}}, Initial::Uniform, 1});
        add_update(list, "update.edges", width(), 4, width());
        add_update(list, "update.nodes", width(), 3, width());
        add_update(list, "update.globals", width(), 3, width());
        for (int iteration = 0; iteration < description_.iterations; ++iteration)
            for (const char* const kind : feature_kinds)
                if (is_read_after(iteration, kind)) {
                    list.push_back({{norm_name(iteration, kind) + ".scale", {width()}}, Initial::Zero, 1});
                    list.push_back({{norm_name(iteration, kind) + ".bias", {width()}}, Initial::Zero, 1});
                }
        for (std::size_t machine = 0; machine < description_.machines.size(); ++machine)
            add_update(list, decoder_name(static_cast<std::int64_t>(machine)), width(), 1, 1);
        return list;
    }

    [[nodiscard]] std::shared_ptr<const EncodedWorkload>
    encode_workload(const Payload* payload, std::span<const double>,
                    const EncodingOptions& options) const override {
        const BlockGraph graph = graph_of(static_cast<const BlockPayload&>(*payload).block().instructions);
        std::vector<std::int64_t> tokens;
        std::vector<std::int64_t> instructions;
        for (const GraphNode& node : graph.nodes) {
            if (node.kind == NodeKind::Instruction)
                instructions.push_back(std::ssize(tokens));
            const auto known = tokens_.find(node.token);
            tokens.push_back(known == tokens_.end() ? 0 : known->second);
        }
        std::vector<std::int64_t> kinds;
        std::vector<std::int64_t> senders;
        std::vector<std::int64_t> receivers;
        for (const GraphEdge& edge : graph.edges) {
            kinds.push_back(description_.has_edge_types ? static_cast<std::int64_t>(edge.kind) : 0);
            senders.push_back(static_cast<std::int64_t>(edge.from));
            receivers.push_back(static_cast<std::int64_t>(edge.to));
        }
        const auto tensor = [&](const std::vector<std::int64_t>& places) {
            return at::tensor(places, at::kLong).to(options.device);
        };
        return std::make_shared<const EncodedGraph>(EncodedGraph::Tensors{
            tensor(tokens), tensor(instructions), tensor(kinds), tensor(senders), tensor(receivers)});
    }

    [[nodiscard]] at::Tensor score_batch(const NamedTensors& parameters, EncodedWorkloads workloads,
                                         const at::Tensor& machine) const override {
        const auto blocks = std::ssize(workloads);
        const GraphBatch batch = joined_graphs(workloads, parameters["nodes.weight"].device());
        GraphFeatures features = first_features(parameters, batch);
        for (int iteration = 0; iteration < description_.iterations; ++iteration)
            features = updated(parameters, batch, features, iteration);
        const std::string decoder = decoder_name(static_cast<std::int64_t>(machine.item<double>()));
        if (description_.read_out == GraniteDescription::ReadOut::Global)
            return log_of(times(parameters, decoder, features.globals));
        const at::Tensor of_instructions =
            times(parameters, decoder, gathered_rows(features.nodes, batch.graph.instructions));
        return log_of(summed_rows(of_instructions, batch.instruction_blocks, blocks));
    }

private:
    [[nodiscard]] std::int64_t width() const { return description_.width; }
    [[nodiscard]] std::int64_t token_count() const { return std::ssize(description_.tokens); }
    [[nodiscard]] std::int64_t kind_count() const {
        return description_.has_edge_types ? static_cast<std::int64_t>(edge_kinds) : 1;
    }
    [[nodiscard]] static std::string norm_name(int iteration, std::string_view kind) {
        return fmt::format("norm.{}.{}", iteration, kind);
    }
    [[nodiscard]] static std::string decoder_name(std::int64_t machine) {
        return fmt::format("decoder.{}", machine);
    }

    /// After the last iteration only the read-out reads a feature.
    [[nodiscard]] bool is_read_after(int iteration, std::string_view kind) const {
        const bool is_global = description_.read_out == GraniteDescription::ReadOut::Global;
        return iteration + 1 < description_.iterations || kind == (is_global ? "globals" : "nodes");
    }

    [[nodiscard]] GraphFeatures first_features(const NamedTensors& parameters,
                                               const GraphBatch& batch) const {
        const at::Tensor& table = parameters["globals.weight"];
        const auto frequencies = [&](const at::Tensor& rows, const at::Tensor& places,
                                     const at::Tensor& blocks, const at::Tensor& counts) {
            const at::Tensor sum = summed_rows(gathered_rows(rows, places), blocks, counts.size(0));
            return sum / counts.clamp_min(1).to(table.scalar_type()).unsqueeze(1);
        };
        return {.edges = gathered_rows(parameters["edges.weight"], batch.graph.kinds),
                .nodes = gathered_rows(parameters["nodes.weight"], batch.graph.tokens),
                .globals = frequencies(table.narrow(0, 0, token_count()), batch.graph.tokens,
                                       batch.node_blocks, batch.node_counts) +
                           frequencies(table.narrow(0, token_count(), kind_count()), batch.graph.kinds,
                                       batch.edge_blocks, batch.edge_counts) +
                           parameters["globals.bias"]};
    }

    [[nodiscard]] GraphFeatures updated(const NamedTensors& parameters, const GraphBatch& batch,
                                        const GraphFeatures& features, int iteration) const {
        const std::int64_t nodes = features.nodes.size(0);
        const std::int64_t blocks = features.globals.size(0);
        // The first layer of an update reads several features at once. Each part of its product is taken
        // before the rows are repeated for all edges or nodes that read them.
        const auto part = [&](const char* update, const at::Tensor& input, std::int64_t place) {
            return at::linear(input, parameters[fmt::format("update.{}.0.weight", update)].narrow(
                                         1, place * width(), width()));
        };
        const auto normalised = [&](const char* kind, const at::Tensor& before, const at::Tensor& update) {
            if (!is_read_after(iteration, kind))
                return before;
            const std::string norm = norm_name(iteration, kind);
            return at::layer_norm(before + update, {width()}, 1 + parameters[norm + ".scale"],
                                  parameters[norm + ".bias"]);
        };
        const at::Tensor edge_update =
            behind_first_layer(parameters, "update.edges",
                               part("edges", features.edges, 0) + parameters["update.edges.0.bias"] +
                                   gathered_rows(part("edges", features.nodes, 1), batch.graph.receivers) +
                                   gathered_rows(part("edges", features.nodes, 2), batch.graph.senders) +
                                   gathered_rows(part("edges", features.globals, 3), batch.edge_blocks));
        const at::Tensor received = summed_rows(edge_update, batch.graph.receivers, nodes);
        const at::Tensor node_update =
            behind_first_layer(parameters, "update.nodes",
                               part("nodes", received, 0) + parameters["update.nodes.0.bias"] +
                                   part("nodes", features.nodes, 1) +
                                   gathered_rows(part("nodes", features.globals, 2), batch.node_blocks));
        GraphFeatures after{.edges = normalised("edges", features.edges, edge_update),
                            .nodes = normalised("nodes", features.nodes, node_update),
                            .globals = features.globals};
        if (!is_read_after(iteration, "globals"))
            return after;
        const at::Tensor sums = summed_rows(at::cat({received, node_update}, 1), batch.node_blocks,
                                            blocks); // each edge is received
        after.globals = normalised(
            "globals", features.globals,
            behind_first_layer(parameters, "update.globals",
                               linear(parameters, "update.globals.0", at::cat({sums, features.globals}, 1))));
        return after;
    }

    /// [rows], above 0 and about 1 in an untrained network. The paper's outputs are unconstrained; a
    /// logarithm needs that their sum is positive.
    [[nodiscard]] static at::Tensor times(const NamedTensors& parameters, const std::string& decoder,
                                          const at::Tensor& features) {
        static const double one = std::log(std::exp(1.0) - 1); // softplus makes 1 of it
        const at::Tensor first = linear(parameters, decoder + ".0", features);
        return at::softplus(behind_first_layer(parameters, decoder, first).squeeze(1) + one);
    }

    /// A block without instructions, or one whose times round to 0, has a finite score.
    [[nodiscard]] at::Tensor log_of(const at::Tensor& times) const {
        constexpr double shortest = 1e-6;
        return at::log(times + shortest) + description_.mean_log;
    }

    GraniteDescription description_;
    std::unordered_map<std::string, std::int64_t> tokens_;
};

} // namespace

std::shared_ptr<const BatchEncoder> granite_encoder(GraniteDescription description) {
    return std::make_shared<const GraniteEncoder>(std::move(description));
}

} // namespace sparsight
