// How far to trust a network and the simulator beside it (model/simulator_blend.h), from schedules that both
// have given a score without having seen their runtimes.
#pragma once

#include <span>
#include <vector>

namespace sparsight {

/// Schedules of one matrix; all lists are of one length.
struct BlendExamples {
    std::vector<double> network;       ///< its scores, lower is faster
    std::vector<double> log_simulated; ///< ln of simulated milliseconds
    std::vector<double> milliseconds;  ///< measured; infinite where it failed
    std::vector<double> spreads;       ///< of each median, or empty: pairs within them are not ranked
};

struct BlendWeights {
    double network = 0;
    double simulator = 1;
    bool operator==(const BlendWeights&) const = default;
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
/// pairs that are far off would decide. A matrix counts as much as another; of its pairs one counts by how
/// close its faster schedule comes to the fastest of the matrix: a search has to tell the good ones apart.
/// Where no pair is ranked, the simulator alone is trusted.
[[nodiscard]] BlendWeights fit_blend_weights(std::span<const BlendExamples> matrices);

} // namespace sparsight
