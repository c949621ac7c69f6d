// Which configurations to measure, when the scores that they have may be wrong. The first k by score are
// often variants of one configuration: where one of them disappoints, all do. A portfolio takes for each
// place the one that makes the best of all k fastest in expectation (batch expected improvement: Ginsbourger,
// Le Riche and Carraro, "Kriging is well-suited to parallelize optimization", 2010).
#pragma once

#include "study/configuration.h"
#include "study/configuration_space.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

struct PortfolioSettings {
    std::size_t k = 20;
    /// Standard deviation of the error of a score that is the logit of an order
    /// (learning/fine_tuning/blend_weights.h), and how alike the errors of configurations are that lie d
    /// apart (ConfigurationSpace::distances()): exp(−d / range). On 97 real matrices with 60 to 130 measured
    /// schedules each the best of 5 is 1.7 % slower than the best of all in the first five by
    /// score, 1.6 % in a portfolio with an error of 0.7, 1.5 % with 0.35; with twice 0.7, or half of or twice
    /// the range, it is 1.7 to 1.9 %. Of the two the larger one is kept: the model had learned from those
    /// matrices, and errs more on others.
    double error = 0.7;
    double range = 1.5;
    std::size_t considered = 300; ///< the first ones by score
    int draws = 1000;             ///< of all errors together, over which expectations are taken
    std::uint64_t seed = 1;
};

/// Places in `configurations`, the best score first; all where there are no more than k. Different ones of
/// the space, one score for each, lower is faster. The same for the same arguments.
[[nodiscard]] std::vector<std::uint32_t> choose_portfolio(const ConfigurationSpace& space,
                                                          std::span<const Configuration> configurations,
                                                          std::span<const float> scores,
                                                          const PortfolioSettings& settings = {});

/// Why a portfolio has a configuration.
enum class ChosenBy {
    Score,      ///< among the first ones by score, as many as are chosen by it: taken in any case
    Difference, ///< in the place of one that scores better, and is so like chosen ones that it was left out
    Second,     ///< by the second score alone
};

struct ChosenPlace {
    std::uint32_t place = 0; ///< in the configurations
    ChosenBy by = ChosenBy::Score;
    bool operator==(const ChosenPlace&) const = default;
};

/// Of two scores, where the second one is a part of the first: a quarter of the places goes to a portfolio by
/// the second one alone. What is added to it may be wrong where it is sure (a network, of configurations that
/// it has hardly seen), and no error of the first one's size would tell. In the order of the first. Without a
/// second score (an empty span) all places go to the first one's portfolio.
[[nodiscard]] std::vector<ChosenPlace> choose_hedged_portfolio(const ConfigurationSpace& space,
                                                               std::span<const Configuration> configurations,
                                                               std::span<const float> scores,
                                                               std::span<const float> second,
                                                               const PortfolioSettings& settings = {});

} // namespace sparsight
