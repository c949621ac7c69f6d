#include "evaluation/model_reasons/anchor_search.h"

#include "study/student.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>
#include <utility>

namespace sparsight {

namespace {

constexpr int halvings = 40;
constexpr double alpha = 1.1;

/// x · log(x / y), continued to its limits.
double weighed_log(double x, double y) {
    return x <= 0 ? 0 : x * std::log(x / y);
}

/// Between `inside`, where the divergence from p is small enough, and `outside`, where it is too large.
double farthest(double p, double inside, double outside, double level) {
    for (int step = 0; step < halvings; ++step) {
        const double middle = (inside + outside) / 2;
        (coin_divergence(p, middle) <= level ? inside : outside) = middle;
    }
    return inside;
}

/// log(k₁ K tᵅ / δ).
double logarithmic_rate(double k1, std::size_t arms, std::size_t time, double confidence) {
    return std::log(k1 * static_cast<double>(arms) * std::pow(static_cast<double>(time), alpha) /
                    (1 - confidence));
}

} // namespace

double coin_divergence(double p, double q) {
    return weighed_log(p, q) + weighed_log(1 - p, 1 - q);
}

BoundedShare divergence_bounds(std::int64_t successes, std::int64_t draws, double level) {
    if (draws == 0)
        return {};
    const double share = static_cast<double>(successes) / static_cast<double>(draws);
    const double level_each = level / static_cast<double>(draws);
    return {share, farthest(share, share, 0, level_each), farthest(share, share, 1, level_each), draws};
}

double lucb_level(std::size_t arms, std::size_t round, double confidence) {
    constexpr double e = std::numbers::e;
    constexpr double k1 = 2 * e + 1 + e / (alpha - 1) + (e + 1) / ((alpha - 1) * (alpha - 1)) + 0.1;
    const double rate = logarithmic_rate(k1, arms, round, confidence);
    return rate + std::log(rate);
}

double anytime_level(std::size_t arms, std::size_t batches, double confidence) {
    constexpr double k1 = 1 + 1 / (alpha - 1) + 0.1;
    return logarithmic_rate(k1, arms, batches, confidence);
}

BoundedShare chernoff_bounds(std::int64_t successes, std::int64_t draws, double confidence) {
    return divergence_bounds(successes, draws, std::log(2 / (1 - confidence)));
}

BoundedShare wilson_bounds(std::int64_t successes, std::int64_t draws) {
    if (draws == 0)
        return {};
    const double share = static_cast<double>(successes) / static_cast<double>(draws);
    const ShareBounds bounds = wilson(share, static_cast<double>(draws));
    return {share, bounds.lowest, bounds.highest, draws};
}

namespace {

/// Sorts the most promising rules first; a function of the known draws alone.
void sort_rules(std::vector<CandidateRule>& rules) {
    std::ranges::sort(rules, [](const CandidateRule& one, const CandidateRule& other) {
        return std::tuple(-one.promise(), -one.covered, std::cref(one.predicates).get()) <
               std::tuple(-other.promise(), -other.covered, std::cref(other.predicates).get());
    });
}

struct Contested {
    std::size_t weakest = 0;    ///< of the best
    std::size_t challenger = 0; ///< of the others
    double gap = 0;             ///< by which the challenger may be better
};

/// Of rules in their order, with `kept` of them ahead and at least one behind.
Contested contested(const std::vector<CandidateRule>& rules, std::size_t kept, double level) {
    Contested found{.weakest = 0, .challenger = kept, .gap = 0};
    double lowest = 2;
    double highest = -1;
    for (std::size_t place = 0; place < rules.size(); ++place) {
        const BoundedShare bounds = divergence_bounds(rules[place].same, rules[place].draws, level);
        if (place < kept && bounds.lowest < lowest) {
            lowest = bounds.lowest;
            found.weakest = place;
        }
        if (place >= kept && bounds.highest > highest) {
            highest = bounds.highest;
            found.challenger = place;
        }
    }
    found.gap = highest - lowest;
    return found;
}

} // namespace

RuleSampler::RuleSampler(AnchorSpace& space, const AnchorOptions& options)
    : space_(space)
    , options_(options)
    , random_(options.seed) {}

bool RuleSampler::is_over() {
    const bool over = calls_ >= options_.calls || (options_.is_over && options_.is_over());
    was_cut_ = was_cut_ || over;
    return over;
}

Result<std::vector<AnchorDraw>> RuleSampler::draw(std::span<const std::size_t> kept, std::size_t count) {
    if (options_.stop.stop_requested())
        return fail(Fault::Cancelled, "stopped while looking for a rule");
    calls_ += count;
    auto draws = space_.draw(kept, count, random_);
    if (draws && options_.progress)
        options_.progress({"looking for a rule", std::min(calls_, options_.calls), options_.calls});
    return draws;
}

Result<void> RuleSampler::add_draws(CandidateRule& rule) {
    const auto draws = draw(rule.predicates, options_.batch);
    if (!draws)
        return std::unexpected(draws.error());
    ++rule.batches;
    rule.draws += static_cast<std::int64_t>(draws->size());
    rule.same += std::ranges::count(*draws, true, &AnchorDraw::is_same_choice);
    return {};
}

Result<std::vector<CandidateRule>> best_rules(std::vector<CandidateRule> rules, RuleSampler& sampler,
                                              const AnchorOptions& options, std::size_t calls) {
    sort_rules(rules);
    rules.resize(std::min(rules.size(), std::max(options.shortlist, options.beam)));
    for (CandidateRule& rule : rules) {
        if (sampler.is_over())
            break;
        if (auto added = sampler.add_draws(rule); !added)
            return std::unexpected(std::move(added).error());
    }
    const std::size_t kept = std::min(options.beam, rules.size());
    for (std::size_t round = 1; kept < rules.size() && !sampler.is_over(); ++round) {
        sort_rules(rules);
        const Contested at = contested(rules, kept, lucb_level(rules.size(), round, options.confidence));
        if (at.gap < options.tolerance)
            break;
        if (sampler.calls() >= calls)
            break;
        for (const std::size_t place : {at.weakest, at.challenger})
            if (auto added = sampler.add_draws(rules[place]); !added)
                return std::unexpected(std::move(added).error());
    }
    sort_rules(rules);
    rules.resize(kept);
    return rules;
}

namespace {

using Predicates = std::vector<std::size_t>;

class AnchorSearch {
public:
    AnchorSearch(AnchorSpace& space, const AnchorOptions& options)
        : options_(options)
        , sampler_(space, options) {}

