// Letting a model choose schedules, matrix after matrix, by one of several methods.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "learn/score_parts.h"
#include "learn/search_map.h"
#include "model/cost_model.h"
#include "search/portfolio.h"
#include "search/schedule_index.h"
#include "search/schedule_search.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class ChoiceMethod {
    Index,      ///< a walk through a graph over the pool
    Exhaustive, ///< every schedule of the pool is scored
    Recorded,   ///< … of what was recorded of the matrix
    Evolution,  ///< over the whole space, from the best of the pool
    Annealing,  ///< the same
};

/// "index", "exhaustive", "recorded", "evolution", "annealing".
[[nodiscard]] std::string_view name(ChoiceMethod method);
[[nodiscard]] std::optional<ChoiceMethod> parse_choice_method(std::string_view text);

struct ChoiceSettings {
    ChoiceMethod method = ChoiceMethod::Index;
    int k = 20;
    int width = 200;            ///< of the walk: ef of the paper
    std::int64_t budget = 5000; ///< schedules that evolution and annealing score
    std::uint64_t seed = 1;
    int threads = 1;            ///< that compute
    std::string device = "cpu"; ///< that embeds matrices and schedules (model/compute_device.h)
    int schedule_threads = 1;   ///< of every schedule
    bool mapped = false;        ///< the plane and the walk on it are wanted, too
    /// Of a model that is blended with the simulator: so many of the network's best are simulated, and the
    /// designs of schedule/designed.h, which no measured matrix need have led to; the k are among them.
    int shortlist = 3000;
};

struct MatrixChoice {
    ChoiceMethod method = ChoiceMethod::Index;
    std::int64_t pool = 0; ///< schedules that there were to choose from, before any were made
    std::int64_t scored = 0;
    double embedding_ms = 0;
    double search_ms = 0;
    // Where the simulator has a share in the scores:
    std::optional<std::int64_t> simulated; ///< schedules; of a search beyond the pool those of it alone
    std::optional<double> simulating_ms;
    std::optional<SimulatorBlend> blend; ///< their shares in the scores
    std::vector<ScorePart> parts;        ///< of the candidates; none where nothing is blended
    // Of a walk, against scoring the whole pool:
    std::optional<double> recall;          ///< of the best `recall_at` by the score that it walks by
    std::optional<std::int64_t> recall_at; ///< k; of a blended model the shortlist, by the network
    std::optional<double> exhaustive_ms;   ///< that takes so long
    /// Where it was asked for, and the model embeds schedules.
    std::optional<SearchMap> map;
    /// The k best, and fixed CSR behind them where it is none of them.
    std::vector<ScoredSchedule> candidates;
    /// Of a portfolio, of each candidate: 1 and how many of the simulated have better scores.
    std::vector<std::int64_t> places;
    /// As long as `places`: why those are chosen; the second score is the simulator's.
    std::vector<ChosenBy> reasons;
};

class ModelSearch {
public:
    /// An index takes a while. `pool` is canonical, each meaning once; with ChoiceMethod::Recorded it is not
    /// looked at. A model without embeddings (trees) scores the whole pool in the place of a walk.
    [[nodiscard]] static Result<ModelSearch>
    prepare(const Checkpoint& checkpoint, const std::string& name, std::vector<SuperSchedule> pool,
            const ChoiceSettings& settings, const std::stop_token& stop, const ProgressSink& progress);

    [[nodiscard]] const ChoiceSettings& settings() const { return settings_; }

    /// `machine` may be nullptr. `recorded` are the schedules of ChoiceMethod::Recorded.
    [[nodiscard]] Result<MatrixChoice> choose(const CsrPattern& pattern, const Extents& extents,
                                              const MachineDescription* machine,
                                              const std::vector<SuperSchedule>& recorded,
                                              const std::stop_token& stop,
                                              const ProgressSink& progress) const;

private:
    /// What a map is made of, besides what was chosen.
    struct Searched {
        std::vector<float> scores; ///< of all rows
        std::optional<Walk> walk;
    };
    /// Schedules, one for each embedding, and where they lie.
    struct Plane {
        std::vector<SuperSchedule> schedules;
        PlaneProjection projection;
        std::vector<PlanePoint> places;
    };

    ModelSearch() = default;
    [[nodiscard]] Result<void> lay_out();
    [[nodiscard]] Result<Plane> plane_of(std::vector<SuperSchedule> schedules) const;
    [[nodiscard]] Result<void> build_index(const Checkpoint& checkpoint, const std::string& name,
                                           const std::stop_token& stop, const ProgressSink& progress);
    /// `designs` are simulated beside the shortlist.
    [[nodiscard]] Result<Searched> walk(const PatternScorer& scorer,
                                        const std::vector<SuperSchedule>& designs, MatrixChoice& choice,
                                        const std::stop_token& stop, const ProgressSink& progress) const;
    [[nodiscard]] Result<Searched> score_all_of(const std::vector<SuperSchedule>& schedules,
                                                const PatternScorer& scorer,
                                                const std::vector<SuperSchedule>& designs,
                                                MatrixChoice& choice, const std::stop_token& stop,
                                                const ProgressSink& progress) const;
    /// A portfolio by their whole scores becomes the candidates.
    [[nodiscard]] Result<void> keep_best(std::span<const SuperSchedule> schedules,
                                         const PatternScorer& scorer, MatrixChoice& choice,
                                         const std::stop_token& stop, const ProgressSink& progress) const;
    /// None where nothing is simulated, or where only what was recorded is looked at.
    [[nodiscard]] std::vector<SuperSchedule> designs(const Extents& extents) const;
    [[nodiscard]] bool is_blended() const { return model_->description().blend.has_value(); }
    [[nodiscard]] std::size_t shortlist() const {
        return static_cast<std::size_t>(is_blended() ? std::max(settings_.shortlist, settings_.k)
                                                     : settings_.k);
    }
    [[nodiscard]] PortfolioSettings portfolio() const {
        return {.k = static_cast<std::size_t>(settings_.k), .seed = settings_.seed};
    }
    [[nodiscard]] Result<Searched> search_beyond(const PatternScorer& scorer, const Extents& extents,
                                                 const std::vector<SuperSchedule>& designs,
                                                 MatrixChoice& choice, const std::stop_token& stop,
                                                 const ProgressSink& progress) const;
    [[nodiscard]] Result<void> add_map(const Searched& searched, const PatternScorer& scorer,
                                       const std::vector<SuperSchedule>& recorded,
                                       MatrixChoice& choice) const;
    /// What network and simulator say of the candidates, and of all that the map shows.
    [[nodiscard]] Result<void> add_parts(const PatternScorer& scorer, const CsrPattern& pattern,
                                         MatrixChoice& choice) const;
    /// A portfolio of them, a part of it by what the simulator says alone.
    [[nodiscard]] Result<void> keep_portfolio(std::span<const SuperSchedule> schedules,
                                              std::span<const float> scores, const PatternScorer& scorer,
                                              MatrixChoice& choice) const;

    ChoiceSettings settings_;
    Operator op_ = Operator::SpMM;
    std::unique_ptr<CostModel> model_;
    std::vector<SuperSchedule> pool_;
    ScheduleIndex index_;
    std::optional<PredictorHead> head_;
    FloatBuffer rows_;           ///< of the index's nodes, as head_ reads them
    std::optional<Plane> plane_; ///< of the pool, where it is wanted
};

} // namespace sparsight
