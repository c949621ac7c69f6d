// A pool of configurations as a model has embedded it, made once for many workloads: all of it is scored for
// a workload, or a graph over it walked.
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
    bool is_walked = false; ///< it gets a graph, which takes a while
    std::uint64_t seed = 1; ///< of the graph
    int threads = 1;        ///< that compute
};

struct PoolSearch {
    std::size_t k = 20;
    int width = 200;
    bool is_mapped = false; ///< the scores of all nodes and the trace of the walk are wanted
};

/// What was found in a pool for one workload; milliseconds are those of this one search.
struct PoolFindings {
    std::vector<Ranked> best; ///< places in EmbeddedPool::configurations()
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
    /// `model` embeds configurations; `checkpoint` is its own, `name` its name.
    [[nodiscard]] static Result<EmbeddedPool> make(const CostModel& model, const Checkpoint& checkpoint,
                                                   const std::string& name,
                                                   std::span<const Configuration> pool,
                                                   const PoolEmbedding& embedding,
                                                   const std::stop_token& stop, const ProgressSink& progress);

    [[nodiscard]] const std::vector<Configuration>& configurations() const { return index_.configurations; }
    /// Configurations of one embedding share a node.
    [[nodiscard]] const ConfigurationIndex& index() const { return index_; }

    /// `scorer` is the model's, and has looked at the workload.
    [[nodiscard]] Result<PoolFindings> search(const WorkloadScorer& scorer, const PoolSearch& settings) const;

private:
    EmbeddedPool(ConfigurationIndex index, PredictorHead head, const PoolEmbedding& embedding);

    PoolEmbedding embedding_;
    ConfigurationIndex index_;
    PredictorHead head_;
    FloatBuffer rows_; ///< of the index's nodes, as head_ reads them
};

// Letting a model choose configurations, workload after workload, by one of several methods.

/// A workload as a search looks at it.
struct SearchedData {
    std::shared_ptr<const Payload> payload;
    const ConfigurationSpace& space;
    const MachineDescription* machine = nullptr; ///< absent where nothing is known of it
    std::span<const Configuration> recorded{};   ///< of ChoiceMethod::Recorded
};

class ModelSearch {
public:
    /// A graph takes a while. With ChoiceMethod::Recorded `pool`, in which each configuration is once, is not
    /// looked at. A model without embeddings (trees) scores the whole pool in the place of a walk.
    [[nodiscard]] static Result<ModelSearch> prepare(const Checkpoint& checkpoint, const ModelDomain& domain,
                                                     const std::string& name, std::vector<Configuration> pool,
                                                     const ChoiceSettings& settings,
                                                     const std::stop_token& stop,
                                                     const ProgressSink& progress);

    [[nodiscard]] const ChoiceSettings& settings() const { return settings_; }

    [[nodiscard]] Result<WorkloadChoice> choose(const SearchedData& workload, const std::stop_token& stop,
                                                const ProgressSink& progress) const;

private:
    /// What a map is made of, besides what was chosen.
    struct Searched {
        std::vector<float> scores; ///< of all rows
        std::optional<Walk> walk;
    };

    ModelSearch() = default;
    [[nodiscard]] Result<void> lay_out();
    /// `designs` are simulated beside the shortlist.
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
    /// None where nothing is simulated, or where only what was recorded is looked at.
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
    std::optional<EmbeddedPool>
        embedded_;                     ///< where the pool is searched, and the model embeds configurations
    std::optional<SearchPlane> plane_; ///< of the pool, where it is wanted
};

} // namespace sparsight
