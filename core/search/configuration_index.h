// Collected configurations that a model has embedded, linked into a graph: searched for one workload after
// another.
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "base/observer.h"
#include "search/graph_walk.h"
#include "search/predictor_head.h"
#include "search/proximity_graph.h"
#include "study/configuration.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Configurations with the same embedding have the same score for every workload (WACO's tables have one
/// category for all large splits). They share a node: links among equals lead nowhere, and would crowd out
/// the others.
struct ConfigurationNodes {
    std::vector<std::uint32_t> starts;         ///< [nodes + 1], into configurations
    std::vector<std::uint32_t> configurations; ///< of each node, ascending

    [[nodiscard]] std::size_t count() const { return starts.empty() ? 0 : starts.size() - 1; }
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const {
        return std::span(configurations).subspan(starts[node], starts[node + 1] - starts[node]);
    }
    bool operator==(const ConfigurationNodes&) const = default;
};

struct ConfigurationIndex {
    std::string model;                         ///< whose embeddings they are: a name, for whoever keeps it
    std::vector<Configuration> configurations; ///< different ones
    ConfigurationNodes nodes;
    std::size_t width = 0;  ///< of an embedding
    FloatBuffer embeddings; ///< [nodes, width]
    ProximityGraph graph;   ///< over the nodes

    bool operator==(const ConfigurationIndex&) const = default;
};

/// Without a graph: to be scored as a whole. Configurations and embeddings as below.
[[nodiscard]] Result<ConfigurationIndex> gather_configurations(std::string model,
                                                               std::span<const Configuration> configurations,
                                                               std::span<const float> embeddings);

/// Configurations of one space, each kept once, with CostModel::embed_configurations() of them ([n, width]).
/// Stopped: Fault::Cancelled.
[[nodiscard]] Result<ConfigurationIndex>
build_configuration_index(std::string model, std::span<const Configuration> configurations,
                          std::span<const float> embeddings, const GraphSettings& settings = {},
                          std::stop_token stop = {}, const ProgressSink& progress = {});

/// What the walk found, as places in ConfigurationIndex::configurations.
struct IndexSearch {
    std::vector<Ranked> best; ///< k of them, in their order; fewer where there are no more
    Walk walk;                ///< over nodes
};

/// `rows` are PredictorHead::project() of the index's embeddings.
[[nodiscard]] IndexSearch search_index(const ConfigurationIndex& index, std::span<const float> rows,
                                       const WorkloadPredictor& predictor, const WalkSettings& settings = {});

/// The reference: every node is scored.
[[nodiscard]] std::vector<Ranked> search_exhaustively(const ConfigurationIndex& index,
                                                      std::span<const float> rows,
                                                      const WorkloadPredictor& predictor, std::size_t k,
                                                      int threads);

/// What to measure of what was found, in its order. The baseline, if there is one, is always among them:
/// behind the others where it has not earned a better place.
[[nodiscard]] std::vector<Configuration> candidates(const ConfigurationIndex& index,
                                                    std::span<const Ranked> best,
                                                    const std::optional<Configuration>& baseline);

} // namespace sparsight
