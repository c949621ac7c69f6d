#include "evaluation/rematch_times.h"

#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/choices.h"
#include "evaluation/known_times.h"
#include "evaluation/time_differences.h"
#include "store/workspace.h"
#include "study/measurement.h"
#include "study/timing.h"

#include <algorithm>
#include <span>
#include <utility>

namespace sparsight {

namespace {

class Contenders {
public:
    void add(SuperSchedule schedule) {
        schedule = canonical_without_threads(std::move(schedule));
        if (std::ranges::find(schedules_, schedule) == schedules_.end())
            schedules_.push_back(std::move(schedule));
    }
    [[nodiscard]] std::vector<SuperSchedule> take() { return std::move(schedules_); }

private:
    std::vector<SuperSchedule> schedules_;
};

/// The measured schedules, the fastest first.
std::vector<SuperSchedule> fastest_of(std::span<const ChosenSchedule> chosen, const KnownTimes& times) {
    std::vector<std::pair<double, const SuperSchedule*>> timed;
    for (const ChosenSchedule& each : chosen)
        if (const ResultRow* row = times.find(each.schedule);
            row != nullptr && row->status == MeasurementStatus::Measured && row->median_ms)
            timed.emplace_back(*row->median_ms, &each.schedule);
    std::ranges::stable_sort(timed, {}, &std::pair<double, const SuperSchedule*>::first);
    std::vector<SuperSchedule> fastest;
    for (const auto& [ms, schedule] : std::span(timed).first(std::min(timed.size(), contenders_of_a_model)))
        fastest.push_back(*schedule);
    return fastest;
}

} // namespace

Result<std::vector<SuperSchedule>> contenders(Workspace& workspace, const EvaluationScope& scope,
                                              const MatrixRecord& matrix) {
    const auto times = KnownTimes::read(workspace, {matrix.name, scope.machine.fingerprint, scope.op,
                                                    scope.op == Operator::SpMV ? 1 : scope.dense,
                                                    scope.protocol, scope.threads});
    if (!times)
        return std::unexpected(times.error());
    if (times->fixed_csr() == nullptr)
        return std::vector<SuperSchedule>{};
    Contenders found;
    found.add(fixed_csr(scope.op, 1));
    for (const ModelId model : scope.models) {
        const auto chosen = list_choices(workspace, scope.run, model, matrix.id);
        if (!chosen)
            return std::unexpected(chosen.error());
        const std::span<const ChosenSchedule> best(*chosen);
        const auto fastest =
            fastest_of(best.first(std::min(best.size(), static_cast<std::size_t>(scope.k))), *times);
        if (fastest.empty())
            return std::vector<SuperSchedule>{};
        for (const SuperSchedule& schedule : fastest)
            found.add(schedule);
        const ResultRow* const first = times->find(chosen->front().schedule);
        if (first != nullptr && first->status == MeasurementStatus::Measured)
            found.add(chosen->front().schedule); // how wrong the model was about it is asked, too
    }
    for (const ResultRow* row : times->fastest(contenders_of_all))
        if (const auto schedule = parse_schedule(scope.op, row->schedule))
            found.add(*schedule);
    return found.take();
}

namespace {

/// Some of the schedules that took their turns, for the question which is the fastest.
class Field {
public:
    explicit Field(const RematchTime& fixed_csr)
        : fixed_csr_(fixed_csr) {}

