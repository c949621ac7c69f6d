#include "evaluation/diagnosis/smallest_change.h"

#include "base/random.h"
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
    ClockTime changed;
    ClockTime against;
};

/// After all turns.
Result<BothTimes> newest_times(const Blame& blame, Clock& clock, const ConfigurationChange& change) {
    if (!clock.varies())
        return BothTimes{change.time, blame.from};
    auto changed = clock.time(change.configuration);
    if (!changed)
        return std::unexpected(std::move(changed.error()));
    auto against = clock.time(blame.space->from());
    if (!against)
        return std::unexpected(std::move(against.error()));
    return BothTimes{std::move(*changed), std::move(*against)};
}

bool is_known(const ClockTime& time) {
    return time.milliseconds && !time.is_at_least;
}

/// Absent where it is slower, or where its time is not known.
Result<std::optional<LossRemoval>> removal_by(const Blame& blame, Clock& clock,
                                              const ConfigurationChange& change) {
    LossRemoval removal{change.configuration, change.decisions,
                        clock.program(change.configuration) == clock.program(blame.space->from())};
    if (removal.is_same_program)
        return removal;
    const auto times = newest_times(blame, clock, change);
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

Result<std::optional<LossRemoval>> smallest_loss_removal(const Blame& blame, Clock& clock,
                                                         std::span<const ConfigurationChange> tried) {
    if (!blame.is_significant())
        return std::nullopt;
    const std::size_t most = std::max<std::size_t>(2, blame.space->decisions().size()) - 1;
    const auto order = [](const LossRemoval& each) {
        return std::tuple(each.decisions.size(), !each.is_same_program, each.ratio);
    };
    std::optional<LossRemoval> best;
    for (const ConfigurationChange& change : tried) {
        if (change.decisions.empty() || change.decisions.size() > most)
            continue;
        auto removal = removal_by(blame, clock, change);
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
    Search(const Blame& blame, Clock& clock, const ConfigurationSpace& space,
           const ConfigurationChangeOptions& options)
        : blame_(blame)
        , clock_(clock)
        , space_(space)
        , options_(options) {}

    Result<std::optional<ConfigurationChange>> run() {
        auto found = search();
        if (!found || !*found)
            return found;
        std::vector<ConfigurationChange> changes = std::move(stepped_);
        for (std::size_t count = 1; count <= blame_.space->decisions().size(); ++count)
            std::ranges::move(taken_back(count), std::back_inserter(changes));
        auto removal = smallest_loss_removal(blame_, clock_, changes);
        if (!removal)
            return std::unexpected(std::move(removal.error()));
        const bool is_smaller =
            *removal && (!(*found)->wins || ((*removal)->configuration != (*found)->configuration &&
                                             (*removal)->decisions.size() <= (*found)->decisions.size()));
        if (is_smaller)
            (*found)->removal = std::move(*removal);
        return found;
    }

private:
    Result<std::optional<ConfigurationChange>> search() {
        if (blame_.difference_ms() <= 0)
            return std::nullopt;
        const std::size_t players = blame_.space->decisions().size();
        Configuration start = blame_.space->to();
        for (std::size_t changed = 1; changed <= players; ++changed) {
            std::vector<ConfigurationChange> tried;
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
                start = best->configuration;
        }
        // What takes all decisions back is the other side, and no faster than it. Beyond it lies what neither
        // is.
        auto beyond = steps_from(blame_.space->from());
        if (!beyond)
            return std::unexpected(std::move(beyond.error()));
        auto won = winner(*beyond);
        if (won && !*won && clock_.varies()) {
            auto designed = try_all(some_designs());
            if (!designed)
                return std::unexpected(std::move(designed.error()));
            won = winner(*designed);
        }
        if (!won || *won)
            return won;
        ConfigurationChange all = change_to(blame_.space->from(), blame_.from);
        all.is_other_side = true;
        all.verified = verified_;
        all.nearest = nearest_;
        all.is_cut_short = is_cut_short_;
        return all;
    }

    /// nullptr: none.
    static const ConfigurationChange* fastest(const std::vector<ConfigurationChange>& changes) {
        const auto best = std::ranges::min_element(
            changes, {}, [](const ConfigurationChange& change) { return *change.time.milliseconds; });
        return best == changes.end() ? nullptr : &*best;
    }

    /// A time that was cut off says nothing about winning.
    static bool is_known(const ClockTime& time) { return time.milliseconds && !time.is_at_least; }
    [[nodiscard]] bool seems_to_win(const ClockTime& time) const {
        return *time.milliseconds < *blame_.from.milliseconds;
    }
    [[nodiscard]] bool wins_beyond_spreads(const ClockTime& time) const {
        return seems_to_win(time) && differ_beyond_errors(*time.milliseconds, time.spread_ms,
                                                          *blame_.from.milliseconds, blame_.from.spread_ms);
    }

    /// The fastest change that wins; changes that do not win are remembered as near.
    Result<std::optional<ConfigurationChange>> winner(const std::vector<ConfigurationChange>& changes) {
        if (clock_.varies())
            return winner_in_turns(changes);
        const auto* const best = fastest(changes);
        if (best == nullptr)
            return std::nullopt;
        verified_ += seems_to_win(best->time) ? 1 : 0;
        ConfigurationChange found = *best;
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

    Result<std::optional<ConfigurationChange>> winner_in_turns(std::vector<ConfigurationChange> changes) {
        std::ranges::stable_sort(changes, {},
                                 [](const ConfigurationChange& change) { return *change.time.milliseconds; });
        std::erase_if(changes, [this](const ConfigurationChange& change) {
            return !seems_to_win(change.time) || is_of_the_other_side(change.configuration);
        });
        changes.resize(std::min(changes.size(), candidates_in_turns));
        if (changes.empty())
            return std::nullopt;
        if (is_over())
            return std::nullopt;
        if (auto measured = measure_in_turns(changes); !measured)
            return std::unexpected(std::move(measured.error()));
        verified_ += changes.size();
        std::erase_if(changes, [](const ConfigurationChange& change) { return !change.lead; });
        std::ranges::stable_sort(changes, {},
                                 [](const ConfigurationChange& change) { return change.lead->ratio; });
        for (ConfigurationChange& change : changes) {
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
    Result<void> measure_in_turns(std::span<ConfigurationChange> changes) {
        std::vector<Configuration> candidates;
        std::ranges::transform(changes, std::back_inserter(candidates), &ConfigurationChange::configuration);
        const auto leads = verify_in_turns(clock_, blame_.space->from(), candidates,
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
    Result<std::optional<ConfigurationChange>> with_times(ConfigurationChange change) {
        auto time = clock_.time(change.configuration);
        if (!time)
            return std::unexpected(std::move(time.error()));
        change.time = std::move(*time);
        auto against = clock_.time(blame_.space->from());
        if (!against)
            return std::unexpected(std::move(against.error()));
        change.against = std::move(*against);
        change.verified = verified_;
        return change;
    }

    void remember(const ConfigurationChange& change, const MeasuredLead& lead) {
        if (!nearest_ || lead.ratio < nearest_->ratio)
            nearest_ = NearestChange{change.configuration, change.decisions, lead.ratio, lead.error};
    }

    /// The same program can't be faster.
    [[nodiscard]] bool is_of_the_other_side(const Configuration& configuration) const {
        return clock_.program(configuration) == clock_.program(blame_.space->from());
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

    [[nodiscard]] ConfigurationChange change_to(const Configuration& configuration,
                                                const ClockTime& time) const {
        return {.configuration = configuration,
                .decisions = space_.changes(blame_.space->to(), configuration),
                .time = time,
                .against = blame_.from};
    }

    /// Those hybrids that are known.
    [[nodiscard]] std::vector<ConfigurationChange> taken_back(std::size_t count) const {
        std::vector<ConfigurationChange> changes;
        for (std::size_t place = blame_.sets.size(); place-- > 0;) {
            const DecisionSet taken = blame_.sets.at(place);
            const auto back = static_cast<std::size_t>(std::popcount(blame_.space->all() & ~taken));
            const auto& time = blame_.times[place];
            if (back == count && time && is_known(*time))
                changes.push_back(change_to(blame_.space->at(taken).configuration, *time));
        }
        return changes;
    }

    bool is_over() {
        const bool is_late = options_.deadline && options_.clock() >= *options_.deadline;
        is_cut_short_ = is_cut_short_ || is_late;
        return is_late;
    }

    /// Those that could be tried in time.
    Result<std::vector<ConfigurationChange>> steps_from(const Configuration& start) {
        return try_all(space_.neighbours(start));
    }

    /// Drawn among all, as many as can be screened in a moment.
    [[nodiscard]] std::vector<Configuration> some_designs() const {
        if (options_.steps == 0 || options_.screen == nullptr || !options_.designs)
            return {};
        std::vector<Configuration> designs = options_.designs();
        Random random(1);
        random.shuffle(designs);
        designs.resize(std::min(designs.size(), most_screened_designs));
        return designs;
    }

    Result<std::vector<ConfigurationChange>> try_all(std::vector<Configuration> steps) {
        if (is_over())
            return std::vector<ConfigurationChange>();
        std::erase_if(steps, [this](const Configuration& step) { return is_of_the_other_side(step); });
        if (auto prepared = prepare(steps); !prepared)
            return std::unexpected(std::move(prepared.error()));
        std::vector<ConfigurationChange> changes;
        for (const Configuration& step : steps) {
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "stopped");
            if (is_over())
                break;
            if (clock_.varies())
                tell("trying changes");
            auto time = clock_.time(step);
            if (!time)
                return std::unexpected(std::move(time.error()));
            if (is_known(*time))
                changes.push_back(change_to(step, *time));
        }
        return changes;
    }

    /// The most promising ones, as many as may be tried.
    Result<void> prepare(std::vector<Configuration>& steps) {
        if (options_.screen != nullptr && steps.size() > options_.steps) {
            if (auto screened = options_.screen->prepare(steps, options_.stop); !screened)
                return screened;
            std::vector<std::pair<double, Configuration>> ranked;
            for (const Configuration& step : steps) {
                const auto time = options_.screen->time(step);
                if (!time)
                    return std::unexpected(time.error());
                ranked.emplace_back(time->milliseconds.value_or(std::numeric_limits<double>::infinity()),
                                    step);
            }
            std::ranges::stable_sort(ranked, {}, &std::pair<double, Configuration>::first);
            std::ranges::transform(ranked, steps.begin(), &std::pair<double, Configuration>::second);
        }
        steps.resize(std::min(steps.size(), options_.steps));
        return clock_.prepare(steps, options_.stop);
    }

    const Blame& blame_;
    Clock& clock_;
    const ConfigurationSpace& space_;
    const ConfigurationChangeOptions& options_;
    Milliseconds start_ = options_.clock();
    std::size_t verified_ = 0;
    std::optional<NearestChange> nearest_;
    std::vector<ConfigurationChange> stepped_; ///< what neither side has and was tried on the way back
    bool is_cut_short_ = false;
};

} // namespace

Result<std::optional<ConfigurationChange>>
smallest_configuration_change(const Blame& blame, Clock& clock, const ConfigurationSpace& space,
                              const ConfigurationChangeOptions& options) {
    return Search(blame, clock, space, options).run();
}

} // namespace sparsight
