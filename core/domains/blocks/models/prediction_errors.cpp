#include "domains/blocks/models/prediction_errors.h"

#include "study/ranking_metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace sparsight {

std::optional<PredictionErrors> prediction_errors(std::span<const double> predicted,
                                                  std::span<const double> measured) {
    if (measured.empty())
        return std::nullopt;
    std::vector<double> errors;
    errors.reserve(measured.size());
    for (std::size_t at = 0; at < measured.size(); ++at)
        errors.push_back(std::abs(predicted[at] - measured[at]) / measured[at]);
    PredictionErrors result;
    result.blocks = errors.size();
    result.mean = std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
    const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
    std::ranges::nth_element(errors, middle);
    result.median = *middle;
    if (errors.size() % 2 == 0)
        result.median = (result.median + *std::max_element(errors.begin(), middle)) / 2;
    result.kendall_tau = kendall_tau_b(count_pairs(predicted, measured));
    return result;
}

} // namespace sparsight
