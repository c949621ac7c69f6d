// A pool of configurations with a model's embeddings, made once for many workloads. A search scores all of
// the pool, or walks a graph over it.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "model/cost_model.h"
#include "model/networks/encoder.h"
#include "search/configuration_index.h"
#include "search/predictor_head.h"
#include "study/configuration.h"
#include "study/configuration_space.h"
#include "study/workload.h"
#include "workflow/learning/search/workload_choice.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct PoolEmbedding {
    bool is_walked = false; ///< a graph is built, which takes a while
    std::uint64_t seed = 1; ///< seed of the graph
    int threads = 1;        ///< threads that compute
};

struct PoolSearch {
    std::size_t k = 20;
    int width = 200;
    bool is_mapped = false; ///< the search map needs the scores of all nodes and the trace of the walk
};

/// The result of one search in a pool for one workload; milliseconds are those of this search.
struct PoolFindings {
    std::vector<Ranked> best; ///< places in EmbeddedPool::configurations()
    std::int64_t scored = 0;
    double search_ms = 0;
    // After a walk:
    std::optional<double> recall; ///< share of the best `recall_at` of all that were found
    std::optional<std::int64_t> recall_at;
    std::optional<double> exhaustive_ms;
    // For the search map, if requested:
    std::vector<float> node_scores;
    std::optional<Walk> walk;
};

class EmbeddedPool {
public:
    /// `model` computes the embeddings; `checkpoint` and `name` belong to it.
    [[nodiscard]] static Result<EmbeddedPool> make(const CostModel& model, const Checkpoint& checkpoint,
                                                   const std::string& name,
                                                   std::span<const Configuration> pool,
                                                   const PoolEmbedding& embedding,
                                                   const std::stop_token& stop, const ProgressSink& progress);

    [[nodiscard]] const std::vector<Configuration>& configurations() const { return index_.configurations; }
    /// Configurations with the same embedding share a node.
    [[nodiscard]] const ConfigurationIndex& index() const { return index_; }

    /// `scorer` belongs to the model, and has encoded the workload.
    [[nodiscard]] Result<PoolFindings> search(const WorkloadScorer& scorer, const PoolSearch& settings) const;

private:
    EmbeddedPool(ConfigurationIndex index, PredictorHead head, const PoolEmbedding& embedding);

    PoolEmbedding embedding_;
    ConfigurationIndex index_;
    PredictorHead head_;
    FloatBuffer rows_; ///< for the nodes of the index, as head_ reads them
};

// Lets a model choose configurations for one workload after another, by one of several methods.

/// A workload as a search needs it.
struct SearchedData {
    std::shared_ptr<const Payload> payload;
    const ConfigurationSpace& space;
    const MachineDescription* machine = nullptr; ///< absent where no description is known
    std::span<const Configuration> recorded{};   ///< for ChoiceMethod::Recorded
};

class ModelSearch {
public:
    /// Prepares a search. Building a graph takes a while. `pool` has no duplicates; ChoiceMethod::Recorded
    /// does not use it. Boosted trees have no embeddings, so the whole pool is scored.
    [[nodiscard]] static Result<ModelSearch> prepare(const Checkpoint& checkpoint, const ModelDomain& domain,
                                                     const std::string& name, std::vector<Configuration> pool,
                                                     const ChoiceSettings& settings,
                                                     const std::stop_token& stop,
                                                     const ProgressSink& progress);

    [[nodiscard]] const ChoiceSettings& settings() const { return settings_; }

    [[nodiscard]] Result<WorkloadChoice> choose(const SearchedData& workload, const std::stop_token& stop,
                                                const ProgressSink& progress) const;

private:
    /// Data for the search map, in addition to the choices.
    struct Searched {
        std::vector<float> scores; ///< scores of all rows
        std::optional<Walk> walk;
    };

    ModelSearch() = default;
    [[nodiscard]] Result<void> lay_out();
    /// `designs` are simulated together with the shortlist.
    [[nodiscard]] Result<Searched> search_pool(const ConfigurationSpace& space, const WorkloadScorer& scorer,
                                               std::span<const Configuration> designs, WorkloadChoice& choice,
                                               const std::stop_token& stop,
                                               const ProgressSink& progress) const;
    [[nodiscard]] Result<Searched>
    score_all_of(const ConfigurationSpace& space, std::span<const Configuration> configurations,
                 const WorkloadScorer& scorer, std::span<const Configuration> designs, WorkloadChoice& choice,
                 const std::stop_token& stop, const ProgressSink& progress) const;
    [[nodiscard]] Result<Searched> search_beyond(const ConfigurationSpace& space,
                                                 const WorkloadScorer& scorer,
                                                 std::span<const Configuration> designs,
                                                 WorkloadChoice& choice, const std::stop_token& stop,
                                                 const ProgressSink& progress) const;
    /// Empty where nothing is simulated, or where only recorded configurations are searched.
    [[nodiscard]] std::vector<Configuration> designs(const ConfigurationSpace& space) const;
    [[nodiscard]] bool is_blended() const { return model_->description().blend.has_value(); }
    [[nodiscard]] bool is_pool_searched() const {
        return settings_.method == ChoiceMethod::Index || settings_.method == ChoiceMethod::Exhaustive;
    }
    [[nodiscard]] std::size_t shortlist() const {
        return static_cast<std::size_t>(is_blended() ? std::max(settings_.shortlist, settings_.k)
                                                     : settings_.k);
    }
    [[nodiscard]] Result<void> add_map(const Searched& searched, const WorkloadScorer& scorer,
                                       std::span<const Configuration> recorded, WorkloadChoice& choice) const;

    ChoiceSettings settings_;
    std::unique_ptr<CostModel> model_;
    std::vector<Configuration> pool_;
    std::optional<EmbeddedPool> embedded_; ///< where the pool is searched, and the model has embeddings
    std::optional<SearchPlane> plane_;     ///< for the search map, if requested
};

} // namespace sparsight
