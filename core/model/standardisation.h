// Shift and scale of a network's numeric inputs, taken of its training set.
#pragma once

#include <span>
#include <vector>

namespace sparsight {

struct Standardisation {
    std::vector<double> mean;
    std::vector<double> deviation; ///< above 0

    bool operator==(const Standardisation&) const = default;

    /// (x − mean) / deviation; as many numbers as there are means.
    [[nodiscard]] std::vector<float> apply(std::span<const double> numbers) const;
};

/// Of rows of equal length: mean and standard deviation (dividing by their number) of each column. The
/// deviation of a column that never varies is 1. At least one row.
[[nodiscard]] Standardisation fit_standardisation(std::span<const std::vector<double>> rows);

} // namespace sparsight
