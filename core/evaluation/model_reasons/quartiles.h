// Where numbers are cut into low and high ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace sparsight {

/// The number that so large a share of them does not exceed; one of them. At least one number, none NaN.
[[nodiscard]] inline double quantile(std::span<const double> numbers, double share) {
    std::vector<double> sorted(numbers.begin(), numbers.end());
    const auto place = static_cast<std::size_t>(std::floor(share * static_cast<double>(sorted.size() - 1)));
    std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(place));
    return sorted[place];
}

/// The quartiles, each once, ascending, but for those that no number is above.
[[nodiscard]] inline std::vector<double> quartiles(std::span<const double> numbers) {
    std::vector<double> edges;
    if (numbers.empty())
        return edges;
    const double highest = std::ranges::max(numbers);
    for (const double share : {0.25, 0.5, 0.75})
        if (const double edge = quantile(numbers, share);
            edge < highest && (edges.empty() || edge > edges.back()))
            edges.push_back(edge);
    return edges;
}

} // namespace sparsight
