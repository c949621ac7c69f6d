// What a search has scored so far: no schedule is scored twice, and none is forgotten.
#pragma once

#include "base/error.h"
#include "model/cost_model.h"
#include "schedule/hash.h"
#include "search/schedule_search.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace sparsight {

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

} // namespace sparsight
