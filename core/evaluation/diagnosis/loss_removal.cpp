#include "evaluation/diagnosis/loss_removal.h"

#include "evaluation/equal_times.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sparsight {

namespace {

/// What may be off by more is not said to be as fast.
constexpr double largest_error = 0.2;

struct BothTimes {
    HybridTime changed;
    HybridTime against;
};

/// After all turns.
Result<BothTimes> newest_times(const Blame& blame, HybridEvaluator& evaluator, const ScheduleChange& change) {
    if (!evaluator.varies())
        return BothTimes{change.time, blame.from};
    auto changed = evaluator.time(change.schedule);
    if (!changed)
        return std::unexpected(std::move(changed.error()));
    auto against = evaluator.time(blame.space.from());
    if (!against)
        return std::unexpected(std::move(against.error()));
    return BothTimes{std::move(*changed), std::move(*against)};
}

bool is_known(const HybridTime& time) {
    return time.milliseconds && !time.is_at_least;
}

/// Absent where it is slower, or where nobody knows.
Result<std::optional<LossRemoval>> removal_by(const Blame& blame, HybridEvaluator& evaluator,
                                              const ScheduleChange& change) {
    LossRemoval removal{change.schedule, change.decisions,
                        evaluator.program(change.schedule) == evaluator.program(blame.space.from())};
    if (removal.is_same_program)
        return removal;
    const auto times = newest_times(blame, evaluator, change);
    if (!times)
        return std::unexpected(times.error());
    const auto& [changed, against] = *times;
    if (!is_known(changed) || !is_known(against))
        return std::nullopt;
    removal.ratio = *changed.milliseconds / *against.milliseconds;
    removal.error = removal.ratio * std::hypot(changed.spread_ms / *changed.milliseconds,
                                               against.spread_ms / *against.milliseconds);
    const double slower = removal.ratio - 1;
    const bool is_as_fast = slower <= removal.error || is_equally_fast(slower);
    const bool is_gain = differ_beyond_errors(*changed.milliseconds, changed.spread_ms,
                                              *blame.to.milliseconds, blame.to.spread_ms);
    return is_as_fast && is_gain && removal.error <= largest_error ? std::optional(removal) : std::nullopt;
}

} // namespace

Result<std::optional<LossRemoval>> smallest_loss_removal(const Blame& blame, HybridEvaluator& evaluator,
                                                         std::span<const ScheduleChange> tried) {
    if (!blame.is_significant())
        return std::nullopt;
    const std::size_t most = std::max<std::size_t>(2, blame.space.decisions().size()) - 1;
    const auto order = [](const LossRemoval& each) {
        return std::tuple(each.decisions.size(), !each.is_same_program, each.ratio);
    };
    std::optional<LossRemoval> best;
    for (const ScheduleChange& change : tried) {
        if (change.decisions.empty() || change.decisions.size() > most)
            continue;
        auto removal = removal_by(blame, evaluator, change);
        if (!removal)
            return std::unexpected(std::move(removal.error()));
        if (*removal && (!best || order(**removal) < order(*best)))
            best = std::move(**removal);
    }
    return best;
}

} // namespace sparsight
