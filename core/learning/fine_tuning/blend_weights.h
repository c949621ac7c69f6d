// How far to trust a network and the simulator beside it (model/checkpoints/checkpoint.h): the weights of
// both are learned from configurations that both have scored without having seen their runtimes. Of many
// mixtures one is chosen, by the pairs that it orders correctly and by the loss of its top picks.
#pragma once

#include "study/ranking_metrics.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// How many of the best configurations by a score are measured where its top picks are judged.
inline constexpr std::array<std::size_t, 2> judged_selections{5, 20};

/// A smaller difference of regrets counts as none: half a per cent of a runtime, about the precision of
/// measured times.
inline constexpr double least_selection_difference = 0.005;

/// The figures of one mixture: a value for each family of workloads, in the same order for all mixtures.
struct DirectionFigures {
    std::vector<double> in_order; ///< share of the pairs
    std::vector<double>
        selection_loss; ///< mean of the regrets of judged_selections: 0 where the fastest is among them

    [[nodiscard]] double mean_in_order() const;
    [[nodiscard]] double mean_selection_loss() const;
};

/// The mean of `by_workload` over the workloads of each family, in the order in which families first occur; a
/// workload without a family is one of its own.
[[nodiscard]] std::vector<double> means_of_families(std::span<const double> by_workload,
                                                    std::span<const std::size_t> families);

/// The place of the best. The first of `directions` is the simulator alone, the last the network alone; at
/// least two.
///
/// By pairs: the best of many mixtures is always a little better on the examples than either source alone,
/// also where the other source adds nothing; on other workloads it is then worse. So a source is trusted
/// alone where it comes within one standard error of the best direction, the error being that of their
/// difference over the families (the one-standard-error rule: Breiman et al., "Classification and Regression
/// Trees", 1984; Hastie et al., "The Elements of Statistical Learning", 2009, 7.10), and orders no fewer
/// pairs than the other source: a source that is right on some families and wrong on others has a large
/// error, which is no merit. Where both sources are equal the simulator is trusted, as it needs no examples.
/// Otherwise all directions around the best one that come within that error, and order no fewer pairs than
/// either source alone, count as equally good, and the middle one of them is taken: it is the farthest from
/// where the share falls, and it does not move with single pairs as the best one does. A single family gives
/// no error: then only directions equal to the best count.
///
/// A search measures only the best configurations by the score, and pairs say little about those. So the
/// picks of the direction chosen by pairs must lose no more than those of the better source alone: by at most
/// one standard error of the difference, or least_selection_difference. Where they lose more, the nearest
/// direction is taken whose picks do not, and that orders no fewer pairs than either source alone. Where
/// there is none, pairs and picks contradict each other, and the picks decide: of the directions whose picks
/// are as good, the one that orders most pairs.
[[nodiscard]] std::size_t choose_direction(std::span<const DirectionFigures> directions);

/// The loss of measuring only the best configurations by a score, the mean over judged_selections: how much
/// slower the fastest of those is than the fastest of all. Where none of them ran, the slowest that ran
/// counts in their place. `scores` are lower for configurations predicted to be faster, `milliseconds`
/// infinite where a configuration failed; the loss is 0 where none ran.
[[nodiscard]] double selection_loss(std::span<const double> scores, std::span<const double> milliseconds);

/// Configurations of one workload; all lists are of one length.
struct BlendExamples {
    std::vector<double> network;       ///< its scores, lower is faster
    std::vector<double> log_simulated; ///< ln of simulated milliseconds
    std::vector<double> milliseconds;  ///< measured; infinite where it failed
    std::vector<double> spreads;       ///< of each median, or empty: pairs within both are not ranked
    /// Its family (workload_families()); absent for a workload that is the only one of its family.
    std::optional<std::size_t> family{};
    std::vector<double> waits{}; ///< RankedTimes::waits, or empty

    [[nodiscard]] RankedTimes known() const { return {milliseconds, spreads, waits}; }
};

struct BlendWeights {
    double network = 0;
    double simulator = 1;
    bool operator==(const BlendWeights&) const = default;
};

/// The fitted weights and their basis: shares of the pairs in order, each the mean over the families,
/// and for a family the mean of its workloads.
struct BlendFit {
    BlendWeights weights;
    /// The network's part in the difference of the scores of two typical configurations: 0 where only the
    /// simulator is trusted, 1 where only the network is.
    double network_share = 0;
    double network_in_order = 0;   ///< alone
    double simulator_in_order = 0; ///< alone
    double in_order = 0;           ///< with the weights: unless picks decided, never less than either alone
};

/// With differences d of a slower and a faster configuration of a workload, first the direction a of the
/// weights, from the simulator alone (0) to the network alone (π/2), that orders the largest share of the
/// pairs,
///
///   Σ pᵢ [cos a · dₛ + sin a · dₙ > 0],      d in units of their medians,
///
/// then their length, so that the score of a pair is the logit of its order (Burges et al., "Learning to rank
/// using gradient descent", ICML 2005): it minimises Σ pᵢ ln(1 + exp(−(wₙ dₙ + wₛ dₛ))).
///
/// The direction maximises the share, because scores of networks have heavy tails: in the logarithm a few
/// pairs that are far off would decide. A pair of a workload is weighted by how close its faster
/// configuration comes to the fastest of the workload: a search has to distinguish the good configurations.
/// For the length all workloads have equal weight; for the direction all families do, as members of one
/// repeat the same evidence.
///
/// One of the directions is chosen by pairs and by top picks (choose_direction()).
///
/// Where no pair is ranked, only the simulator is trusted; also where no length is learned because the
/// direction orders most pairs but is so far off on the others that any length is worse than none.
[[nodiscard]] BlendFit fit_blend_weights(std::span<const BlendExamples> workloads);

} // namespace sparsight
