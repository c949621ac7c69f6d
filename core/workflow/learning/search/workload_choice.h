// What a model chooses for one workload, and how that came about.
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

// What each part of a model that is blended with the simulator (model/checkpoints/checkpoint.h) says by
// itself: which of the two a rank is owed to.

struct ScorePart {
    float network = 0; ///< of its score, before its share is taken of it
    /// On the calibrated machine; absent for what would be refused there, so that it would never run.
    std::optional<double> simulated_ms;
};

/// One for each configuration; none for a model that is not blended. `scorer` has looked at the workload.
/// Errors: those of WorkloadScorer::score_embeddings() and simulate().
[[nodiscard]] Result<std::vector<ScorePart>> score_parts(const CostModel& model, const WorkloadScorer& scorer,
                                                         std::span<const Configuration> configurations);

/// Without their scores.
[[nodiscard]] std::vector<Configuration> configurations_of(std::span<const ScoredConfiguration> scored);

// The plane along which the embeddings of the configurations of a search vary most, and where they lie on it.

struct SearchPlane {
    std::vector<Configuration> configurations; ///< one for each embedding
    PlaneProjection projection;
    std::vector<PlanePoint> places; ///< of the configurations
};

/// `model` embeds configurations.
[[nodiscard]] Result<SearchPlane> plane_of(const CostModel& model, std::vector<Configuration> configurations);

/// Of its nodes, in their order.
[[nodiscard]] SearchPlane plane_of(const ConfigurationIndex& index);

// Where the configurations of a search lie on a plane, near ones alike to the model, and the way that a walk
// took among them.

/// Besides what was chosen and what the walk expanded.
inline constexpr std::size_t most_sampled_on_a_map = 2000;

struct SearchMap {
    struct Node {
        Configuration configuration; ///< of several with the same embedding one
        PlanePoint place;
        float score = 0;  ///< by which was walked: of a blended model the network's
        bool seen = true; ///< the search has scored it; of a walk, which leaves most out
        std::optional<double> simulated_ms = {}; ///< of a blended model, where it would run
    };
    /// A node whose neighbours the walk looked at, in this order; numbers are places in `nodes`.
    struct Step {
        std::uint32_t node = 0;
        std::uint32_t from = 0; ///< itself: where the walk began
        int layer = 0;
    };

    std::vector<Node>
        nodes;              ///< what was chosen, in its order; what the walk expanded; a sample of the others
    std::vector<Step> walk; ///< none where nothing was walked
    std::size_t rows = 0;   ///< different embeddings there are
    std::size_t sampled = 0;           ///< so many of the nodes are there as the sample
    std::array<double, 2> explained{}; ///< the shares of the variance along x and y
};

/// Everything that could have been chosen, a row for each embedding.
struct MapRows {
    std::span<const Configuration> configurations; ///< of each row, one that it stands for
    std::span<const PlanePoint> places;
    std::span<const float> scores;
};

/// `walk` over the rows may be nullptr: then all rows were scored. The sample is spread evenly over the rows.
[[nodiscard]] SearchMap make_search_map(const MapRows& rows, std::span<const ScoredConfiguration> chosen,
                                        std::span<const PlanePoint> places_of_chosen, const Walk* walk);

// How a model is to choose configurations for a workload, and what it has chosen.

enum class ChoiceMethod {
    Index,      ///< a walk through a graph over the pool
    Exhaustive, ///< every configuration of the pool is scored
    Recorded,   ///< … of what was recorded of the workload
    Evolution,  ///< over the whole space, from the best of the pool
    Annealing,  ///< the same
};

/// "index", "exhaustive", "recorded", "evolution", "annealing".
[[nodiscard]] std::string_view name(ChoiceMethod method);
[[nodiscard]] std::optional<ChoiceMethod> parse_choice_method(std::string_view text);

