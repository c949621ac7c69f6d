// Searches the whole space of configurations, not only collected ones, with the cost model as the objective.
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
    /// Starting points in addition to the baseline and random configurations: the best collected ones.
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
    /// The k best distinct configurations; equal scores keep the order of their discovery. Fewer where no
    /// more were found. The baseline, where the space has one, is always included, at its own place or last.
    std::vector<ScoredConfiguration> best;
    std::int64_t scored = 0;
    std::vector<BestSoFar> progress; ///< one entry for each improvement of the best score
    bool stopped = false;            ///< stopped before the budget was spent; the results so far are valid
};

/// Searches all configurations of the space. `scorer` has encoded its workload. Ends early where the search
/// finds nothing new. The result depends only on the arguments and the scores.
[[nodiscard]] Result<ConfigurationSearch> search_configurations(const ConfigurationSpace& space,
                                                                const WorkloadScorer& scorer,
                                                                const SearchSettings& settings,
                                                                std::stop_token stop = {},
                                                                const ProgressSink& progress = {});

// The configurations that a search has scored: each is scored once and remembered.

class ScoredConfigurations {
public:
    /// Scores at most `budget` configurations.
    ScoredConfigurations(const WorkloadScorer& scorer, std::int64_t budget)
        : scorer_(scorer)
        , budget_(static_cast<std::size_t>(budget)) {}

    /// Scores the new ones among these in one call, as far as the budget allows.
    [[nodiscard]] Result<void> add(std::span<const Configuration> configurations);

    /// The place of a configuration in all(), if it has been scored.
    [[nodiscard]] const std::uint32_t* find(const Configuration& configuration) const;

    [[nodiscard]] std::span<const ScoredConfiguration> all() const { return all_; } ///< in order of discovery
    [[nodiscard]] bool is_spent() const { return all_.size() >= budget_; }
    [[nodiscard]] std::span<const BestSoFar> progress() const { return progress_; }
    /// The first k, the best first, as places in all().
    [[nodiscard]] std::vector<std::uint32_t> best(std::size_t k) const;

private:
    const WorkloadScorer& scorer_;
    std::size_t budget_;
    std::vector<ScoredConfiguration> all_;
    std::unordered_map<Configuration, std::uint32_t> places_;
    std::vector<BestSoFar> progress_;
};

// What both methods of search_configurations() share while they run.

struct SearchRun {
    const ConfigurationSpace& space;
    const SearchSettings& settings;
    ScoredConfigurations scored;
    Random random;
    std::stop_token stop;
    const ProgressSink& progress;

    /// False once the budget is spent or the search is stopped.
    [[nodiscard]] bool can_continue() const {
        if (progress)
            progress(
                {settings.progress_label, scored.all().size(), static_cast<std::uint64_t>(settings.budget)});
        return !scored.is_spent() && !stop.stop_requested();
    }
};

/// Both start from the configurations that have been scored, if any.
[[nodiscard]] Result<void> anneal(SearchRun& run);
[[nodiscard]] Result<void> evolve(SearchRun& run);

} // namespace sparsight
