#include "model/standardisation.h"

#include <cmath>

namespace sparsight {

std::vector<float> Standardisation::apply(std::span<const double> numbers) const {
    std::vector<float> standardised(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        standardised[i] = static_cast<float>((numbers[i] - mean[i]) / deviation[i]);
    return standardised;
}

Standardisation fit_standardisation(std::span<const std::vector<double>> rows) {
    const std::size_t columns = rows.front().size();
    const auto count = static_cast<double>(rows.size());
    Standardisation fitted{std::vector<double>(columns, 0.0), std::vector<double>(columns, 0.0)};
    for (std::size_t column = 0; column < columns; ++column) {
        double& mean = fitted.mean[column];
        for (const auto& row : rows)
            mean += row[column] / count;
        double variance = 0;
        for (const auto& row : rows)
            variance += (row[column] - mean) * (row[column] - mean) / count;
        // Rounding leaves a constant column with a deviation that is not quite 0.
        const bool varies = variance > 1e-24 * (1 + mean * mean);
        fitted.deviation[column] = varies ? std::sqrt(variance) : 1.0;
    }
    return fitted;
}

} // namespace sparsight
