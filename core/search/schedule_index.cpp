#include "search/schedule_index.h"

#include "schedule/hash.h"
#include "search/exhaustive.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sparsight {
namespace {

/// Places of the schedules that are the first to mean what they mean.
std::vector<std::size_t> first_of_each_meaning(std::span<const SuperSchedule> schedules) {
    std::unordered_set<SuperSchedule> seen;
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < schedules.size(); ++at)
        if (seen.insert(canonical(schedules[at])).second)
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

ScheduleNodes nodes_from(std::span<const std::uint32_t> nodes_of_schedules) {
    ScheduleNodes nodes;
    const std::size_t count =
        nodes_of_schedules.empty() ? 0 : std::size_t{1} + std::ranges::max(nodes_of_schedules);
    nodes.starts.assign(count + 1, 0);
    for (const std::uint32_t node : nodes_of_schedules)
        ++nodes.starts[node + 1];
    for (std::size_t node = 0; node < count; ++node)
        nodes.starts[node + 1] += nodes.starts[node];
    nodes.schedules.resize(nodes_of_schedules.size());
    std::vector<std::uint32_t> next(nodes.starts.begin(), nodes.starts.end());
    for (std::uint32_t schedule = 0; schedule < nodes_of_schedules.size(); ++schedule)
        nodes.schedules[next[nodes_of_schedules[schedule]]++] = schedule;
    return nodes;
}

/// The first k schedules of nodes that are sorted by score.
std::vector<Ranked> first_schedules(const ScheduleIndex& index, std::span<const Ranked> nodes,
                                    std::size_t k) {
    BestRanked best(k);
    for (const Ranked& node : nodes)
        for (const std::uint32_t schedule : index.nodes.of(node.candidate))
            (void)best.offer({schedule, node.score});
    return best.take();
}

} // namespace

Result<ScheduleIndex> gather_schedules(std::string model, std::span<const SuperSchedule> schedules,
                                       std::span<const float> embeddings) {
    if (schedules.size() > std::numeric_limits<std::uint32_t>::max() / 2)
        return fail(Fault::Limit, fmt::format("{} schedules are too many for an index", schedules.size()));
    ScheduleIndex index;
    index.model = std::move(model);
    if (schedules.empty())
        return index;
    if (embeddings.empty() || embeddings.size() % schedules.size() != 0)
        return fail(Fault::Internal, fmt::format("{} schedules have {} numbers of embeddings",
                                                 schedules.size(), embeddings.size()));
    index.width = embeddings.size() / schedules.size();
    FloatBuffer rows;
    for (const std::size_t at : first_of_each_meaning(schedules)) {
        index.schedules.push_back(canonical(schedules[at]));
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

Result<ScheduleIndex> build_schedule_index(std::string model, std::span<const SuperSchedule> schedules,
                                           std::span<const float> embeddings, const GraphSettings& settings,
                                           std::stop_token stop, const ProgressSink& progress) {
    auto gathered = gather_schedules(std::move(model), schedules, embeddings);
    if (!gathered)
        return gathered;
    ScheduleIndex index = *std::move(gathered);
    if (index.schedules.empty())
        return index;
    Result<ProximityGraph> graph =
        build_proximity_graph(index.embeddings, index.width, settings, std::move(stop), progress);
    if (!graph)
        return std::unexpected(graph.error());
    index.graph = *std::move(graph);
    return index;
}

IndexSearch search_index(const ScheduleIndex& index, std::span<const float> rows,
                         const MatrixPredictor& predictor, const WalkSettings& settings) {
    IndexSearch search;
    search.walk = walk_graph(
        index.graph,
        [&](std::span<const std::uint32_t> nodes, std::span<float> scores) {
            predictor.score(rows, nodes, scores);
        },
        settings);
    search.best = first_schedules(index, search.walk.best, static_cast<std::size_t>(std::max(settings.k, 0)));
    return search;
}

std::vector<Ranked> search_exhaustively(const ScheduleIndex& index, std::span<const float> rows,
                                        const MatrixPredictor& predictor, std::size_t k, int threads) {
    return first_schedules(index, best_of(score_all(predictor, rows, threads), k), k);
}

std::vector<SuperSchedule> candidates(const ScheduleIndex& index, std::span<const Ranked> best, Operator op,
                                      int threads) {
    std::vector<SuperSchedule> found;
    for (const Ranked& ranked : best) {
        SuperSchedule schedule = index.schedules[ranked.candidate];
        schedule.threads = threads;
        // Schedules that were collected with different numbers of threads may now be one.
        if (std::ranges::find(found, schedule) == found.end())
            found.push_back(schedule);
    }
    const SuperSchedule fixed = canonical(fixed_csr(op, threads));
    if (std::ranges::find(found, fixed) == found.end())
        found.push_back(fixed);
    return found;
}

} // namespace sparsight
