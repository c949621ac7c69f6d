#include "evaluation/model_reasons/best_rules.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace sparsight {

namespace {

/// The most promising ones come first; a function of what is known alone.
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

} // namespace sparsight
