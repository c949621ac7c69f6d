// Searching the whole space of schedules, beyond those that were ever collected, with the cost model as the
// objective.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "model/cost_model.h"
#include "schedule/super_schedule.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
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

/// Over all schedules of the extents (schedule/neighbours.h). `scorer` has looked at the matrix. Ends before
/// the budget is spent where nothing new is to be found. The same for the same arguments and scores.
[[nodiscard]] Result<ScheduleSearch> search_schedules(Operator op, const Extents& extents,
                                                      const PatternScorer& scorer,
                                                      const SearchSettings& settings,
                                                      std::stop_token stop = {},
                                                      const ProgressSink& progress = {});

} // namespace sparsight
