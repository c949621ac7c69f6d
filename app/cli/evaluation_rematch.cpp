#include "cli/evaluation_rematch.h"

#include "base/stopwatch.h"
#include "collection/rematch.h"
#include "evaluation/contenders.h"
#include "evaluation/rematch_times.h"
#include "store/rematches.h"
#include "store/stored_pattern.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace sparsight {

namespace {

struct Round {
    const MatrixRecord* matrix = nullptr;
    std::vector<SuperSchedule> schedules;
};

/// Those that there is something to do on.
Result<std::vector<Round>> rounds_of(Workspace& workspace, const EvaluationScope& scope,
                                     const EvaluationPlan& plan, bool again) {
    std::vector<Round> rounds;
    for (const MatrixRecord& matrix : plan.matrices) {
        if (std::ranges::find(scope.matrices, matrix.id) == scope.matrices.end())
            continue;
        auto schedules = contenders(workspace, scope, matrix);
        if (!schedules)
            return std::unexpected(std::move(schedules).error());
        const auto known = RematchTimes::read(workspace, scope.run, matrix.id);
        if (!known)
            return std::unexpected(known.error());
        if (!schedules->empty() && (again || !known->are_of(*schedules)))
            rounds.push_back({&matrix, *std::move(schedules)});
    }
    return rounds;
}

} // namespace

Result<bool> run_rematch(Workspace& workspace, const EvaluationScope& scope, const EvaluationPlan& plan,
                         const CollectionRequest& measuring, std::optional<Seconds> time, JobEvents& events,
                         ProgressDisplay& display, const std::stop_token& stop) {
    const Stopwatch stopwatch;
    const auto rounds = rounds_of(workspace, scope, plan, measuring.again);
    if (!rounds)
        return std::unexpected(rounds.error());
    RematchSettings settings;
    settings.dense = scope.dense;
    settings.threads = measuring.threads;
    settings.protocol = measuring.protocol;
    settings.limits = measuring.limits;
    for (std::size_t at = 0; at < rounds->size(); ++at) {
        const Round& round = (*rounds)[at];
        if (stop.stop_requested() || (time && Seconds(stopwatch.seconds()) >= *time))
            return false;
        const std::string what = fmt::format("measuring the fastest on {} in turns", round.matrix->name);
        events.progress(what, at, rounds->size());
        display.show({.what = what,
                      .done = at,
                      .total = rounds->size(),
                      .left = at == 0 ? std::nullopt
                                      : std::optional(Seconds(stopwatch.seconds() / static_cast<double>(at) *
                                                              static_cast<double>(rounds->size() - at)))});
        auto pattern = load_pattern(workspace, round.matrix->id);
        if (!pattern)
            continue; // its file may be gone by now: what was measured before stands
        const auto times = measure_in_turns(*std::move(pattern), round.schedules, settings, stop);
        if (!times && times.error().fault == Fault::Cancelled)
            return false;
        if (!times)
            continue;
        if (auto stored = record_rematch(workspace, scope.run, round.matrix->id, *times); !stored)
            return std::unexpected(std::move(stored).error());
    }
    return true;
}

} // namespace sparsight
