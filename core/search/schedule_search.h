// Searching the whole space of schedules, beyond those that were ever collected, with the cost model as the
// objective.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "base/random.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "model/cost_model.h"

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
    /// children are one-step neighbours of good schedules or mixtures of two of them.
    Evolution,
};

/// "annealing", "evolution".
[[nodiscard]] std::string_view name(SearchMethod method);
[[nodiscard]] std::optional<SearchMethod> parse_search_method(std::string_view text);

struct SearchSettings {
    SearchMethod method = SearchMethod::Evolution;
    std::int64_t budget = 5000; ///< schedules that are scored, at least 1
    int k = 20;                 ///< at least 1
    std::uint64_t seed = 1;
    int threads = 1;                        ///< of every schedule
    std::vector<SuperSchedule> starts = {}; ///< where to begin besides random places: the best collected ones
};

struct ScoredSchedule {
    SuperSchedule schedule; ///< canonical
    float score = 0;
    bool operator==(const ScoredSchedule&) const = default;
};

/// The best score after so many schedules were scored.
struct BestSoFar {
    std::int64_t scored = 0;
    float score = 0;
    bool operator==(const BestSoFar&) const = default;
};

struct ScheduleSearch {
    /// The k best, valid, each meaning once, equal scores in the order of their discovery; fewer where no
    /// more were found. Fixed CSR is always there: behind them where it is not one of them.
    std::vector<ScoredSchedule> best;
    std::int64_t scored = 0;         ///< different schedules
    std::vector<BestSoFar> progress; ///< whenever the best one was beaten
    bool stopped = false;            ///< before the budget was spent; what was found until then is there
};

/// Over all schedules of the extents (domains/sparse/schedule/search_space.h). `scorer` has looked at the
/// matrix. Ends before the budget is spent where nothing new is to be found. The same for the same arguments
/// and scores.
[[nodiscard]] Result<ScheduleSearch> search_schedules(Operator op, const Extents& extents,
                                                      const PatternScorer& scorer,
                                                      const SearchSettings& settings,
                                                      std::stop_token stop = {},
                                                      const ProgressSink& progress = {});

// What a search has scored so far: no schedule is scored twice, and none is forgotten.

class ScoredSchedules {
public:
    /// Scores at most `budget` schedules.
    ScoredSchedules(const PatternScorer& scorer, std::int64_t budget)
        : scorer_(scorer)
        , budget_(static_cast<std::size_t>(budget)) {}

    /// Scores in one call those of the canonical schedules that are new, as far as the budget goes.
    [[nodiscard]] Result<void> add(std::span<const SuperSchedule> schedules);

    /// The place of a canonical schedule in all(), if it has been scored.
    [[nodiscard]] const std::uint32_t* find(const SuperSchedule& schedule) const;

    [[nodiscard]] std::span<const ScoredSchedule> all() const { return all_; } ///< in order of discovery
    [[nodiscard]] bool is_spent() const { return all_.size() >= budget_; }
    [[nodiscard]] std::span<const BestSoFar> progress() const { return progress_; }
    /// The first k in their order, as places in all().
    [[nodiscard]] std::vector<std::uint32_t> best(std::size_t k) const;

private:
    const PatternScorer& scorer_;
    std::size_t budget_;
    std::vector<ScoredSchedule> all_;
    std::unordered_map<SuperSchedule, std::uint32_t> places_;
    std::vector<BestSoFar> progress_;
};

// What the methods of schedule_search.h share while they run.

struct SearchRun {
    Operator op;
    Extents extents;
    const SearchSettings& settings;
    ScoredSchedules scored;
    Random random;
    std::stop_token stop;
    const ProgressSink& progress;

    /// False once the budget is spent or the search is stopped.
    [[nodiscard]] bool goes_on() const {
        if (progress)
            progress(
                {"searching schedules", scored.all().size(), static_cast<std::uint64_t>(settings.budget)});
        return !scored.is_spent() && !stop.stop_requested();
    }
};

/// Both begin with what has been scored, fixed CSR at least.
[[nodiscard]] Result<void> anneal(SearchRun& run);
[[nodiscard]] Result<void> evolve(SearchRun& run);

} // namespace sparsight