    [[nodiscard]] Result<AnchorSearchResult> run() {
        if (auto drawn = draw_without_rule(); !drawn)
            return std::unexpected(std::move(drawn).error());
        std::vector<CandidateRule> beam{candidate({})};
        beam.front().draws = beam.front().covered; // of the empty rule they are draws
        beam.front().batches = 1;
        beam.front().same = beam.front().covered_same;
        result_.unconditional = chernoff_bounds(beam.front().same, beam.front().draws, options_.confidence);
        if (auto decided = take_precise(beam); !decided)
            return std::unexpected(std::move(decided).error());
        while (!result_.rule && length_ < options_.longest && !sampler_.is_over()) {
            ++length_;
            std::vector<CandidateRule> candidates = extensions(beam);
            if (candidates.empty())
                break;
            auto best = best_rules(std::move(candidates), sampler_, options_, calls_until());
            if (!best)
                return std::unexpected(std::move(best).error());
            beam = *std::move(best);
            if (auto decided = take_precise(beam); !decided)
                return std::unexpected(std::move(decided).error());
        }
        if (auto spared = spare_predicates(); !spared)
            return std::unexpected(std::move(spared).error());
        result_.calls = static_cast<std::int64_t>(sampler_.calls());
        result_.complete = !sampler_.was_cut();
        if (result_.rule)
            result_.nearest.reset();
        return std::move(result_);
    }

private:
    [[nodiscard]] Result<void> draw_without_rule() {
        auto draws = sampler_.draw({}, options_.coverage_draws);
        if (!draws)
            return std::unexpected(std::move(draws).error());
        cases_ = *std::move(draws);
        return {};
    }

    /// The rule with its counts over the cases without a rule.
    [[nodiscard]] CandidateRule candidate(Predicates predicates) const {
        CandidateRule rule{.predicates = std::move(predicates)};
        for (const AnchorDraw& each : cases_)
            if (std::ranges::all_of(rule.predicates, [&](std::size_t place) { return each.holds[place]; })) {
                ++rule.covered;
                rule.covered_same += each.is_same_choice ? 1 : 0;
            }
        return rule;
    }

