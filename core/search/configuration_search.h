// Searching a whole space of configurations, beyond those that were ever collected, with the cost model as
// the objective.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "base/random.h"
#include "model/cost_model.h"
#include "study/configuration.h"
#include "study/configuration_space.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sparsight {

enum class SearchMethod {
    /// Simulated annealing (Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", Science
    /// 1983): many walks by one-step neighbours side by side, so that the model always has a batch.
    Annealing,
    /// A (μ + λ) evolution strategy (Beyer and Schwefel, "Evolution strategies", Natural Computing 2002):
    /// children are one-step neighbours of good configurations or mixtures of two of them.
    Evolution,
};

/// "annealing", "evolution".
[[nodiscard]] std::string_view name(SearchMethod method);
struct SearchSettings {
    SearchMethod method = SearchMethod::Evolution;
    std::int64_t budget = 5000; ///< configurations that are scored, at least 1
    int k = 20;                 ///< at least 1
    std::uint64_t seed = 1;
    /// Where to begin besides the baseline and random places: the best collected ones.
    std::vector<Configuration> starts = {};
    std::string_view progress_label = "searching configurations"; ///< in the words of the domain
};

struct ScoredConfiguration {
    Configuration configuration;
    float score = 0;
    bool operator==(const ScoredConfiguration&) const = default;
};

/// The best score after so many configurations were scored.
struct BestSoFar {
    std::int64_t scored = 0;
    float score = 0;
    bool operator==(const BestSoFar&) const = default;
};

struct ConfigurationSearch {
    /// The k best, valid, different, equal scores in the order of their discovery; fewer where no more were
    /// found. The baseline, where the space has one, is always there: behind them where it is not one of
    /// them.
    std::vector<ScoredConfiguration> best;
    std::int64_t scored = 0;
    std::vector<BestSoFar> progress; ///< whenever the best one was beaten
    bool stopped = false;            ///< before the budget was spent; what was found until then is there
};

/// Over all configurations of the space. `scorer` has looked at its workload. Ends before the budget is spent
/// where nothing new is to be found. The same for the same arguments and scores.
[[nodiscard]] Result<ConfigurationSearch> search_configurations(const ConfigurationSpace& space,
                                                                const WorkloadScorer& scorer,
                                                                const SearchSettings& settings,
                                                                std::stop_token stop = {},
                                                                const ProgressSink& progress = {});

// What a search has scored so far: no configuration is scored twice, and none is forgotten.

class ScoredConfigurations {
public:
    /// Scores at most `budget` configurations.
    ScoredConfigurations(const WorkloadScorer& scorer, std::int64_t budget)
        : scorer_(scorer)
        , budget_(static_cast<std::size_t>(budget)) {}

    /// Scores in one call those that are new, as far as the budget goes.
    [[nodiscard]] Result<void> add(std::span<const Configuration> configurations);

    /// The place of a configuration in all(), if it has been scored.
    [[nodiscard]] const std::uint32_t* find(const Configuration& configuration) const;

    [[nodiscard]] std::span<const ScoredConfiguration> all() const { return all_; } ///< in order of discovery
    [[nodiscard]] bool is_spent() const { return all_.size() >= budget_; }
    [[nodiscard]] std::span<const BestSoFar> progress() const { return progress_; }
    /// The first k in their order, as places in all().
    [[nodiscard]] std::vector<std::uint32_t> best(std::size_t k) const;

private:
    const WorkloadScorer& scorer_;
    std::size_t budget_;
    std::vector<ScoredConfiguration> all_;
    std::unordered_map<Configuration, std::uint32_t> places_;
    std::vector<BestSoFar> progress_;
};

// What the methods of search_configurations() share while they run.

struct SearchRun {
    const ConfigurationSpace& space;
    const SearchSettings& settings;
    ScoredConfigurations scored;
    Random random;
    std::stop_token stop;
    const ProgressSink& progress;

    /// False once the budget is spent or the search is stopped.
    [[nodiscard]] bool goes_on() const {
        if (progress)
            progress(
                {settings.progress_label, scored.all().size(), static_cast<std::uint64_t>(settings.budget)});
        return !scored.is_spent() && !stop.stop_requested();
    }
};

/// Both begin with what has been scored, if anything has.
[[nodiscard]] Result<void> anneal(SearchRun& run);
[[nodiscard]] Result<void> evolve(SearchRun& run);

} // namespace sparsight
