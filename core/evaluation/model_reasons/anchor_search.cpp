#include "evaluation/model_reasons/anchor_search.h"

#include "evaluation/model_reasons/best_rules.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace sparsight {

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

    /// With what the cases without a rule say of it.
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

    /// Rules whose draws may be looked at: the empty one, those that are drawn of each length, and those that
    /// are left when a predicate is spared. Which ones they are depends on earlier draws, but each starts
    /// with draws of its own, so a union over their number is enough.
    [[nodiscard]] std::size_t looked_at() const {
        const std::size_t of_a_length =
            std::min(sampler_.predicates() * options_.beam, std::max(options_.shortlist, options_.beam));
        return 1 + options_.longest * (of_a_length + options_.longest);
    }

    /// Over all rules that are looked at, after each batch of draws, and whenever the search stops, the
    /// confidence holds (anytime_level()). Ribeiro et al., algorithm 2, take a level for one look alone.
    [[nodiscard]] double level(const CandidateRule& rule) const {
        return anytime_level(looked_at(), std::max<std::size_t>(rule.batches, 1), options_.confidence);
    }

    [[nodiscard]] AnchorRule told(const CandidateRule& rule) const {
        return {rule.predicates, divergence_bounds(rule.same, rule.draws, level(rule)),
                chernoff_bounds(rule.covered, static_cast<std::int64_t>(cases_.size()), options_.confidence)};
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
