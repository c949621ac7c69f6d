// What the methods of schedule_search.h share while they run.
#pragma once

#include "base/random.h"
#include "search/scored_schedules.h"

#include <stop_token>

namespace sparsight {

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
