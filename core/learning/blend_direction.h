// Which mixture of network and simulator is trusted, of many between the simulator alone and the network
// alone: by the pairs that it puts in order, and by what those lose that measure its best schedules.
#pragma once

#include "learning/blend_verdict.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

/// How many of the best by a score are measured where its top picks are judged.
inline constexpr std::array<std::size_t, 2> judged_picks{5, 20};

/// What is no difference of regrets.
inline constexpr double least_picks_difference = least_picks_gain;

/// Of one mixture, a value for each family of siblings, in one order for all mixtures.
struct DirectionFigures {
    std::vector<double> in_order; ///< share of the pairs
    std::vector<double>
        picks_loss; ///< mean of the regrets of judged_picks: 0 where the fastest is among them

    [[nodiscard]] double mean_in_order() const;
    [[nodiscard]] double mean_picks_loss() const;
};

enum class DirectionReason : std::uint8_t {
    Pairs,    ///< orders the pairs best, and its picks are as good as those of the better source alone
    Moved,    ///< the nearest to the best of pairs that is worse than neither source, in pairs or picks
    PicksOnly ///< none is that: its picks are as good, and of those it orders most pairs
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
/// the difference, or least_picks_difference. Where they lose more, the nearest direction is taken whose
/// picks do not, and that orders no fewer pairs than either source alone. Where there is none, pairs and
/// picks contradict each other, and the picks decide: of the directions whose picks are as good, the one that
/// orders most pairs.
[[nodiscard]] ChosenDirection choose_direction(std::span<const DirectionFigures> directions);

} // namespace sparsight
