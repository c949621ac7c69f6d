// The most precise of many rules, found with few draws.
#pragma once

#include "evaluation/model_reasons/anchor_search.h"
#include "evaluation/model_reasons/bernoulli_bounds.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

struct CandidateRule {
    std::vector<std::size_t> predicates{}; ///< ascending
    std::int64_t covered = 0;              ///< of the cases without a rule
    std::int64_t covered_same = 0;         ///< … with the same choice
    std::int64_t draws = 0;
    std::int64_t same = 0;   ///< draws with the same choice
    std::size_t batches = 0; ///< in which the draws were made: it may be looked at after each

    double expected = 0; ///< precision of the rule that it extends: what it has without any case of its own

    /// What speaks for extending it. The cases without a rule cost nothing more, and tell rules apart where
    /// most draws of all of them are alike; they are no draws of the rule, so nothing is proved by them.
    [[nodiscard]] double promise() const {
        constexpr double weight = 10; // of what is expected, in cases
        return (static_cast<double>(same + covered_same) + weight * expected) /
               (static_cast<double>(draws + covered) + weight);
    }
};

/// Draws of a space, counted and within their limits.
class RuleSampler {
public:
    /// Refers to both.
    RuleSampler(AnchorSpace& space, const AnchorOptions& options);

    [[nodiscard]] std::size_t predicates() const { return space_.predicates(); }
    [[nodiscard]] std::size_t calls() const { return calls_; }
    /// Calls or time are over; from then on was_cut().
    [[nodiscard]] bool is_over();
    [[nodiscard]] bool was_cut() const { return was_cut_; }

    [[nodiscard]] Result<std::vector<AnchorDraw>> draw(std::span<const std::size_t> kept, std::size_t count);
    /// One batch more.
    [[nodiscard]] Result<void> add_draws(CandidateRule& rule);

private:
    AnchorSpace& space_;
    const AnchorOptions& options_;
    Random random_;
    std::size_t calls_ = 0;
    bool was_cut_ = false;
};

/// The options' `beam` most promising ones, the best first; of equal ones those that cover more. Draws are
/// made until none that is left out is more precise by more than the tolerance, at the confidence (KL-LUCB),
/// or until so many calls were made in all.
[[nodiscard]] Result<std::vector<CandidateRule>> best_rules(std::vector<CandidateRule> rules,
                                                            RuleSampler& sampler,
                                                            const AnchorOptions& options, std::size_t calls);

} // namespace sparsight
