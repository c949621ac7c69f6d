#include "evaluation/diagnosis/counterfactuals/smallest_change.h"

#include "base/random.h"
#include "domains/sparse/schedule/designed_schedules.h"
#include "domains/sparse/schedule/search_space.h"
#include "evaluation/diagnosis/paired_measurement.h"
#include "evaluation/time_differences.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
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

/// Absent where it is slower, or where its time is not known.
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

namespace {

/// As many as are measured in turns beside the other side at once: the fastest of noisy times is the
/// luckiest.
constexpr std::size_t candidates_in_turns = 3;
constexpr std::size_t most_screened_designs = 64;

class Search {
public:
    Search(const Blame& blame, HybridEvaluator& evaluator, const Extents& extents,
           const ScheduleChangeOptions& options)
        : blame_(blame)
        , evaluator_(evaluator)
        , extents_(extents)
        , options_(options) {}

    Result<std::optional<ScheduleChange>> run() {
        auto found = search();
        if (!found || !*found)
            return found;
        std::vector<ScheduleChange> changes = std::move(stepped_);
        for (std::size_t count = 1; count <= blame_.space.decisions().size(); ++count)
            std::ranges::move(taken_back(count), std::back_inserter(changes));
        auto removal = smallest_loss_removal(blame_, evaluator_, changes);
        if (!removal)
            return std::unexpected(std::move(removal.error()));
        const bool is_smaller =
            *removal && (!(*found)->wins || ((*removal)->schedule != (*found)->schedule &&
                                             (*removal)->decisions.size() <= (*found)->decisions.size()));
        if (is_smaller)
            (*found)->removal = std::move(*removal);
        return found;
    }

private:
    Result<std::optional<ScheduleChange>> search() {
        if (blame_.difference_ms() <= 0)
            return std::nullopt;
        const std::size_t players = blame_.space.decisions().size();
        SuperSchedule start = blame_.space.to();
        for (std::size_t changed = 1; changed <= players; ++changed) {
            std::vector<ScheduleChange> tried;
            if (changed < players)
                tried = taken_back(changed);
            auto won = winner(tried);
            if (!won || *won)
                return won;
            auto stepped = steps_from(start);
            if (!stepped)
                return std::unexpected(std::move(stepped.error()));
            won = winner(*stepped);
            std::ranges::copy(*stepped, std::back_inserter(stepped_));
            if (!won || *won)
                return won;
            std::ranges::move(*stepped, std::back_inserter(tried));
            if (const auto* best = fastest(tried); best != nullptr)
                start = best->schedule;
        }
        // What takes all decisions back is the other side, and no faster than it. Beyond it lies what neither
        // is.
        auto beyond = steps_from(blame_.space.from());
        if (!beyond)
            return std::unexpected(std::move(beyond.error()));
        auto won = winner(*beyond);
        if (won && !*won && evaluator_.varies()) {
            auto designed = try_all(some_designs());
            if (!designed)
                return std::unexpected(std::move(designed.error()));
            won = winner(*designed);
        }
        if (!won || *won)
            return won;
        ScheduleChange all = change_to(blame_.space.from(), blame_.from);
        all.is_other_side = true;
        all.verified = verified_;
        all.nearest = nearest_;
        all.is_cut_short = is_cut_short_;
        return all;
    }

    /// nullptr: none.
    static const ScheduleChange* fastest(const std::vector<ScheduleChange>& changes) {
        const auto best = std::ranges::min_element(
            changes, {}, [](const ScheduleChange& change) { return *change.time.milliseconds; });
        return best == changes.end() ? nullptr : &*best;
    }

    /// A time that was cut off says nothing about winning.
    static bool is_known(const HybridTime& time) { return time.milliseconds && !time.is_at_least; }
    [[nodiscard]] bool seems_to_win(const HybridTime& time) const {
        return *time.milliseconds < *blame_.from.milliseconds;
    }
    [[nodiscard]] bool wins_beyond_spreads(const HybridTime& time) const {
        return seems_to_win(time) && differ_beyond_errors(*time.milliseconds, time.spread_ms,
                                                          *blame_.from.milliseconds, blame_.from.spread_ms);
    }

    /// The fastest change that wins; changes that do not win are remembered as near.
    Result<std::optional<ScheduleChange>> winner(const std::vector<ScheduleChange>& changes) {
        if (evaluator_.varies())
            return winner_in_turns(changes);
        const auto* const best = fastest(changes);
        if (best == nullptr)
            return std::nullopt;
        verified_ += seems_to_win(best->time) ? 1 : 0;
        ScheduleChange found = *best;
        found.wins = wins_beyond_spreads(found.time);
        found.verified = verified_;
        if (found.wins)
            return found;
        const double ratio = *found.time.milliseconds / *blame_.from.milliseconds;
        remember(found, {.ratio = ratio,
                         .error = ratio * std::hypot(found.time.spread_ms / *found.time.milliseconds,
                                                     blame_.from.spread_ms / *blame_.from.milliseconds)});
        return std::nullopt;
    }

