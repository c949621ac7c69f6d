// Bounds of a share that is estimated from draws.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "base/random.h"
#include "evaluation/model_reasons/model_reasons.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// Kullback-Leibler divergence of two coins; 0 · log 0 is 0.
[[nodiscard]] double coin_divergence(double p, double q);

/// The farthest shares q on either side of successes / draws with draws · KL(successes / draws, q) ≤ level
/// (Chernoff; Kaufmann and Kalyanakrishnan: Information complexity in bandit subset selection, COLT 2013).
/// Without draws: from 0 to 1.
[[nodiscard]] BoundedShare divergence_bounds(std::int64_t successes, std::int64_t draws, double level);

/// Level at which KL-LUCB may compare `arms` in every round, whenever it stops: all bounds of all rounds hold
/// together at the confidence. β(t, δ) = log(k₁ K tᵅ / δ) + log log(k₁ K tᵅ / δ) with α > 1 and
/// k₁ > 2e + 1 + e / (α − 1) + (e + 1) / (α − 1)² (Kaufmann and Kalyanakrishnan, theorem 1); rounds from 1.
[[nodiscard]] double lucb_level(std::size_t arms, std::size_t round, double confidence);

/// Level at which a share may be looked at after each of its batches of draws, whenever one stops: one-sided
/// bounds of `arms` shares hold after all their batches together at the confidence. By a union over batches,
/// log(k₁ K tᵅ / δ) with k₁ > 1 + 1 / (α − 1) (as KL-Racing there); batches from 1.
[[nodiscard]] double anytime_level(std::size_t arms, std::size_t batches, double confidence);

/// Both bounds hold together at this confidence, for a number of draws that was fixed before.
[[nodiscard]] BoundedShare chernoff_bounds(std::int64_t successes, std::int64_t draws, double confidence);

/// About 95 % for a fixed number of draws (Wilson: Probable inference, JASA 1927): narrower, as independent
/// draws allow.
[[nodiscard]] BoundedShare wilson_bounds(std::int64_t successes, std::int64_t draws);

// The search for an anchor: the most general rule under which a choice stays the same. Ribeiro, Singh,
// Guestrin: Anchors: high-precision model-agnostic explanations, AAAI 2018; the rules that are worth
// extending are found by KL-LUCB (Kaufmann and Kalyanakrishnan: Information complexity in bandit subset
// selection, COLT 2013). Cost models of programs were first explained so in COMET (Chaudhary, Renda, Mendis,
// Singh, MLSys 2024).

/// A changed case that the model was asked about.
struct AnchorDraw {
    std::vector<bool> holds; ///< which predicates
    bool is_same_choice = false;
};

/// What may be changed, by predicates that all hold in the explained case.
class AnchorSpace {
public:
    AnchorSpace() = default;
    AnchorSpace(const AnchorSpace&) = delete;
    AnchorSpace& operator=(const AnchorSpace&) = delete;
    virtual ~AnchorSpace() = default;

    [[nodiscard]] virtual std::size_t predicates() const = 0;
    /// `count` changed cases in which the predicates of `kept` hold; a function of these and the random
    /// numbers.
    [[nodiscard]] virtual Result<std::vector<AnchorDraw>> draw(std::span<const std::size_t> kept,
                                                               std::size_t count, Random& random) = 0;
};

struct AnchorOptions {
    double precision = 0.95; ///< that a rule must have
    /// At which it has it: over all rules that are looked at together, and whenever the search stops
    /// (anytime_level()).
    double confidence = 0.95;
    std::size_t longest = 4;    ///< predicates in a rule
    std::size_t beam = 4;       ///< rules of a length that are extended
    std::size_t shortlist = 64; ///< rules of a length that are drawn, the most promising ones of all
    /// A rule that is left behind may be better by so much than one that is extended.
    double tolerance = 0.1;
    std::size_t batch = 24;            ///< draws of a rule at a time
    std::size_t coverage_draws = 2000; ///< cases without a rule
    std::size_t calls = 50'000;        ///< cases in all that the model may be asked about
    std::uint64_t seed = 1;
    std::function<bool()> is_over{}; ///< says that time is up: what was found until then must do
    std::stop_token stop{};
    ProgressSink progress{};
};

/// An anchor whose predicates are their places.
struct AnchorRule {
    std::vector<std::size_t> predicates{}; ///< ascending
    BoundedShare precision{};
    BoundedShare coverage{};
};

struct AnchorSearchResult {
    /// Its precision is at least as wanted, at the confidence, and no predicate of it can be spared. Of
    /// several with as few predicates the one with the largest coverage.
    std::optional<AnchorRule> rule{};
    std::optional<AnchorRule> nearest{}; ///< without a rule: the one with the highest bound below
    BoundedShare unconditional{};        ///< the empty rule's precision
    std::int64_t calls = 0;
    bool complete = true; ///< false: calls or time were over before a rule was found, or all were looked at
};

/// The same for the same seed, but where time was up. Errors: those of the space; Fault::Cancelled.
[[nodiscard]] Result<AnchorSearchResult> find_anchor(AnchorSpace& space, const AnchorOptions& options);

// The most precise of many rules, found with few draws.

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
