// How far to trust a network and the simulator beside it (model/simulator_blend.h), from schedules that both
// have given a score without having seen their runtimes.
#pragma once

#include "learning/blend_direction.h"
#include "learning/picks_loss.h"

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
    /// By the weights: where they are learned and not chosen by picks only, never less than either.
    double in_order = 0;
    // What the best 5 and 20 of each lose, likewise means over the families:
    PicksLoss network_picks;
    PicksLoss simulator_picks;
    PicksLoss picks;
    DirectionReason reason = DirectionReason::Pairs;
    std::size_t matrices = 0; ///< that have pairs
    std::size_t families = 0; ///< of them
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
/// Of the directions one is chosen by pairs and by top picks (choose_direction()).
///
/// Where no pair is ranked, the simulator alone is trusted; also where no length is learned: though the
/// direction orders most pairs, it is so far off on the others that any length is worse than none.
[[nodiscard]] BlendFit fit_blend_weights(std::span<const BlendExamples> matrices);

} // namespace sparsight
