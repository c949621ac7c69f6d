// The configurations that a model chooses for one workload, and how it found them.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "model/checkpoints/checkpoint.h"
#include "model/cost_model.h"
#include "search/configuration_index.h"
#include "search/configuration_search.h"
#include "search/graph_walk.h"
#include "search/plane_projection.h"
#include "search/portfolio.h"
#include "study/configuration.h"
#include "study/configuration_space.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

// The scores of the two parts of a model that is blended with the simulator (model/checkpoints/checkpoint.h):
// they show which part explains a rank.

struct ScorePart {
    float network = 0; ///< the network's score, before weighting
    /// On the calibrated machine; absent for a configuration that could not run.
    std::optional<double> simulated_ms;
};

/// One part for each configuration; empty for a model that is not blended. `scorer` has encoded the workload.
/// Errors: those of WorkloadScorer::score_embeddings() and simulate().
[[nodiscard]] Result<std::vector<ScorePart>> score_parts(const CostModel& model, const WorkloadScorer& scorer,
                                                         std::span<const Configuration> configurations);

/// The configurations without their scores.
[[nodiscard]] std::vector<Configuration> configurations_of(std::span<const ScoredConfiguration> scored);

// The plane on which the embeddings of a search vary most, and the places of the configurations on it.

struct SearchPlane {
    std::vector<Configuration> configurations; ///< one configuration for each embedding
    PlaneProjection projection;
    std::vector<PlanePoint> places; ///< places of the configurations
};

/// `model` computes the embeddings.
[[nodiscard]] Result<SearchPlane> plane_of(const CostModel& model, std::vector<Configuration> configurations);

/// The plane of the index's nodes, in their order.
[[nodiscard]] SearchPlane plane_of(const ConfigurationIndex& index);

// A map of a search: configurations on a plane, where near ones are similar to the model, and the path of a
// walk.

/// Number of configurations on a map in addition to the chosen and expanded ones.
inline constexpr std::size_t most_sampled_on_a_map = 2000;

struct SearchMap {
    struct Node {
        Configuration configuration; ///< one of those with this embedding
        PlanePoint place;
        float score = 0;  ///< the score that directs the walk; in a blended model, the network's
        bool seen = true; ///< scored by the search; a walk skips most configurations
        std::optional<double> simulated_ms = {}; ///< in a blended model, unless it could not run
    };
    /// A node whose neighbours the walk scored, in order; numbers are places in `nodes`.
    struct Step {
        std::uint32_t node = 0;
        std::uint32_t from = 0; ///< the node before; the entry names itself
        int layer = 0;
    };

    /// Chosen configurations in order, then expanded ones, then a sample of the others.
    std::vector<Node> nodes;
    std::vector<Step> walk;            ///< empty without a walk
    std::size_t rows = 0;              ///< number of distinct embeddings
    std::size_t sampled = 0;           ///< how many of the nodes are in the sample
    std::array<double, 2> explained{}; ///< shares of the variance along x and y
};

/// All configurations that could have been chosen, one row for each embedding.
struct MapRows {
    std::span<const Configuration> configurations; ///< one configuration for each row
    std::span<const PlanePoint> places;
    std::span<const float> scores;
};

/// `walk` over the rows may be nullptr: then all rows were scored. The sample is spread evenly over the rows.
[[nodiscard]] SearchMap make_search_map(const MapRows& rows, std::span<const ScoredConfiguration> chosen,
                                        std::span<const PlanePoint> places_of_chosen, const Walk* walk);

// How a model chooses configurations for a workload, and what it has chosen.

enum class ChoiceMethod {
    Index,      ///< a walk through a graph over the pool
    Exhaustive, ///< scores every configuration of the pool
    Recorded,   ///< scores every recorded configuration of the workload
    Evolution,  ///< searches the whole space, from the best of the pool
    Annealing,  ///< likewise
};

/// "index", "exhaustive", "recorded", "evolution", "annealing".
[[nodiscard]] std::string_view name(ChoiceMethod method);
[[nodiscard]] std::optional<ChoiceMethod> parse_choice_method(std::string_view text);

