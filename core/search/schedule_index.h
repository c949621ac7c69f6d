// Collected schedules that a model has embedded, linked into a graph: searched for one matrix after another.
#pragma once

#include "base/aligned_buffer.h"
#include "base/error.h"
#include "base/progress.h"
#include "schedule/super_schedule.h"
#include "search/graph_walk.h"
#include "search/predictor_head.h"
#include "search/proximity_graph.h"

#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// Schedules with the same embedding have the same score for every matrix (WACO's tables have one category
/// for all large splits). They share a node: links among equals lead nowhere, and would crowd out the others.
struct ScheduleNodes {
    std::vector<std::uint32_t> starts;    ///< [nodes + 1], into schedules
    std::vector<std::uint32_t> schedules; ///< of each node, ascending

    [[nodiscard]] std::size_t count() const { return starts.empty() ? 0 : starts.size() - 1; }
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const {
        return std::span(schedules).subspan(starts[node], starts[node + 1] - starts[node]);
    }
    bool operator==(const ScheduleNodes&) const = default;
};

struct ScheduleIndex {
    std::string model;                    ///< whose embeddings they are: a name, for whoever keeps it
    std::vector<SuperSchedule> schedules; ///< canonical, each meaning once
    ScheduleNodes nodes;
    std::size_t width = 0;  ///< of an embedding
    FloatBuffer embeddings; ///< [nodes, width]
    ProximityGraph graph;   ///< over the nodes

    bool operator==(const ScheduleIndex&) const = default;
};

/// Without a graph: to be scored as a whole. Schedules and embeddings as below.
[[nodiscard]] Result<ScheduleIndex> gather_schedules(std::string model,
                                                     std::span<const SuperSchedule> schedules,
                                                     std::span<const float> embeddings);

/// Valid schedules of one operator, each kept once, with CostModel::embed_schedules() of them ([n, width]).
/// Stopped: Fault::Cancelled.
[[nodiscard]] Result<ScheduleIndex>
build_schedule_index(std::string model, std::span<const SuperSchedule> schedules,
                     std::span<const float> embeddings, const GraphSettings& settings = {},
                     std::stop_token stop = {}, const ProgressSink& progress = {});

/// What the walk found, as places in ScheduleIndex::schedules.
struct IndexSearch {
    std::vector<Ranked> best; ///< k schedules, in their order; fewer where there are no more
    Walk walk;                ///< over nodes
};

/// `rows` are PredictorHead::project() of the index's embeddings.
[[nodiscard]] IndexSearch search_index(const ScheduleIndex& index, std::span<const float> rows,
                                       const MatrixPredictor& predictor, const WalkSettings& settings = {});

/// The reference: every node is scored.
[[nodiscard]] std::vector<Ranked> search_exhaustively(const ScheduleIndex& index, std::span<const float> rows,
                                                      const MatrixPredictor& predictor, std::size_t k,
                                                      int threads);

/// What to measure of what was found, canonical and with as many threads as the machine has, in its order.
/// Fixed CSR is always among them: behind the others where it has not earned a better place.
[[nodiscard]] std::vector<SuperSchedule> candidates(const ScheduleIndex& index, std::span<const Ranked> best,
                                                    Operator op, int threads);

} // namespace sparsight
