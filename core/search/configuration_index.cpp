#include "search/configuration_index.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sparsight {
namespace {

/// Places of the configurations that none before them is equal to.
std::vector<std::size_t> first_of_each(std::span<const Configuration> configurations) {
    std::unordered_set<Configuration> seen;
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < configurations.size(); ++at)
        if (seen.insert(configurations[at]).second)
            places.push_back(at);
    return places;
}

/// The node of each row: rows of equal bytes share one; nodes are numbered as they first appear.
std::vector<std::uint32_t> nodes_of_rows(std::span<const float> rows, std::size_t width) {
    std::unordered_map<std::string_view, std::uint32_t> nodes;
    std::vector<std::uint32_t> of_rows;
    for (std::size_t at = 0; at + width <= rows.size(); at += width) {
        const std::string_view bytes(reinterpret_cast<const char*>(rows.data() + at), width * sizeof(float));
        of_rows.push_back(nodes.try_emplace(bytes, static_cast<std::uint32_t>(nodes.size())).first->second);
    }
    return of_rows;
}

ConfigurationNodes nodes_from(std::span<const std::uint32_t> nodes_of_configurations) {
    ConfigurationNodes nodes;
    const std::size_t count =
        nodes_of_configurations.empty() ? 0 : std::size_t{1} + std::ranges::max(nodes_of_configurations);
    nodes.starts.assign(count + 1, 0);
    for (const std::uint32_t node : nodes_of_configurations)
        ++nodes.starts[node + 1];
    for (std::size_t node = 0; node < count; ++node)
        nodes.starts[node + 1] += nodes.starts[node];
    nodes.configurations.resize(nodes_of_configurations.size());
    std::vector<std::uint32_t> next(nodes.starts.begin(), nodes.starts.end());
    for (std::uint32_t at = 0; at < nodes_of_configurations.size(); ++at)
        nodes.configurations[next[nodes_of_configurations[at]]++] = at;
    return nodes;
}

/// The first k configurations of nodes that are sorted by score.
std::vector<Ranked> first_configurations_of(const ConfigurationIndex& index, std::span<const Ranked> nodes,
                                            std::size_t k) {
    BestRanked best(k);
    for (const Ranked& node : nodes)
        for (const std::uint32_t configuration : index.nodes.of(node.candidate))
            (void)best.offer({configuration, node.score});
    return best.take();
}

} // namespace

Result<ConfigurationIndex> gather_configurations(std::string model,
                                                 std::span<const Configuration> configurations,
                                                 std::span<const float> embeddings) {
    if (configurations.size() > std::numeric_limits<std::uint32_t>::max() / 2)
        return fail(Fault::Limit,
                    fmt::format("{} configurations are too many for an index", configurations.size()));
    ConfigurationIndex index;
    index.model = std::move(model);
    if (configurations.empty())
        return index;
    if (embeddings.empty() || embeddings.size() % configurations.size() != 0)
        return fail(Fault::Internal, fmt::format("{} configurations have {} numbers of embeddings",
                                                 configurations.size(), embeddings.size()));
    index.width = embeddings.size() / configurations.size();
    FloatBuffer rows;
    for (const std::size_t at : first_of_each(configurations)) {
        index.configurations.push_back(configurations[at]);
        const std::span<const float> row = embeddings.subspan(at * index.width, index.width);
        rows.insert(rows.end(), row.begin(), row.end());
    }
    index.nodes = nodes_from(nodes_of_rows(rows, index.width));
    index.embeddings.resize(index.nodes.count() * index.width);
    for (std::uint32_t node = 0; node < index.nodes.count(); ++node)
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(index.nodes.of(node).front() * index.width),
                    index.width, index.embeddings.begin() + static_cast<std::ptrdiff_t>(node * index.width));
    return index;
}

Result<ConfigurationIndex> build_configuration_index(std::string model,
                                                     std::span<const Configuration> configurations,
                                                     std::span<const float> embeddings,
                                                     const GraphSettings& settings, std::stop_token stop,
                                                     const ProgressSink& progress) {
    auto gathered = gather_configurations(std::move(model), configurations, embeddings);
    if (!gathered)
        return gathered;
    ConfigurationIndex index = *std::move(gathered);
    if (index.configurations.empty())
        return index;
    Result<ProximityGraph> graph =
        build_proximity_graph(index.embeddings, index.width, settings, std::move(stop), progress);
    if (!graph)
        return std::unexpected(graph.error());
    index.graph = *std::move(graph);
    return index;
}

IndexSearch search_index(const ConfigurationIndex& index, std::span<const float> rows,
                         const WorkloadPredictor& predictor, const WalkSettings& settings) {
    IndexSearch search;
    search.walk = walk_graph(
        index.graph,
        [&](std::span<const std::uint32_t> nodes, std::span<float> scores) {
            predictor.score(rows, nodes, scores);
        },
        settings);
    search.best =
        first_configurations_of(index, search.walk.best, static_cast<std::size_t>(std::max(settings.k, 0)));
    return search;
}

std::vector<Ranked> search_exhaustively(const ConfigurationIndex& index, std::span<const float> rows,
                                        const WorkloadPredictor& predictor, std::size_t k, int threads) {
    return first_configurations_of(index, best_of(score_all(predictor, rows, threads), k), k);
}

std::vector<Configuration> candidates(const ConfigurationIndex& index, std::span<const Ranked> best,
                                      const std::optional<Configuration>& baseline) {
    std::vector<Configuration> found;
    found.reserve(best.size() + 1);
    for (const Ranked& ranked : best)
        found.push_back(index.configurations[ranked.candidate]);
    if (baseline && std::ranges::find(found, *baseline) == found.end())
        found.push_back(*baseline);
    return found;
}

} // namespace sparsight
