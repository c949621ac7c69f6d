#include "learn/embedded_pool.h"

#include "base/stopwatch.h"
#include "search/exhaustive.h"

#include <algorithm>
#include <utility>

namespace sparsight {

EmbeddedPool::EmbeddedPool(ScheduleIndex index, PredictorHead head, const PoolEmbedding& embedding)
    : embedding_(embedding)
    , index_(std::move(index))
    , head_(std::move(head))
    , rows_(head_.project(index_.embeddings, embedding.threads)) {}

Result<EmbeddedPool> EmbeddedPool::make(const CostModel& model, const Checkpoint& checkpoint,
                                        const std::string& name, std::span<const SuperSchedule> pool,
                                        const PoolEmbedding& embedding, const std::stop_token& stop,
                                        const ProgressSink& progress) {
    const auto embeddings = model.embed_schedules(pool);
    if (!embeddings)
        return std::unexpected(embeddings.error());
    GraphSettings graph;
    graph.seed = embedding.seed;
    auto index = embedding.is_walked ? build_schedule_index(name, pool, *embeddings, graph, stop, progress)
                                     : gather_schedules(name, pool, *embeddings);
    if (!index)
        return std::unexpected(std::move(index).error());
    auto head = PredictorHead::of(checkpoint);
    if (!head)
        return std::unexpected(std::move(head).error());
    return EmbeddedPool(*std::move(index), *std::move(head), embedding);
}

Result<PoolFindings> EmbeddedPool::search(const PatternScorer& scorer, const PoolSearch& settings) const {
    const Stopwatch stopwatch;
    const auto predictor = head_.for_matrix(scorer.embedding());
    if (!predictor)
        return std::unexpected(predictor.error());
    PoolFindings found;
    if (embedding_.is_walked) {
        const int wanted = static_cast<int>(settings.k);
        IndexSearch walked = search_index(index_, rows_, *predictor,
                                          {wanted, std::max(settings.width, wanted), settings.is_mapped});
        found.search_ms = stopwatch.milliseconds();
        const Stopwatch exhaustive;
        const auto exact = search_exhaustively(index_, rows_, *predictor, settings.k, embedding_.threads);
        found.exhaustive_ms = exhaustive.milliseconds();
        found.recall = recall(walked.best, exact);
        found.recall_at = static_cast<std::int64_t>(exact.size()); // fewer where the pool is small
        found.best = std::move(walked.best);
        found.scored = walked.walk.scored;
        if (settings.is_mapped)
            found.walk = std::move(walked.walk);
    } else {
        found.best = search_exhaustively(index_, rows_, *predictor, settings.k, embedding_.threads);
        found.scored = static_cast<std::int64_t>(index_.schedules.size());
        found.search_ms = stopwatch.milliseconds();
    }
    if (settings.is_mapped)
        found.node_scores = score_all(*predictor, rows_, embedding_.threads);
    return found;
}

} // namespace sparsight
