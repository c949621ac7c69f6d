// Effects that add up, each there or not, fitted by ridge regression.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sparsight {

struct IndicatorFit {
    double level = 0;            ///< where no indicator is there
    std::vector<double> effects; ///< by indicator
    std::vector<double>
        errors;           ///< of the effects, one standard deviation; infinite where no row is left over
    double explained = 0; ///< share of the variance of the values, 0 to 1
};

/// Values as level + Σ of the effects of the indicators that a row names; the squares of the effects, not of
/// the level, cost `penalty` each (Hoerl and Kennard, "Ridge regression", Technometrics 1970). Errors are
/// those of the posterior that ridge is the mean of: s² · (XᵀX + penalty)⁻¹, s² what is left of the squares
/// over the rows that no unknown takes up. As many rows as values; penalty above 0.
[[nodiscard]] IndicatorFit fit_indicators(std::span<const std::vector<std::size_t>> rows,
                                          std::span<const double> values, std::size_t indicators,
                                          double penalty);

} // namespace sparsight