struct ChoiceSettings {
    ChoiceMethod method = ChoiceMethod::Index;
    int k = 20;
    int width = 200; ///< width of the walk: ef in the paper
    /// Configurations that evolution and annealing score. Up to half of them are the pool and the designs
    /// that they start from.
    std::int64_t budget = 5000;
    std::uint64_t seed = 1;
    int threads = 1;              ///< threads that compute
    std::string device = "cpu";   ///< device for embeddings (model/tensors/torch_runtime.h)
    int run_threads = 1;          ///< threads that run the configurations: a condition of their runs
    bool mapped = false;          ///< the search map is requested, too
    bool instead_of_walk = false; ///< exhaustive because it is faster than a walk; reported with each choice
    /// For a blended model: this many of the network's best are simulated, in addition to
    /// ConfigurationSpace::designs(), which may be unlike all measured workloads' configurations. The k are
    /// among them.
    int shortlist = 3000;
    /// What the domain calls configurations, for messages.
    std::string configurations = "configurations";
};

struct WorkloadChoice {
    ChoiceMethod method = ChoiceMethod::Index;
    bool instead_of_walk = false; ///< all were scored, as this is faster than a walk (search/graph_walk.h)
    std::int64_t pool = 0;        ///< configurations to choose from, before new ones were made
    std::int64_t scored = 0;
    double embedding_ms = 0;
    double search_ms = 0;
    // In a blended model:
    /// Simulated configurations; beyond the pool only those of that search.
    std::optional<std::int64_t> simulated;
    /// How many of these are designs that were not among the best of the pool, so the network did not score
    /// them.
    std::optional<std::int64_t> designs;
    std::optional<double> simulating_ms;
    std::optional<SimulatorBlend> blend; ///< weights of network and simulator
    std::vector<ScorePart> parts;        ///< parts of the candidates' scores; empty where nothing is blended
    // For a walk, compared with scoring the whole pool:
    /// Share of the best `recall_at` that the walk found, by the score that directs it.
    std::optional<double> recall;
    std::optional<std::int64_t> recall_at; ///< k; in a blended model, the length of the shortlist
    std::optional<double> exhaustive_ms;   ///< time of scoring the whole pool
    /// If requested, and if the model has embeddings.
    std::optional<SearchMap> map;
    /// The k best configurations. The baseline, if there is one, is always included, at its own place or
    /// last.
    std::vector<ScoredConfiguration> candidates;
    int threads = 1; ///< ChoiceSettings::run_threads
    /// For a portfolio: the rank of each candidate by its score among the simulated ones, from 1.
    std::vector<std::int64_t> places;
    /// As long as `places`: why each candidate was chosen; the second score is the simulator's.
    std::vector<ChosenBy> reasons;
};

// Choosing by a score that is blended with the simulator (model/checkpoints/checkpoint.h): configurations are
// simulated, and a portfolio is chosen, partly by the simulator alone.

/// For one workload. The model is blended; the scorer belongs to it and has encoded the workload. Keeps
/// references to its arguments.
class BlendedChoice {
public:
    BlendedChoice(const CostModel& model, const WorkloadScorer& scorer, const ConfigurationSpace& space,
                  const ChoiceSettings& settings)
        : model_(model)
        , space_(space)
        , scorer_(scorer)
        , settings_(settings) {}

    /// Chooses a portfolio by the whole scores as the candidates. Stopped: Fault::Cancelled.
    [[nodiscard]] Result<void> choose(std::span<const Configuration> configurations, WorkloadChoice& choice,
                                      const std::stop_token& stop, const ProgressSink& progress) const;

    /// The same from scores that are known.
    [[nodiscard]] Result<void> keep_portfolio(std::span<const Configuration> configurations,
                                              std::span<const float> scores, WorkloadChoice& choice) const;

private:
    /// The simulator's part of each score; empty where one of the two parts is the whole score.
    [[nodiscard]] Result<std::vector<float>> of_simulator(std::span<const Configuration> configurations,
                                                          std::span<const float> scores) const;

    const CostModel& model_;
    const ConfigurationSpace& space_;
    const WorkloadScorer& scorer_;
    const ChoiceSettings& settings_;
};

/// Adds the parts of the scores of all candidates, and of all configurations on the map.
[[nodiscard]] Result<void> add_score_parts(const CostModel& model, const WorkloadScorer& scorer,
                                           WorkloadChoice& choice);

} // namespace sparsight
