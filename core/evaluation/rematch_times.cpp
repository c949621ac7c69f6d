#include "evaluation/rematch_times.h"

#include "evaluation/known_times.h"
#include "schedule/text.h"

#include <algorithm>
#include <utility>

namespace sparsight {

Result<RematchTimes> RematchTimes::read(Workspace& workspace, RunId run, MatrixId matrix) {
    auto times = list_rematch(workspace, run, matrix);
    if (!times)
        return std::unexpected(std::move(times).error());
    RematchTimes rematch;
    for (RematchTime& time : *times) {
        SuperSchedule meaning = tried_meaning(time.schedule);
        rematch.times_.push_back({std::move(meaning), std::move(time)});
    }
    return rematch;
}

const RematchTime* RematchTimes::find(const SuperSchedule& schedule) const {
    const auto found = std::ranges::find(times_, tried_meaning(schedule), &Time::meaning);
    return found == times_.end() ? nullptr : &found->measured;
}

const RematchTime* RematchTimes::time_of(const SuperSchedule& schedule) const {
    const RematchTime* const found = find(schedule);
    return found != nullptr && found->turns > 0 ? found : nullptr;
}

bool RematchTimes::are_of(const std::vector<SuperSchedule>& schedules) const {
    return schedules.size() == times_.size() &&
           std::ranges::all_of(schedules, [&](const SuperSchedule& each) { return find(each) != nullptr; });
}

void RematchTimes::apply_to(EvaluatedMatrix& evaluated, Operator op, int k) const {
    const RematchTime* const fixed = time_of(fixed_csr(op, 1));
    const auto best_known = parse_schedule(op, evaluated.best_known_schedule);
    if (fixed == nullptr)
        return;
    const EvaluatedCandidate* best = nullptr;
    std::vector<EvaluatedCandidate> candidates = evaluated.candidates;
    for (EvaluatedCandidate& candidate : candidates) {
        const auto schedule = parse_schedule(op, candidate.schedule);
        const RematchTime* time = schedule ? time_of(*schedule) : nullptr;
        if (candidate.is_fixed_csr)
            time = fixed;
        if (time == nullptr)
            continue;
        candidate.turns_ms = time->median_ms;
        candidate.turns_spread_ms = time->spread_ms;
        if (candidate.rank <= k && (best == nullptr || time->median_ms < *best->turns_ms))
            best = &candidate;
    }
    if (best == nullptr)
        return;
    const RematchTime& fastest = times_.front().measured;
    // What is the best by now was measured since, where it was not among those: nothing can be compared with
    // it, whose time is another hour's.
    evaluated.has_faster_since = best_known && find(*best_known) == nullptr;
    evaluated.turns = fixed->turns;
    evaluated.times.fixed_csr_ms = fixed->median_ms;
    evaluated.times.best_ms = *best->turns_ms;
    evaluated.times.best_known_ms = fastest.median_ms;
    evaluated.fixed_csr_spread_ms = fixed->spread_ms;
    evaluated.best_schedule = best->schedule;
    evaluated.best_was_given_up = false;
    evaluated.best_known_schedule = to_text(fastest.schedule);
    evaluated.best_known_spread_ms = fastest.spread_ms;
    evaluated.candidates = std::move(candidates);
}

} // namespace sparsight
