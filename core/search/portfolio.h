// Chooses configurations to measure when their scores may be wrong. The first k by score are often variants
// of one configuration: if one of them disappoints, all do. So each place of a portfolio goes to the
// configuration that lowers the expected time of the fastest of all k most (batch expected improvement:
// Ginsbourger, Le Riche and Carraro, "Kriging is well-suited to parallelize optimization", 2010).
//
// Few recorded schedules of a matrix are variants of each other: among those of two machines, eight splits
// each, portfolios with the doubt that gray boxes state lost 0.07 ± 0.10 % and 0.9 ± 0.5 % (standard errors)
// to their best 5 by score. A pool of thousands is full of variants: gray_box_portfolio() is for such.
#pragma once

#include "study/configuration.h"
#include "study/configuration_space.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

struct PortfolioSettings {
    std::size_t k = 20;
    /// `error` is the standard deviation of a score's error; the score is the logit of an order
    /// (learning/fine_tuning/blend_weights.h). `range` says how far errors of configurations are correlated:
    /// exp(−d / range) at distance d (ConfigurationSpace::distances()). On 97 real matrices with 60 to 130
    /// measured schedules each, the best of the first five by score is 1.7 % slower than the best of all; a
    /// portfolio loses 1.6 % with an error of 0.7, and 1.5 % with 0.35. With twice 0.7, or with half or twice
    /// the range, it loses 1.7 to 1.9 %. The larger error is used, because the model had learned from those
    /// matrices and errs more on others.
    double error = 0.7;
    double range = 1.5;
    std::size_t considered = 300; ///< only the first ones by score are considered
    int draws = 1000;             ///< joint draws of all errors, over which expectations are taken
    std::uint64_t seed = 1;
};

/// Places in `configurations`, the best score first; all places where there are no more than k. The
/// configurations are distinct, with one score each; lower is faster. The result depends only on the
/// arguments.
[[nodiscard]] std::vector<std::uint32_t> choose_portfolio(const ConfigurationSpace& space,
                                                          std::span<const Configuration> configurations,
                                                          std::span<const float> scores,
                                                          const PortfolioSettings& settings = {});

/// For the scores of an adapted gray box, which are logarithms of times. The best of 20 of a pool of 10 584
/// schedules were measured in turns on twelve real matrices that it had not seen. With this portfolio, and
/// fixed CSR beside it, they were 6.5 % faster than fixed CSR; without, 4.9 %. Nine of the twelve gained.
[[nodiscard]] inline PortfolioSettings gray_box_portfolio(std::size_t k, std::uint64_t seed) {
    return {.k = k, .error = 0.2, .considered = 1000, .seed = seed};
}

/// Why a configuration is in a portfolio.
enum class ChosenBy {
    Score,      ///< it is among the first by score, which are always taken
    Difference, ///< it replaces one with a better score that is too similar to chosen ones
    Second,     ///< it was chosen by the second score alone
};

struct ChosenPlace {
    std::uint32_t place = 0; ///< place in the configurations
    ChosenBy by = ChosenBy::Score;
    bool operator==(const ChosenPlace&) const = default;
};

/// A portfolio for two scores, where the second is a part of the first: a quarter of the places is chosen by
/// the second score alone. The other part of the first score may be confidently wrong (a network on
/// configurations unlike its training data), and the assumed error of the first score does not cover that.
/// The result is sorted by the first score. If `second` is empty, all places are chosen by the first score.
[[nodiscard]] std::vector<ChosenPlace> choose_hedged_portfolio(const ConfigurationSpace& space,
                                                               std::span<const Configuration> configurations,
                                                               std::span<const float> scores,
                                                               std::span<const float> second,
                                                               const PortfolioSettings& settings = {});

} // namespace sparsight
