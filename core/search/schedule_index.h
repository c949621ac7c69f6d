// Collected schedules that a model has embedded, linked into a graph: searched for one matrix after another.
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "domains/sparse/schedule/super_schedule.h"
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

// An index in a file, so that linking its schedules, which takes longest, is done once.
//
//   bytes  0 …  7   "SPSINDEX"
//   bytes  8 … 11   version of this format, 1
//   bytes 12 … 15   CRC-32 of everything behind it
//   the rest        the model's name, the schedules as lines of WACO's text form, the nodes, their embeddings
//                   (float32), the layers of the graph; each list with its length before it
//
// All numbers are little-endian.

/// The file is there as a whole or not at all.
[[nodiscard]] Result<void> write_schedule_index(const std::filesystem::path& path,
                                                const ScheduleIndex& index);

/// Exactly what was written. Foreign, damaged and truncated files and other versions are errors of
/// Fault::Input with the reason; so is an index that contradicts itself.
[[nodiscard]] Result<ScheduleIndex> read_schedule_index(const std::filesystem::path& path);

} // namespace sparsight
