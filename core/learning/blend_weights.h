// How far to trust a network and the simulator beside it (model/simulator_blend.h), from schedules that both
// have given a score without having seen their runtimes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// Schedules of one matrix; all lists are of one length.
struct BlendExamples {
    std::vector<double> network;       ///< its scores, lower is faster
    std::vector<double> log_simulated; ///< ln of simulated milliseconds
    std::vector<double> milliseconds;  ///< measured; infinite where it failed
    std::vector<double> spreads;       ///< of each median, or empty: pairs within them are not ranked
    /// That its siblings have too (sibling_families()); without one it has none.
    std::optional<std::size_t> family{};
};

struct BlendWeights {
    double network = 0;
    double simulator = 1;
    bool operator==(const BlendWeights&) const = default;
};

/// With what it rests on: shares of the pairs in order, mean over the families of siblings, each the mean of
/// its matrices.
struct BlendFit {
    BlendWeights weights;
    /// The network's part of what the scores of two typical schedules differ by: 0 where the simulator is
    /// trusted alone, 1 where the network is.
    double network_share = 0;
    double network_in_order = 0;   ///< alone
    double simulator_in_order = 0; ///< alone
    double in_order = 0;           ///< by the weights: where they are learned, never less than either
    std::size_t matrices = 0;      ///< that have pairs
    std::size_t families = 0;      ///< of them
    /// Else the weights are those of the simulator alone, and in_order is what it orders.
    bool is_learned = false;

    bool operator==(const BlendFit&) const = default;
};

/// With differences d of a slower and a faster schedule of a matrix, first the direction a of the weights,
/// from the simulator alone (0) to the network alone (π/2), that orders the largest share of the pairs,
///
///   Σ pᵢ [cos a · dₛ + sin a · dₙ > 0],      d in units of their medians,
///
/// then their length, so that the score of a pair is the logit of its order (Burges et al., "Learning to rank
/// using gradient descent", ICML 2005): it minimises Σ pᵢ ln(1 + exp(−(wₙ dₙ + wₛ dₛ))).
///
/// The share is taken for the direction, because scores of networks have heavy tails: in the logarithm a few
/// pairs that are far off would decide. Of the pairs of a matrix one counts by how close its faster schedule
/// comes to the fastest of the matrix: a search has to tell the good ones apart. A matrix counts as much as
/// another for the length; for the direction a family does, as siblings tell the same once more.
///
/// The best of many directions is always a little better on the examples than either source alone, also where
/// the other one adds nothing; on other matrices it is worse then. So a source is trusted alone where it
/// comes within one standard error of the best direction, the error being that of their difference over the
/// families (the one-standard-error rule: Breiman et al., "Classification and Regression Trees", 1984; Hastie
/// et al., "The Elements of Statistical Learning", 2009, 7.10), and orders no fewer pairs than the other one:
/// a source that is right here and wrong there has a large error, which is no merit. Where both are equal,
/// the simulator is, as it needs no examples. Else all directions around the best one that come within that
/// error, and order no fewer pairs than either source alone, are as good as it, and the middle one of them is
/// taken: it is the farthest from where the share falls, and it does not move with single pairs as the best
/// one does. One family tells nothing of the error: of it what is equal to the best is as good.
///
/// Where no pair is ranked, the simulator alone is trusted; also where no length is learned: though the
/// direction orders most pairs, it is so far off on the others that any length is worse than none.
[[nodiscard]] BlendFit fit_blend_weights(std::span<const BlendExamples> matrices);

} // namespace sparsight
