#include "evaluation/diagnosis/blame.h"

#include "evaluation/diagnosis/hybrid_times.h"
#include "evaluation/diagnosis/paired_measurement.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace sparsight {

namespace {

/// Of the slower end's time: what takes longer costs more time to measure than it could tell.
constexpr double hopeless_factor = 2;
/// Beyond its sampling error by this many standard errors a share is not the sample's accident.
constexpr double sampling_errors = 2;
/// Of the budget: by then the repeats are over, and the rest is that of smaller changes.
constexpr double repeats_share = 0.7;
/// Nearly equal times need not be told apart to a twentieth of what parts them: to one of so much of them.
constexpr double least_difference = 0.1;
/// Runs of another measurement, with what comes before them.
constexpr double runs_of_a_measurement = 6;

class Investigation {
public:
    Investigation(std::shared_ptr<const HybridSpace> space, Clock& clock, const BlameOptions& options)
        : shared_space_(std::move(space))
        , space_(*shared_space_)
        , clock_(clock)
        , options_(options)
        , times_(space_, clock, options) {}

    Result<Blame> run() {
        if (auto asked = times_.time_ends(); !asked)
            return std::unexpected(std::move(asked.error()));
        clock_.set_limit(hopeless_factor * std::max(*times_.from().milliseconds, *times_.to().milliseconds));
        Blame blame{.space = shared_space_, .from = times_.from(), .to = times_.to()};
        blame.is_same_program = times_.are_ends_one_program();
        if (players() > 0) {
            if (auto asked = times_.time_hybrids(); !asked)
                return std::unexpected(std::move(asked.error()));
            const ShapleyShares shares = make_shares(blame);
            if (auto refined = refine(shares); !refined)
                return std::unexpected(std::move(refined.error()));
            blame.from = times_.from();
            blame.to = times_.to();
            share_out(shares, blame);
        }
        blame.counts = times_.counts();
        blame.sets = times_.sets();
        blame.times = times_.by_place();
        return blame;
    }

private:
    [[nodiscard]] std::size_t players() const { return space_.decisions().size(); }

    [[nodiscard]] ShapleyShares make_shares(Blame& blame) const {
        blame.is_exact = times_.is_complete();
        const std::vector<bool> known = times_.has_time();
        ShapleyShares shares = blame.is_exact
                                   ? ShapleyShares::exact(players(), known)
                                   : ShapleyShares::of_orders(players(), times_.complete_draws(),
                                                              orders_per_draw, known, times_.sets());
        blame.draws = shares.samples();
        blame.walked_orders = shares.walked();
        return shares;
    }

    /// Of each player, its weights by program.
    [[nodiscard]] std::vector<ErrorBar> bars(const ShapleyShares& shares) const {
        const auto in_ms = shares.of(times_.milliseconds());
        const auto weights = shares.weights();
        std::vector<ErrorBar> bars;
        for (std::size_t bit = 0; bit < players(); ++bit) {
            ErrorBar& bar = bars.emplace_back(in_ms[bit], std::vector<double>(times_.groups()));
            for (std::size_t place = 0; place < times_.sets().size(); ++place)
                bar.weights[times_.group(place)] += weights[bit][place];
        }
        return bars;
    }

    /// A turn of all that matters, there and back, until the bars are settled.
    Result<void> refine(const ShapleyShares& shares) {
        if (!clock_.varies() || !options_.budget || times_.are_ends_one_program())
            return {};
        for (bool is_backwards = false; !times_.is_over(repeats_share); is_backwards = !is_backwards) {
            std::vector<std::size_t> wanted = wanted_groups(shares);
            if (wanted.empty() && !mixes_moments())
                return {};
            add_ends(wanted);
            if (wanted.empty())
                return {};
            if (is_backwards)
                std::ranges::reverse(wanted);
            for (const std::size_t group : wanted) {
                tell_time();
                if (auto asked = times_.repeat(group); !asked)
                    return asked;
            }
        }
        return {};
    }

    /// Whether a time that was stored is compared with one that was measured now: the computer may be twice
    /// as slow by now, and no spread of either knows of it.
    [[nodiscard]] bool mixes_moments() const {
        const auto is_stored = [](const auto& time) {
            return time && time->milliseconds && time->turns == 0;
        };
        const auto is_new = [](const auto& time) { return time && time->milliseconds && time->turns > 0; };
        const auto& times = times_.by_place();
        return (is_stored(times.front()) || is_stored(times.back())) && std::ranges::any_of(times, is_new);
    }

    /// What is measured again is so beside both ends: a slow moment hits all alike.
    void add_ends(std::vector<std::size_t>& wanted) const {
        const auto times = times_.milliseconds_of_groups();
        for (const std::size_t end : {times_.group(0), times_.group(times_.last_place())})
            if (std::ranges::find(wanted, end) == wanted.end() && times_.can_be_repeated(end) &&
                runs_of_a_measurement * times[end] <= time_left())
                wanted.push_back(end);
    }

    /// In milliseconds, for repeats.
    [[nodiscard]] double time_left() const {
        return Milliseconds(*options_.budget * repeats_share - times_.spent()).count();
    }

