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
    std::int64_t draws = 0;
    std::int64_t same = 0; ///< draws with the same choice

    [[nodiscard]] double precision() const {
        return draws > 0 ? static_cast<double>(same) / static_cast<double>(draws) : 0;
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
    /// Something was left open for want of calls or time.
    [[nodiscard]] bool was_cut() const { return was_cut_; }
    void cut() { was_cut_ = true; }

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

/// The options' `beam` most precise ones, the best first (KL-LUCB): each that is left out is better by the
/// tolerance at most, at the confidence; of equally precise ones those that cover more. Where so many calls
/// were made in all before that is sure, the best by what is known.
[[nodiscard]] Result<std::vector<CandidateRule>> best_rules(std::vector<CandidateRule> rules,
                                                            RuleSampler& sampler,
                                                            const AnchorOptions& options, std::size_t calls);

} // namespace sparsight
