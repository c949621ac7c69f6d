#include "evaluation/diagnosis/blame.h"

#include "evaluation/diagnosis/build_remedy.h"
#include "evaluation/diagnosis/shapley.h"
#include "evaluation/noise.h"
#include "schedule/hash.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>

namespace sparsight {

namespace {

/// Of the slower end's time: what takes longer costs more time to measure than it could tell.
constexpr double hopeless_factor = 2;
/// Beyond its sampling error by this many standard errors a share is not the sample's accident.
constexpr double sampling_errors = 2;

class Investigation {
public:
    Investigation(const HybridSpace& space, HybridEvaluator& evaluator, const BlameOptions& options)
        : space_(space)
        , evaluator_(evaluator)
        , options_(options)
        , start_(options.clock()) {
        for (DecisionSet taken = 0; taken < space.size(); ++taken)
            hybrids_.push_back(space.at(taken));
        for (const Hybrid& hybrid : hybrids_)
            programs_.push_back(evaluator.program(hybrid.schedule));
        times_.resize(hybrids_.size());
    }

    Result<Blame> run() {
        if (auto asked = ask_ends(); !asked)
            return std::unexpected(std::move(asked.error()));
        evaluator_.set_limit(hopeless_factor *
                             std::max(*times_.front()->milliseconds, *times_.back()->milliseconds));
        Blame blame{.space = space_, .from = *times_.front(), .to = *times_.back()};
        blame.is_same_program = programs_.front() == programs_.back();
        if (players() > 0) {
            if (auto asked = ask_hybrids(); !asked)
                return std::unexpected(std::move(asked.error()));
            share_out(blame);
        }
        blame.counts = counts();
        blame.times = times_;
        return blame;
    }

private:
    [[nodiscard]] std::size_t players() const { return space_.decisions().size(); }
    [[nodiscard]] bool is_tried(DecisionSet taken) const { return times_[taken].has_value(); }
    [[nodiscard]] bool out_of_time() const {
        return options_.budget && options_.clock() - start_ >= *options_.budget;
    }

    Result<void> ask(DecisionSet taken) {
        if (is_tried(taken))
            return {};
        if (options_.stop.stop_requested())
            return fail(Fault::Cancelled, "stopped");
        auto time = evaluator_.time(hybrids_[taken].schedule);
        if (!time)
            return std::unexpected(std::move(time.error()));
        times_[taken] = std::move(*time);
        if (options_.progress)
            options_.progress({"comparing", ++done_, std::max(done_, total_)});
        return {};
    }

    Result<void> ask_ends() {
        for (const DecisionSet end : {DecisionSet{0}, space_.all()}) {
            if (auto asked = ask(end); !asked)
                return asked;
            if (times_[end]->milliseconds)
                continue;
            auto text = unbuildable_text(space_, end, times_[end]->reason, evaluator_);
            return text ? fail(Fault::Limit, std::move(*text)) : std::unexpected(std::move(text.error()));
        }
        return {};
    }

    /// In the order of the draws, so that they are complete when time is up; then what is left.
    Result<void> ask_hybrids() {
        Random random(options_.seed);
        orders_ = draw_orders(players(), options_.draws, random);
        std::vector<DecisionSet> queue;
        for (const auto& order : orders_)
            std::ranges::copy(coalitions_of(order), std::back_inserter(queue));
        if (players() <= options_.exact_up_to)
            for (DecisionSet taken = 0; taken < space_.size(); ++taken)
                queue.push_back(taken);
        std::vector<SuperSchedule> wanted;
        std::unordered_set<DecisionSet> seen;
        std::erase_if(queue, [&](DecisionSet taken) { return !seen.insert(taken).second; });
        std::ranges::transform(queue, std::back_inserter(wanted),
                               [&](DecisionSet taken) { return hybrids_[taken].schedule; });
        total_ = queue.size();
        if (auto prepared = evaluator_.prepare(wanted, options_.stop); !prepared)
            return prepared;

        const std::vector<Coalition> first_draw = first_draw_coalitions();
        for (const DecisionSet taken : queue) {
            if (out_of_time() && std::ranges::find(first_draw, taken) == first_draw.end())
                break;
            if (auto asked = ask(taken); !asked)
                return asked;
        }
        return {};
    }

    [[nodiscard]] std::vector<Coalition> first_draw_coalitions() const {
        std::vector<Coalition> coalitions;
        for (std::size_t order = 0; order < orders_per_draw; ++order)
            std::ranges::copy(coalitions_of(orders_[order]), std::back_inserter(coalitions));
        return coalitions;
    }

    [[nodiscard]] std::vector<bool> has_time() const {
        std::vector<bool> known;
        std::ranges::transform(times_, std::back_inserter(known),
                               [](const auto& time) { return time && time->milliseconds; });
        return known;
    }