    /// Without those that would take longer than there is time: no more can be known of them.
    [[nodiscard]] std::vector<std::size_t> wanted_groups(const ShapleyShares& shares) const {
        std::vector<ErrorBar> all = bars(shares);
        ErrorBar& whole = all.emplace_back(*times_.to().milliseconds - *times_.from().milliseconds,
                                           std::vector<double>(times_.groups()));
        whole.weights[times_.group(times_.last_place())] += 1;
        whole.weights[times_.group(0)] -= 1;
        const double difference =
            std::max(std::abs(whole.milliseconds), least_difference * *times_.from().milliseconds);
        const auto times = times_.milliseconds_of_groups();
        auto spreads = times_.spreads_of_groups();
        const double left = time_left();
        for (std::size_t group = 0; group < times.size(); ++group)
            if (!times_.can_be_repeated(group) || runs_of_a_measurement * times[group] > left)
                spreads[group] = 0;
        return times_to_repeat(all, times, spreads, difference);
    }

    /// How many measurements it takes nobody knows, but when they are over at the latest.
    void tell_time() const {
        if (!options_.progress)
            return;
        const auto until = static_cast<std::uint64_t>(Milliseconds(*options_.budget * repeats_share).count());
        const auto spent = static_cast<std::uint64_t>(times_.spent().count());
        options_.progress({"measuring again what is uncertain", std::min(spent, until), until});
    }

    void share_out(const ShapleyShares& shares, Blame& blame) const {
        const auto in_log =
            shares.of(times_.values([](const ClockTime& time) { return std::log(*time.milliseconds); }));
        const auto errors = shares.standard_errors(times_.milliseconds());
        const auto error_bars = bars(shares);
        const auto times = times_.milliseconds_of_groups();
        const auto spreads = times_.spreads_of_groups();
        std::vector<bool> is_cut_off;
        std::ranges::transform(times_.by_place(), std::back_inserter(is_cut_off),
                               [](const auto& time) { return time && time->is_at_least; });
        const std::vector<bool> is_bounded = shares.touches(is_cut_off);
        const std::vector<bool> is_change = changes_of_program(shares);
        for (std::size_t bit = 0; bit < players(); ++bit) {
            DecisionShare& share = blame.shares.emplace_back(
                DecisionShare{.decision = space_.decisions()[bit],
                              .bit = bit,
                              .milliseconds = error_bars[bit].milliseconds,
                              .factor = std::exp(in_log[bit]),
                              .sampling_error_ms = errors[bit],
                              .noise_ms = is_change[bit] ? error_bars[bit].error(times, spreads) : 0,
                              .is_same_program = !is_change[bit],
                              .is_bounded = is_bounded[bit]});
            share.is_significant =
                share.is_sign_decided() && std::abs(share.milliseconds) > share.uncertainty_ms();
        }
        add_terms(shares, blame);
        std::ranges::stable_sort(blame.shares, std::greater(), &DecisionShare::milliseconds);
    }

    /// By decision, whether it ever led from one program to another one.
    [[nodiscard]] std::vector<bool> changes_of_program(const ShapleyShares& shares) const {
        std::vector<bool> changes(players());
        for (const MarginalStep& step : shares.steps())
            if (times_.group(step.before) != times_.group(step.after))
                changes[step.player] = true;
        return changes;
    }

    /// Where each time has its terms, and all have the same ones.
    void add_terms(const ShapleyShares& shares, Blame& blame) const {
        const TermVector& named = times_.from().terms;
        const bool are_there = std::ranges::all_of(times_.by_place(), [&](const auto& time) {
            return !time || !time->milliseconds ||
                   std::ranges::equal(time->terms, named, {}, &TimeShare::name, &TimeShare::name);
        });
        if (!are_there)
            return;
        for (std::size_t term = 0; term < named.size(); ++term) {
            const auto of_term = shares.of(
                times_.values([&](const ClockTime& time) { return time.terms[term].milliseconds; }));
            for (DecisionShare& share : blame.shares)
                share.terms.push_back({named[term].name, of_term[share.bit]});
        }
    }

    std::shared_ptr<const HybridSpace> shared_space_;
    const HybridSpace& space_;
    Clock& clock_;
    const BlameOptions& options_;
    HybridTimes times_;
};

} // namespace

double DecisionShare::uncertainty_ms() const {
    return std::hypot(noise_ms, sampling_errors * sampling_error_ms);
}

bool DecisionShare::is_sign_decided() const {
    return milliseconds * std::log(factor) >= 0;
}

bool Blame::is_significant() const {
    return !is_same_program &&
           differ_beyond_errors(*to.milliseconds, to.spread_ms, *from.milliseconds, from.spread_ms);
}

const ClockTime* Blame::time_of(DecisionSet taken) const {
    const auto place = sets.place(taken);
    return place && times[*place] ? &*times[*place] : nullptr;
}

const DecisionShare& Blame::share_of(std::size_t bit) const {
    return *std::ranges::find(shares, bit, &DecisionShare::bit);
}

Result<Blame> find_blame(std::shared_ptr<const HybridSpace> space, Clock& clock,
                         const BlameOptions& options) {
    return Investigation(std::move(space), clock, options).run();
}

std::vector<WaterfallStep> waterfall(const Blame& blame) {
    std::vector<WaterfallStep> steps;
    double level = *blame.from.milliseconds;
    for (std::size_t share = 0; share < blame.shares.size(); ++share) {
        const double begin = level;
        level += blame.shares[share].milliseconds;
        steps.push_back({share, begin, level});
    }
    if (!steps.empty())
        steps.back().end_ms = *blame.to.milliseconds; // but for the last bits of rounding it is that
    return steps;
}

} // namespace sparsight