    Result<std::optional<ScheduleChange>> winner_in_turns(std::vector<ScheduleChange> changes) {
        std::ranges::stable_sort(changes, {},
                                 [](const ScheduleChange& change) { return *change.time.milliseconds; });
        std::erase_if(changes, [this](const ScheduleChange& change) {
            return !seems_to_win(change.time) || is_of_the_other_side(change.schedule);
        });
        changes.resize(std::min(changes.size(), candidates_in_turns));
        if (changes.empty())
            return std::nullopt;
        if (is_over())
            return std::nullopt;
        if (auto measured = measure_in_turns(changes); !measured)
            return std::unexpected(std::move(measured.error()));
        verified_ += changes.size();
        std::erase_if(changes, [](const ScheduleChange& change) { return !change.lead; });
        std::ranges::stable_sort(changes, {},
                                 [](const ScheduleChange& change) { return change.lead->ratio; });
        for (ScheduleChange& change : changes) {
            if (change.wins)
                if (auto confirmed = measure_in_turns(std::span(&change, 1)); !confirmed)
                    return std::unexpected(std::move(confirmed.error()));
            if (change.wins)
                return with_times(std::move(change));
            if (change.lead)
                remember(change, *change.lead);
        }
        return std::nullopt;
    }

    /// Compares with the other side by these turns alone. Among many changes that are no faster, some seem
    /// so by luck, but hardly twice: so a winner has to win once more, and its lead comes from turns that
    /// did not choose it.
    Result<void> measure_in_turns(std::span<ScheduleChange> changes) {
        std::vector<SuperSchedule> candidates;
        std::ranges::transform(changes, std::back_inserter(candidates), &ScheduleChange::schedule);
        const auto leads = verify_in_turns(evaluator_, blame_.space.from(), candidates,
                                           {.is_over = [this] { return is_over(); },
                                            .tell = [this] { tell("measuring changes in turns"); },
                                            .stop = options_.stop});
        if (!leads)
            return std::unexpected(leads.error());
        for (std::size_t place = 0; place < changes.size(); ++place) {
            changes[place].lead = (*leads)[place];
            changes[place].wins = changes[place].lead && changes[place].lead->wins;
        }
        return {};
    }

    /// After all turns.
    Result<std::optional<ScheduleChange>> with_times(ScheduleChange change) {
        auto time = evaluator_.time(change.schedule);
        if (!time)
            return std::unexpected(std::move(time.error()));
        change.time = std::move(*time);
        auto against = evaluator_.time(blame_.space.from());
        if (!against)
            return std::unexpected(std::move(against.error()));
        change.against = std::move(*against);
        change.verified = verified_;
        return change;
    }

    void remember(const ScheduleChange& change, const MeasuredLead& lead) {
        if (!nearest_ || lead.ratio < nearest_->ratio)
            nearest_ = NearestChange{change.schedule, change.decisions, lead.ratio, lead.error};
    }

    /// The same program can't be faster.
    [[nodiscard]] bool is_of_the_other_side(const SuperSchedule& schedule) const {
        return evaluator_.program(schedule) == evaluator_.program(blame_.space.from());
    }

    /// Progress in time, as the number of changes is not known.
    void tell(std::string_view stage) const {
        if (!options_.progress)
            return;
        const auto spent = static_cast<std::uint64_t>((options_.clock() - start_).count());
        const auto all =
            options_.deadline
                ? static_cast<std::uint64_t>(std::max(0.0, (*options_.deadline - start_).count()))
                : 0;
        options_.progress({stage, std::min(spent, all), all});
    }

    [[nodiscard]] ScheduleChange change_to(const SuperSchedule& schedule, const HybridTime& time) const {
        return {.schedule = schedule,
                .decisions = differing_decisions(blame_.space.to(), schedule),
                .time = time,
                .against = blame_.from};
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

    bool is_over() {
        const bool is_late = options_.deadline && options_.clock() >= *options_.deadline;
        is_cut_short_ = is_cut_short_ || is_late;
        return is_late;
    }

    /// Those that could be tried in time.
    Result<std::vector<ScheduleChange>> steps_from(const SuperSchedule& start) {
        return try_all(neighbours(start, extents_));
    }

    /// Drawn among all, as many as can be screened in a moment.
    [[nodiscard]] std::vector<SuperSchedule> some_designs() const {
        if (options_.steps == 0 || options_.screen == nullptr)
            return {};
        const SuperSchedule& from = blame_.space.from();
        std::vector<SuperSchedule> designs = designed_schedules(from.op, extents_, from.threads);
        Random random(1);
        random.shuffle(designs);
        designs.resize(std::min(designs.size(), most_screened_designs));
        return designs;
    }

    Result<std::vector<ScheduleChange>> try_all(std::vector<SuperSchedule> steps) {
        if (is_over())
            return std::vector<ScheduleChange>();
        std::erase_if(steps, [this](const SuperSchedule& step) { return is_of_the_other_side(step); });
        if (auto prepared = prepare(steps); !prepared)
            return std::unexpected(std::move(prepared.error()));
        std::vector<ScheduleChange> changes;
        for (const SuperSchedule& step : steps) {
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "stopped");
            if (is_over())
                break;
            if (evaluator_.varies())
                tell("trying changes");
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
    Milliseconds start_ = options_.clock();
    std::size_t verified_ = 0;
    std::optional<NearestChange> nearest_;
    std::vector<ScheduleChange> stepped_; ///< what neither side has and was tried on the way back
    bool is_cut_short_ = false;
};

} // namespace

Result<std::optional<ScheduleChange>> smallest_schedule_change(const Blame& blame, HybridEvaluator& evaluator,
                                                               const Extents& extents,
                                                               const ScheduleChangeOptions& options) {
    return Search(blame, evaluator, extents, options).run();
}

} // namespace sparsight