    /// Rules with one predicate more. One that excludes nothing that its rule leaves in says nothing new.
    [[nodiscard]] std::vector<CandidateRule> extensions(const std::vector<CandidateRule>& beam) const {
        std::set<Predicates> known;
        std::vector<CandidateRule> found;
        for (const CandidateRule& rule : beam)
            for (std::size_t place = 0; place < sampler_.predicates(); ++place) {
                if (std::ranges::binary_search(rule.predicates, place))
                    continue;
                Predicates predicates = rule.predicates;
                predicates.insert(std::ranges::lower_bound(predicates, place), place);
                if (!known.insert(predicates).second)
                    continue;
                CandidateRule longer = candidate(std::move(predicates));
                longer.expected = rule.promise();
                if (longer.covered != rule.covered)
                    found.push_back(std::move(longer));
            }
        return found;
    }

    /// Shared among the lengths that are left, so that the longer ones have their turn.
    [[nodiscard]] std::size_t calls_until() const {
        const std::size_t left = options_.calls - std::min(options_.calls, sampler_.calls());
        return sampler_.calls() + left / (options_.longest - length_ + 1);
    }

    /// The most rules whose draws are tested: the empty one, those drawn of each length, and those that
    /// remain when a predicate is removed. Which rules these are depends on earlier draws, but each starts
    /// with draws of its own, so a union over their number is enough.
    [[nodiscard]] std::size_t looked_at() const {
        const std::size_t of_a_length =
            std::min(sampler_.predicates() * options_.beam, std::max(options_.shortlist, options_.beam));
        return 1 + options_.longest * (of_a_length + options_.longest);
    }

    /// The confidence holds over both bounds of all tested rules, after each batch of draws, and whenever the
    /// search stops (anytime_level()). Ribeiro et al., algorithm 2, use a level for a single test.
    [[nodiscard]] double level(const CandidateRule& rule) const {
        return anytime_level(2 * looked_at(), std::max<std::size_t>(rule.batches, 1), options_.confidence);
    }

    /// All rules are counted over the same cases, and the one that covers most is taken: the bounds of
    /// coverage hold over all of them together, too.
    [[nodiscard]] AnchorRule told(const CandidateRule& rule) const {
        const double level_of_coverage =
            std::log(2 * static_cast<double>(looked_at()) / (1 - options_.confidence));
        return {rule.predicates, divergence_bounds(rule.same, rule.draws, level(rule)),
                divergence_bounds(rule.covered, static_cast<std::int64_t>(cases_.size()), level_of_coverage)};
    }

    /// Draws until it is clear whether the rule is precise enough, or no more draws are worth it.
    [[nodiscard]] Result<bool> is_precise(CandidateRule& rule) {
        constexpr std::int64_t most_draws = 8000;
        while (true) {
            const BoundedShare precision = divergence_bounds(rule.same, rule.draws, level(rule));
            if (precision.lowest >= options_.precision && rule.draws > 0)
                return true;
            if (precision.highest < options_.precision || rule.draws >= most_draws || sampler_.is_over())
                return false;
            if (auto added = sampler_.add_draws(rule); !added)
                return std::unexpected(std::move(added).error());
        }
    }

    [[nodiscard]] Result<void> take_precise(std::vector<CandidateRule>& beam) {
        for (CandidateRule& rule : beam) {
            const auto precise = is_precise(rule);
            if (!precise)
                return std::unexpected(precise.error());
            AnchorRule known = told(rule);
            if (*precise && (!result_.rule || known.coverage.value > result_.rule->coverage.value))
                result_.rule = known;
            if (!rule.predicates.empty() &&
                (!result_.nearest || known.precision.lowest > result_.nearest->precision.lowest))
                result_.nearest = std::move(known);
        }
        return {};
    }

    /// A beam is greedy: a predicate that was taken early may not be needed in the end.
    [[nodiscard]] Result<void> spare_predicates() {
        for (std::size_t place = 0; result_.rule && place < result_.rule->predicates.size();) {
            Predicates predicates = result_.rule->predicates;
            predicates.erase(predicates.begin() + static_cast<std::ptrdiff_t>(place));
            CandidateRule shorter = candidate(std::move(predicates));
            const auto precise = is_precise(shorter);
            if (!precise)
                return std::unexpected(precise.error());
            if (*precise) {
                result_.rule = told(shorter);
                place = 0;
            } else {
                ++place;
            }
        }
        return {};
    }

    const AnchorOptions& options_;
    RuleSampler sampler_;
    std::vector<AnchorDraw> cases_; ///< without a rule
    std::size_t length_ = 0;
    AnchorSearchResult result_;
};

} // namespace

Result<AnchorSearchResult> find_anchor(AnchorSpace& space, const AnchorOptions& options) {
    return AnchorSearch(space, options).run();
}

} // namespace sparsight