struct ChoiceSettings {
    ChoiceMethod method = ChoiceMethod::Index;
    int k = 20;
    int width = 200; ///< of the walk: ef of the paper
    /// Configurations that evolution and annealing score, with what they score of the pool and of the designs
    /// to begin with, which is no more than half of it.
    std::int64_t budget = 5000;
    std::uint64_t seed = 1;
    int threads = 1;              ///< that compute
    std::string device = "cpu";   ///< that embeds (model/tensors/torch_runtime.h)
    int run_threads = 1;          ///< with which configurations will run: a condition of their runs
    bool mapped = false;          ///< the plane and the walk on it are wanted, too
    bool instead_of_walk = false; ///< exhaustive because that is sooner; is told with each choice
    /// Of a model that is blended with the simulator: so many of the network's best are simulated, and the
    /// ConfigurationSpace::designs(), which no measured workload need have led to; the k are among them.
    int shortlist = 3000;
    /// In the words of the domain, such as "configurations", for what is told.
    std::string configurations = "configurations";
};

struct WorkloadChoice {
    ChoiceMethod method = ChoiceMethod::Index;
    bool instead_of_walk = false; ///< all were scored, as that is sooner than a walk (search/graph_walk.h)
    std::int64_t pool = 0;        ///< configurations that there were to choose from, before any were made
    std::int64_t scored = 0;
    double embedding_ms = 0;
    double search_ms = 0;
    // Where the simulator has a share in the scores:
    std::optional<std::int64_t> simulated; ///< configurations; of a search beyond the pool those of it alone
    /// Of those the designs that were not among the best of the pool: the network was not asked for them.
    std::optional<std::int64_t> designs;
    std::optional<double> simulating_ms;
    std::optional<SimulatorBlend> blend; ///< their shares in the scores
    std::vector<ScorePart> parts;        ///< of the candidates; none where nothing is blended
    // Of a walk, against scoring the whole pool:
    std::optional<double> recall;          ///< of the best `recall_at` by the score that it walks by
    std::optional<std::int64_t> recall_at; ///< k; of a blended model the shortlist, by the network
    std::optional<double> exhaustive_ms;   ///< that takes so long
    /// Where it was asked for, and the model embeds configurations.
    std::optional<SearchMap> map;
    /// The k best, and the baseline, where there is one, behind them where it is none of them.
    std::vector<ScoredConfiguration> candidates;
    int threads = 1; ///< ChoiceSettings::run_threads
    /// Of a portfolio, of each candidate: 1 and how many of the simulated have better scores.
    std::vector<std::int64_t> places;
    /// As long as `places`: why those are chosen; the second score is the simulator's.
    std::vector<ChosenBy> reasons;
};

// Choosing by a score that the simulator has a share in (model/checkpoints/checkpoint.h): configurations are
// simulated, and a portfolio of them is kept, a part of it by what the simulator says alone.

/// For one workload; the model is blended, the scorer its own, and has looked at the workload. Refers to all
/// that it is made of.
class BlendedChoice {
public:
    BlendedChoice(const CostModel& model, const WorkloadScorer& scorer, const ConfigurationSpace& space,
                  const ChoiceSettings& settings)
        : model_(model)
        , space_(space)
        , scorer_(scorer)
        , settings_(settings) {}

    /// A portfolio by their whole scores becomes the candidates. Stopped: Fault::Cancelled.
    [[nodiscard]] Result<void> choose(std::span<const Configuration> configurations, WorkloadChoice& choice,
                                      const std::stop_token& stop, const ProgressSink& progress) const;

    /// The same of what was scored before.
    [[nodiscard]] Result<void> keep_portfolio(std::span<const Configuration> configurations,
                                              std::span<const float> scores, WorkloadChoice& choice) const;

private:
    /// The simulator's share in the scores; empty where one of the two is all of them.
    [[nodiscard]] Result<std::vector<float>> of_simulator(std::span<const Configuration> configurations,
                                                          std::span<const float> scores) const;

    const CostModel& model_;
    const ConfigurationSpace& space_;
    const WorkloadScorer& scorer_;
    const ChoiceSettings& settings_;
};

/// What network and simulator say of the candidates, and of all that the map shows.
[[nodiscard]] Result<void> add_score_parts(const CostModel& model, const WorkloadScorer& scorer,
                                           WorkloadChoice& choice);

} // namespace sparsight
