// A pool of schedules as a model has embedded it, made once for many matrices: all of it is scored for a
// matrix, or a graph over it walked.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "model/cost_model.h"
#include "search/predictor_head.h"
#include "search/schedule_index.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct PoolEmbedding {
    bool is_walked = false; ///< it gets a graph, which takes a while
    std::uint64_t seed = 1; ///< of the graph
    int threads = 1;        ///< that compute
};

struct PoolSearch {
    std::size_t k = 20;
    int width = 200;
    bool is_mapped = false; ///< the scores of all nodes and the trace of the walk are wanted
};

/// What was found in a pool for one matrix; milliseconds are those of this one search.
struct PoolFindings {
    std::vector<Ranked> best; ///< places in EmbeddedPool::schedules()
    std::int64_t scored = 0;
    double search_ms = 0;
    // Of a walk:
    std::optional<double> recall; ///< of the best `recall_at` of all
    std::optional<std::int64_t> recall_at;
    std::optional<double> exhaustive_ms;
    // Where a map is wanted:
    std::vector<float> node_scores;
    std::optional<Walk> walk;
};

class EmbeddedPool {
public:
    /// `model` embeds schedules; `checkpoint` is its own, `name` its name.
    [[nodiscard]] static Result<EmbeddedPool> make(const CostModel& model, const Checkpoint& checkpoint,
                                                   const std::string& name,
                                                   std::span<const SuperSchedule> pool,
                                                   const PoolEmbedding& embedding,
                                                   const std::stop_token& stop, const ProgressSink& progress);

    [[nodiscard]] const std::vector<SuperSchedule>& schedules() const { return index_.schedules; }
    /// Schedules of one embedding share a node.
    [[nodiscard]] const ScheduleIndex& index() const { return index_; }

    /// `scorer` is the model's, and has looked at the matrix.
    [[nodiscard]] Result<PoolFindings> search(const PatternScorer& scorer, const PoolSearch& settings) const;

private:
    EmbeddedPool(ScheduleIndex index, PredictorHead head, const PoolEmbedding& embedding);

    PoolEmbedding embedding_;
    ScheduleIndex index_;
    PredictorHead head_;
    FloatBuffer rows_; ///< of the index's nodes, as head_ reads them
};

} // namespace sparsight
