// The search for an anchor: the most general rule under which a choice stays the same. Ribeiro, Singh,
// Guestrin: Anchors: high-precision model-agnostic explanations, AAAI 2018; the rules that are worth
// extending are found by KL-LUCB (Kaufmann and Kalyanakrishnan: Information complexity in bandit subset
// selection, COLT 2013). Cost models of programs were first explained so in COMET (Chaudhary, Renda, Mendis,
// Singh, MLSys 2024).
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "base/random.h"
#include "evaluation/model_reasons/anchor.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

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
    /// (bernoulli_bounds.h, anytime_level()).
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

} // namespace sparsight
