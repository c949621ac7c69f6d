// Which mixture of network and simulator is trusted, of many between the simulator alone and the network
// alone: by the pairs that it puts in order, and by what those lose that measure its best schedules.
#pragma once

#include "learning/training/model_verdicts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// How many of the best by a score are measured where its top picks are judged.
inline constexpr std::array<std::size_t, 2> judged_selections{5, 20};

/// What is no difference of regrets.
inline constexpr double least_selection_difference = least_selection_gain;

/// Of one mixture, a value for each family of siblings, in one order for all mixtures.
struct DirectionFigures {
    std::vector<double> in_order; ///< share of the pairs
    std::vector<double>
        selection_loss; ///< mean of the regrets of judged_selections: 0 where the fastest is among them

    [[nodiscard]] double mean_in_order() const;
    [[nodiscard]] double mean_selection_loss() const;
};

enum class DirectionReason : std::uint8_t {
    Pairs,        ///< orders the pairs best, and its picks are as good as those of the better source alone
    Moved,        ///< the nearest to the best of pairs that is worse than neither source, in pairs or picks
    SelectionOnly ///< none is that: its picks are as good, and of those it orders most pairs
};

struct ChosenDirection {
    std::size_t place = 0;
    DirectionReason reason = DirectionReason::Pairs;
    std::size_t by_pairs = 0; ///< which the pairs alone would have chosen
};

/// The mean of `by_matrix` over the matrices of each family, in the order in which they come first; a matrix
/// without a family is one of its own.
[[nodiscard]] std::vector<double> means_of_families(std::span<const double> by_matrix,
                                                    std::span<const std::size_t> families);

/// The first of `directions` is the simulator alone, the last the network alone; at least two.
///
/// By pairs: the best of many mixtures is always a little better on the examples than either source alone,
/// also where the other one adds nothing; on other matrices it is worse then. So a source is trusted alone
/// where it comes within one standard error of the best direction, the error being that of their difference
/// over the families (the one-standard-error rule: Breiman et al., "Classification and Regression Trees",
/// 1984; Hastie et al., "The Elements of Statistical Learning", 2009, 7.10), and orders no fewer pairs than
/// the other one: a source that is right here and wrong there has a large error, which is no merit. Where
/// both are equal, the simulator is, as it needs no examples. Else all directions around the best one that
/// come within that error, and order no fewer pairs than either source alone, are as good as it, and the
/// middle one of them is taken: it is the farthest from where the share falls, and it does not move with
/// single pairs as the best one does. One family tells nothing of the error: of it what is equal to the best
/// is as good.
///
/// A search measures only the best by the score, and pairs say little of those. So the picks of what the
/// pairs chose must lose no more than those of the better source alone: by no more than one standard error of
/// the difference, or least_selection_difference. Where they lose more, the nearest direction is taken whose
/// picks do not, and that orders no fewer pairs than either source alone. Where there is none, pairs and
/// picks contradict each other, and the picks decide: of the directions whose picks are as good, the one that
/// orders most pairs.
[[nodiscard]] ChosenDirection choose_direction(std::span<const DirectionFigures> directions);

// What those lose that measure only the best schedules by a score.

/// By judged_selections: how much slower than the fastest of all the fastest of so many of the best is. Where
/// none of them ran, the slowest that ran counts in their place.
struct SelectionLoss {
    std::array<double, judged_selections.size()> regret{};

    [[nodiscard]] double mean() const;
    bool operator==(const SelectionLoss&) const = default;
};

/// `scores` are lower for what is taken for faster, `milliseconds` infinite where a schedule failed; nothing
/// is lost where none ran.
[[nodiscard]] SelectionLoss selection_loss(std::span<const double> scores,
                                           std::span<const double> milliseconds);

// How far to trust a network and the simulator beside it (model/simulator_blend.h), from schedules that both
// have given a score without having seen their runtimes.

/// Schedules of one matrix; all lists are of one length.
struct BlendExamples {
    std::vector<double> network;       ///< its scores, lower is faster
    std::vector<double> log_simulated; ///< ln of simulated milliseconds
    std::vector<double> milliseconds;  ///< measured; infinite where it failed
    std::vector<double> spreads;       ///< of each median, or empty: pairs within them are not ranked
    /// That its siblings have too (matrix_families()); without one it has none.
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
    SelectionLoss network_picks;
    SelectionLoss simulator_picks;
    SelectionLoss picks;
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
