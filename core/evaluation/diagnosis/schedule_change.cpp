#include "evaluation/diagnosis/counterfactual.h"

#include "schedule/neighbours.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace sparsight {

namespace {

class Search {
public:
    Search(const Blame& blame, HybridEvaluator& evaluator, const Extents& extents,
           const ScheduleChangeOptions& options)
        : blame_(blame)
        , evaluator_(evaluator)
        , extents_(extents)
        , options_(options) {}

    Result<std::optional<ScheduleChange>> run() {
        if (blame_.difference_ms() <= 0)
            return std::nullopt;
        const std::size_t players = blame_.space.decisions().size();
        SuperSchedule start = blame_.space.to();
        for (std::size_t changed = 1; changed <= players; ++changed) {
            std::vector<ScheduleChange> tried;
            if (changed < players)
                tried = taken_back(changed);
            if (const auto* best = fastest(tried); best != nullptr && best->wins)
                return *best;
            auto stepped = steps_from(start);
            if (!stepped)
                return std::unexpected(std::move(stepped.error()));
            std::ranges::move(*stepped, std::back_inserter(tried));
            const auto* best = fastest(tried);
            if (best == nullptr)
                continue;
            if (best->wins)
                return *best;
            start = best->schedule;
        }
        ScheduleChange all = change_to(blame_.space.from(), blame_.from);
        all.is_other_side = true;
        return all;
    }

private:
    /// nullptr: none.
    static const ScheduleChange* fastest(const std::vector<ScheduleChange>& changes) {
        const auto best = std::ranges::min_element(
            changes, {}, [](const ScheduleChange& change) { return *change.time.milliseconds; });
        return best == changes.end() ? nullptr : &*best;
    }

    /// A time that was cut off says nothing about winning.
    static bool is_known(const HybridTime& time) { return time.milliseconds && !time.is_at_least; }
    [[nodiscard]] bool wins(const HybridTime& time) const {
        return *time.milliseconds < *blame_.from.milliseconds;
    }
    [[nodiscard]] ScheduleChange change_to(const SuperSchedule& schedule, const HybridTime& time) const {
        return {.schedule = schedule,
                .decisions = differing_decisions(blame_.space.to(), schedule),
                .time = time,
                .wins = wins(time)};
    }

    /// Those hybrids that are known.
    [[nodiscard]] std::vector<ScheduleChange> taken_back(std::size_t count) const {
        std::vector<ScheduleChange> changes;
        for (DecisionSet back = 0; back < blame_.space.size(); ++back) {
            const auto& time = blame_.times[blame_.space.all() & ~back];
            if (static_cast<std::size_t>(std::popcount(back)) == count && time && is_known(*time))
                changes.push_back(change_to(blame_.space.at(blame_.space.all() & ~back).schedule, *time));
        }
        return changes;
    }

    [[nodiscard]] bool is_over() const { return options_.deadline && options_.clock() >= *options_.deadline; }

    /// Those that could be tried in time.
    Result<std::vector<ScheduleChange>> steps_from(const SuperSchedule& start) {
        if (is_over())
            return std::vector<ScheduleChange>();
        std::vector<SuperSchedule> steps = neighbours(start, extents_);
        std::erase(steps, blame_.space.from());
        if (auto prepared = prepare(steps); !prepared)
            return std::unexpected(std::move(prepared.error()));
        std::vector<ScheduleChange> changes;
        for (const SuperSchedule& step : steps) {
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "stopped");
            if (is_over())
                break;
            auto time = evaluator_.time(step);
            if (!time)
                return std::unexpected(std::move(time.error()));
            if (is_known(*time))
                changes.push_back(change_to(step, *time));
        }
        return changes;
    }

    /// The most promising ones, as many as may be tried.
    Result<void> prepare(std::vector<SuperSchedule>& steps) {
        if (options_.screen != nullptr && steps.size() > options_.steps) {
            if (auto screened = options_.screen->prepare(steps, options_.stop); !screened)
                return screened;
            std::vector<std::pair<double, SuperSchedule>> ranked;
            for (const SuperSchedule& step : steps) {
                const auto time = options_.screen->time(step);
                if (!time)
                    return std::unexpected(time.error());
                ranked.emplace_back(time->milliseconds.value_or(std::numeric_limits<double>::infinity()),
                                    step);
            }
            std::ranges::stable_sort(ranked, {}, &std::pair<double, SuperSchedule>::first);
            std::ranges::transform(ranked, steps.begin(), &std::pair<double, SuperSchedule>::second);
        }
        steps.resize(std::min(steps.size(), options_.steps));
        return evaluator_.prepare(steps, options_.stop);
    }

    const Blame& blame_;
    HybridEvaluator& evaluator_;
    const Extents& extents_;
    const ScheduleChangeOptions& options_;
};

} // namespace

Result<std::optional<ScheduleChange>> smallest_schedule_change(const Blame& blame, HybridEvaluator& evaluator,
                                                               const Extents& extents,
                                                               const ScheduleChangeOptions& options) {
    return Search(blame, evaluator, extents, options).run();
}

} // namespace sparsight
