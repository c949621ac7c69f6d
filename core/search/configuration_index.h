// Collected configurations with their embeddings by a model, linked into a graph, so that one index serves
// searches for many workloads.
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
/// category for all large splits), so they share a node. Links among them would only displace useful links.
struct ConfigurationNodes {
    std::vector<std::uint32_t> starts;         ///< [nodes + 1], into configurations
    std::vector<std::uint32_t> configurations; ///< configurations of each node, ascending

    [[nodiscard]] std::size_t count() const { return starts.empty() ? 0 : starts.size() - 1; }
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const {
        return std::span(configurations).subspan(starts[node], starts[node + 1] - starts[node]);
    }
    bool operator==(const ConfigurationNodes&) const = default;
};

struct ConfigurationIndex {
    std::string model;                         ///< name of the model that embedded them
    std::vector<Configuration> configurations; ///< different ones
    ConfigurationNodes nodes;
    std::size_t width = 0;  ///< width of an embedding
    FloatBuffer embeddings; ///< [nodes, width]
    ProximityGraph graph;   ///< over the nodes

    bool operator==(const ConfigurationIndex&) const = default;
};

/// An index without a graph, for scoring all configurations. Arguments as below.
[[nodiscard]] Result<ConfigurationIndex> gather_configurations(std::string model,
                                                               std::span<const Configuration> configurations,
                                                               std::span<const float> embeddings);

/// Links distinct configurations of one space into a graph, given their embeddings by
/// CostModel::embed_configurations() ([n, width]). Stopped: Fault::Cancelled.
[[nodiscard]] Result<ConfigurationIndex>
build_configuration_index(std::string model, std::span<const Configuration> configurations,
                          std::span<const float> embeddings, const GraphSettings& settings = {},
                          std::stop_token stop = {}, const ProgressSink& progress = {});

/// The result of a walk, as places in ConfigurationIndex::configurations.
struct IndexSearch {
    std::vector<Ranked> best; ///< k configurations, the best first; fewer where the index has no more
    Walk walk;                ///< over the nodes of the graph
};

/// `rows` are the index's embeddings after PredictorHead::project().
[[nodiscard]] IndexSearch search_index(const ConfigurationIndex& index, std::span<const float> rows,
                                       const WorkloadPredictor& predictor, const WalkSettings& settings = {});

/// The reference for search_index(): scores every node.
[[nodiscard]] std::vector<Ranked> search_exhaustively(const ConfigurationIndex& index,
                                                      std::span<const float> rows,
                                                      const WorkloadPredictor& predictor, std::size_t k,
                                                      int threads);

/// The configurations to measure, the best first. The baseline, if there is one, is always included, at its
/// own place or last.
[[nodiscard]] std::vector<Configuration> candidates(const ConfigurationIndex& index,
                                                    std::span<const Ranked> best,
                                                    const std::optional<Configuration>& baseline);

} // namespace sparsight