    void add(std::string schedule, const RematchTime& time) {
        schedules_.push_back(std::move(schedule));
        times_.emplace_back(time.turns_ms);
    }
    [[nodiscard]] bool is_empty() const { return times_.empty(); }
    [[nodiscard]] FastestByTurn fastest() const { return fastest_by_turn(times_, fixed_csr_.turns_ms); }
    [[nodiscard]] const std::string& schedule(std::size_t place) const { return schedules_[place]; }

private:
    const RematchTime& fixed_csr_;
    std::vector<std::string> schedules_;
    std::vector<TurnTimes> times_;
};

double spread_ms(const RematchTime& time) {
    return spread_of(std::vector<Milliseconds>(time.turns_ms.begin(), time.turns_ms.end())).count();
}

void tell(EvaluatedCandidate& candidate, const RematchTime& time, const RematchTime& fixed) {
    const TurnRatio relative = ratio_by_turn(time.turns_ms, fixed.turns_ms);
    candidate.turns_ms = fixed.median_ms() * relative.ratio;
    candidate.turns_spread_ms =
        candidate.is_fixed_csr ? spread_ms(fixed) : fixed.median_ms() * relative.spread;
}

} // namespace

Result<RematchTimes> RematchTimes::read(Workspace& workspace, RunId run, WorkloadId matrix) {
    auto times = list_rematch(workspace, run, matrix);
    if (!times)
        return std::unexpected(std::move(times).error());
    RematchTimes rematch;
    for (RematchTime& time : *times) {
        SuperSchedule meaning = canonical_without_threads(time.schedule);
        rematch.times_.push_back({std::move(meaning), std::move(time)});
    }
    return rematch;
}

const RematchTime* RematchTimes::find(const SuperSchedule& schedule) const {
    const auto found = std::ranges::find(times_, canonical_without_threads(schedule), &Time::meaning);
    return found == times_.end() ? nullptr : &found->measured;
}

const RematchTime* RematchTimes::time_of(const SuperSchedule& schedule, const RematchTime& fixed) const {
    const RematchTime* const found = find(schedule);
    return found != nullptr && found->turns_ms.size() == fixed.turns_ms.size() ? found : nullptr;
}

bool RematchTimes::are_of(const std::vector<SuperSchedule>& schedules, int turns) const {
    return schedules.size() == times_.size() &&
           std::ranges::all_of(schedules, [&](const SuperSchedule& each) {
               const RematchTime* const found = find(each);
               return found != nullptr &&
                      (!found->has_time() || found->turns_ms.size() == static_cast<std::size_t>(turns));
           });
}

std::vector<MissedTurns> RematchTimes::missed(const std::string& matrix) const {
    std::vector<MissedTurns> missed;
    for (const auto& [meaning, time] : times_)
        if (!time.has_time())
            missed.push_back({matrix, to_text(time.schedule), time.error});
    return missed;
}

void RematchTimes::apply_to(EvaluatedMatrix& evaluated, Operator op, int k) const {
    const RematchTime* const fixed = find(fixed_csr(op, 1));
    if (fixed == nullptr || !fixed->has_time())
        return;
    std::vector<EvaluatedCandidate> candidates = evaluated.candidates;
    Field chosen(*fixed);
    for (EvaluatedCandidate& candidate : candidates) {
        const auto schedule = parse_schedule(op, candidate.schedule);
        const RematchTime* const time = candidate.is_fixed_csr ? fixed
                                        : schedule             ? time_of(*schedule, *fixed)
                                                               : nullptr;
        if (time == nullptr)
            continue;
        tell(candidate, *time, *fixed);
        if (candidate.rank <= k)
            chosen.add(candidate.schedule, *time);
    }
    if (chosen.is_empty())
        return;
    Field with_fallback = chosen;
    with_fallback.add("", *fixed);
    Field known(*fixed);
    for (const auto& [meaning, time] : times_)
        if (time_of(meaning, *fixed) != nullptr)
            known.add(to_text(time.schedule), time);
    const FastestByTurn best = chosen.fastest();
    const FastestByTurn best_known = known.fastest();
    const auto known_before = parse_schedule(op, evaluated.best_known_schedule);
    const double fixed_csr_ms = fixed->median_ms();

    // If the current best was not among the known schedules, it was measured since. Its time was taken at
    // another hour, so it is not compared.
    evaluated.has_faster_since = known_before && find(*known_before) == nullptr;
    evaluated.turns = static_cast<int>(fixed->turns_ms.size());
    evaluated.times.fixed_csr_ms = fixed_csr_ms;
    evaluated.times.best_ms = fixed_csr_ms * best.told.ratio;
    evaluated.times.best_known_ms = fixed_csr_ms * best_known.told.ratio;
    evaluated.times.with_fallback_ms = fixed_csr_ms * with_fallback.fastest().told.ratio;
    if (best.told.error) // of 1 / ratio, to the first order
        evaluated.speedup_error = *best.told.error / (best.told.ratio * best.told.ratio);
    evaluated.fixed_csr_spread_ms = spread_ms(*fixed);
    evaluated.best_schedule = chosen.schedule(best.place);
    evaluated.best_was_given_up = false;
    evaluated.best_known_schedule = known.schedule(best_known.place);
    evaluated.best_known_spread_ms = fixed_csr_ms * best_known.told.spread;
    evaluated.candidates = std::move(candidates);
}

} // namespace sparsight
