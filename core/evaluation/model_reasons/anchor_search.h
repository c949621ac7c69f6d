// The search for an anchor: the most general rule under which a choice stays the same (Ribeiro, Singh,
// Guestrin: Anchors: high-precision model-agnostic explanations, AAAI 2018). The rules worth extending are
// found by KL-LUCB (Kaufmann and Kalyanakrishnan: Information complexity in bandit subset selection, COLT
// 2013). COMET was the first to explain cost models of programs in this way (Chaudhary, Renda, Mendis,
// Singh, MLSys 2024).
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "base/random.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// A share with the bounds that it lies within at the stated confidence.
struct BoundedShare {
    double value = 0; ///< 0 to 1, like the bounds
    double lowest = 0;
    double highest = 1;
    std::int64_t draws = 0; ///< that it is estimated from

    bool operator==(const BoundedShare&) const = default;
};

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

/// Level at which a share may be tested after each of its batches of draws, whenever one stops: one-sided
/// bounds of `arms` shares hold after all their batches together at the confidence. By a union over batches,
/// log(k₁ K tᵅ / δ) with k₁ > 1 + 1 / (α − 1) (as KL-Racing there); batches from 1.
[[nodiscard]] double anytime_level(std::size_t arms, std::size_t batches, double confidence);

/// Both bounds hold together at this confidence, for a number of draws that was fixed before.
[[nodiscard]] BoundedShare chernoff_bounds(std::int64_t successes, std::int64_t draws, double confidence);

/// About 95 % for a fixed number of draws (Wilson: Probable inference, JASA 1927): narrower, as independent
/// draws allow.
[[nodiscard]] BoundedShare wilson_bounds(std::int64_t successes, std::int64_t draws);

/// A changed case that the model was asked about.
struct AnchorDraw {
    std::vector<bool> holds; ///< which predicates
    bool is_same_choice = false;
};

/// The space of changed cases, with predicates that all hold in the explained case.
class AnchorSpace {
public:
    AnchorSpace() = default;
    AnchorSpace(const AnchorSpace&) = delete;
    AnchorSpace& operator=(const AnchorSpace&) = delete;
    virtual ~AnchorSpace() = default;

    [[nodiscard]] virtual std::size_t predicates() const = 0;
    /// `count` changed cases in which the predicates of `kept` hold; a function of the arguments and the
    /// random numbers.
    [[nodiscard]] virtual Result<std::vector<AnchorDraw>> draw(std::span<const std::size_t> kept,
                                                               std::size_t count, Random& random) = 0;
};

struct AnchorOptions {
    double precision = 0.95; ///< the precision that a rule must have
    /// The confidence of that precision: over all tested rules together, and whenever the search stops
    /// (anytime_level()).
    double confidence = 0.95;
    std::size_t longest = 4;    ///< predicates in a rule
    std::size_t beam = 4;       ///< rules of a length that are extended
    std::size_t shortlist = 64; ///< rules of a length that are drawn, the most promising ones of all
    /// A discarded rule may be better than an extended one by at most this much.
    double tolerance = 0.1;
    std::size_t batch = 24;            ///< draws of a rule at a time
    std::size_t coverage_draws = 2000; ///< cases without a rule
    std::size_t calls = 50'000;        ///< cases in all that the model may be asked about
    std::uint64_t seed = 1;
    std::function<bool()> is_over{}; ///< whether time is up; the search then returns its best rule so far
    std::stop_token stop{};
    ProgressSink progress{};
};

/// An anchor whose predicates are given by their places.
struct AnchorRule {
    std::vector<std::size_t> predicates{}; ///< ascending
    BoundedShare precision{};
    BoundedShare coverage{};
};

struct AnchorSearchResult {
    /// A rule whose precision is at least as wanted, at the confidence, and from which no predicate can be
    /// removed. Of several rules with equally few predicates, the one with the largest coverage.
    std::optional<AnchorRule> rule{};
    std::optional<AnchorRule> nearest{}; ///< without a rule: the one with the highest bound below
    BoundedShare unconditional{};        ///< the empty rule's precision
    std::int64_t calls = 0;
    bool complete = true; ///< false: calls or time were over before a rule was found or all were tested
};

/// The same result for the same seed, unless time was up. Errors: those of the space; Fault::Cancelled.
[[nodiscard]] Result<AnchorSearchResult> find_anchor(AnchorSpace& space, const AnchorOptions& options);

/// A rule whose precision is being estimated, with few draws.
struct CandidateRule {
    std::vector<std::size_t> predicates{}; ///< ascending
    std::int64_t covered = 0;              ///< of the cases without a rule
    std::int64_t covered_same = 0;         ///< … with the same choice
    std::int64_t draws = 0;
    std::int64_t same = 0;   ///< draws with the same choice
    std::size_t batches = 0; ///< of the draws: the rule may be tested after each

    double expected = 0; ///< precision of the rule that it extends: what it has without any case of its own

    /// The value of extending the rule. The cases without a rule cost nothing more, and distinguish rules
    /// where most draws of all of them are alike; they are not draws of the rule, so they prove nothing.
    [[nodiscard]] double promise() const {
        constexpr double weight = 10; // of what is expected, in cases
        return (static_cast<double>(same + covered_same) + weight * expected) /
               (static_cast<double>(draws + covered) + weight);
    }
};

/// Draws of a space, counted and within their limits.
class RuleSampler {
public:
    /// Keeps references to both arguments.
    RuleSampler(AnchorSpace& space, const AnchorOptions& options);

    [[nodiscard]] std::size_t predicates() const { return space_.predicates(); }
    [[nodiscard]] std::size_t calls() const { return calls_; }
    /// Whether calls or time are used up; if so, was_cut() is true from then on.
    [[nodiscard]] bool is_over();
    [[nodiscard]] bool was_cut() const { return was_cut_; }

    [[nodiscard]] Result<std::vector<AnchorDraw>> draw(std::span<const std::size_t> kept, std::size_t count);
    /// Draws one more batch.
    [[nodiscard]] Result<void> add_draws(CandidateRule& rule);

private:
    AnchorSpace& space_;
    const AnchorOptions& options_;
    Random random_;
    std::size_t calls_ = 0;
    bool was_cut_ = false;
};

/// The `beam` most promising rules, the best first; among equal rules, those that cover more. Draws until no
/// rule that is left out is more precise by more than the tolerance, at the confidence (KL-LUCB), or until
/// the limit on calls is reached.
[[nodiscard]] Result<std::vector<CandidateRule>> best_rules(std::vector<CandidateRule> rules,
                                                            RuleSampler& sampler,
                                                            const AnchorOptions& options, std::size_t calls);

} // namespace sparsight