    /// The draws whose hybrids were all asked for.
    [[nodiscard]] std::vector<std::vector<std::uint16_t>> complete_draws() const {
        std::vector<std::vector<std::uint16_t>> complete;
        for (std::size_t begin = 0; begin < orders_.size(); begin += orders_per_draw) {
            const auto draw = std::span(orders_).subspan(begin, orders_per_draw);
            const bool is_complete = std::ranges::all_of(draw, [&](const auto& order) {
                return std::ranges::all_of(coalitions_of(order),
                                           [&](Coalition each) { return is_tried(each); });
            });
            if (is_complete)
                complete.insert(complete.end(), draw.begin(), draw.end());
        }
        return complete;
    }

    template <typename Value>
    [[nodiscard]] std::vector<double> values(Value value) const {
        std::vector<double> result;
        std::ranges::transform(times_, std::back_inserter(result), [&](const auto& time) {
            return time && time->milliseconds ? value(*time) : 0;
        });
        return result;
    }

    void share_out(Blame& blame) const {
        blame.is_exact = std::ranges::all_of(times_, [](const auto& time) { return time.has_value(); });
        const std::vector<bool> known = has_time();
        const ShapleyShares shares =
            blame.is_exact ? ShapleyShares::exact(players(), known)
                           : ShapleyShares::of_orders(players(), complete_draws(), orders_per_draw, known);
        blame.draws = shares.samples();
        blame.walked_orders = shares.walked();

        const auto milliseconds = values([](const HybridTime& time) { return *time.milliseconds; });
        const auto in_ms = shares.of(milliseconds);
        const auto in_log =
            shares.of(values([](const HybridTime& time) { return std::log(*time.milliseconds); }));
        const auto errors = shares.standard_errors(milliseconds);
        const auto noise = shares.spreads(values([](const HybridTime& time) { return time.spread_ms; }));
        std::vector<bool> is_cut_off;
        std::ranges::transform(times_, std::back_inserter(is_cut_off),
                               [](const auto& time) { return time && time->is_at_least; });
        const std::vector<bool> is_bounded = shares.touches(is_cut_off);
        const std::vector<bool> is_change = changes_of_program(shares);
        for (std::size_t bit = 0; bit < players(); ++bit)
            blame.shares.push_back({.decision = space_.decisions()[bit],
                                    .bit = bit,
                                    .milliseconds = in_ms[bit],
                                    .factor = std::exp(in_log[bit]),
                                    .sampling_error_ms = errors[bit],
                                    .noise_ms = is_change[bit] ? noise[bit] : 0,
                                    .is_significant = differ_beyond_noise(
                                        in_ms[bit], noise[bit] + sampling_errors * errors[bit]),
                                    .is_same_program = !is_change[bit],
                                    .is_bounded = is_bounded[bit]});
        add_parts(shares, blame);
        std::ranges::stable_sort(blame.shares, std::greater(), &DecisionShare::milliseconds);
    }

    /// By decision, whether it ever led from one program to another one.
    [[nodiscard]] std::vector<bool> changes_of_program(const ShapleyShares& shares) const {
        std::vector<bool> changes(players());
        for (const MarginalStep& step : shares.steps())
            if (programs_[step.before] != programs_[step.after])
                changes[step.player] = true;
        return changes;
    }

    void add_parts(const ShapleyShares& shares, Blame& blame) const {
        const bool are_there = std::ranges::all_of(
            times_, [](const auto& time) { return !time || !time->milliseconds || time->parts; });
        if (!are_there)
            return;
        for (DecisionShare& share : blame.shares)
            share.parts.emplace();
        for (const TimeTerm term : all_time_terms()) {
            const auto of_term =
                shares.of(values([&](const HybridTime& time) { return (*time.parts)[term]; }));
            for (DecisionShare& share : blame.shares)
                (*share.parts)[term] = of_term[share.bit];
        }
    }

    [[nodiscard]] HybridCounts counts() const {
        HybridCounts counts{.all = hybrids_.size()};
        std::unordered_set<SuperSchedule> different;
        std::unordered_set<std::string_view> programs;
        for (std::size_t taken = 0; taken < hybrids_.size(); ++taken) {
            counts.repaired += hybrids_[taken].is_repaired ? 1 : 0;
            const auto& time = times_[taken];
            if (!time)
                continue;
            ++counts.asked;
            different.insert(hybrids_[taken].schedule);
            programs.insert(programs_[taken]);
            counts.without_time += time->milliseconds ? 0 : 1;
            counts.at_least += time->is_at_least ? 1 : 0;
        }
        counts.schedules = different.size();
        counts.programs = programs.size();
        return counts;
    }

    const HybridSpace& space_;
    HybridEvaluator& evaluator_;
    const BlameOptions& options_;
    Milliseconds start_;
    std::vector<Hybrid> hybrids_; ///< by DecisionSet, as `programs_` and `times_`
    std::vector<std::string> programs_;
    std::vector<std::optional<HybridTime>> times_;
    std::vector<std::vector<std::uint16_t>> orders_;
    std::uint64_t done_ = 0;
    std::uint64_t total_ = 2;
};

} // namespace

const DecisionShare& Blame::share_of(std::size_t bit) const {
    return *std::ranges::find(shares, bit, &DecisionShare::bit);
}

Result<Blame> find_blame(const HybridSpace& space, HybridEvaluator& evaluator, const BlameOptions& options) {
    return Investigation(space, evaluator, options).run();
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
