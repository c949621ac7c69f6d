#include "matrix/length_counts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sparsight {

LengthStatistics LengthCounts::statistics(std::int64_t total) {
    LengthStatistics result;
    if (total == 0)
        return result;
    const std::int64_t added = std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}) +
                               static_cast<std::int64_t>(long_ones_.size());
    result.empty = counts_.front() + (total - added);
    std::ranges::sort(long_ones_);

    const auto n = static_cast<double>(total);
    double sum = 0;
    double squares = 0;
    double ranked = 0; // Σ k · x_k over the ascending lengths
    double rank = static_cast<double>(result.empty);
    const auto take = [&](std::int64_t length, double times) {
        const auto x = static_cast<double>(length);
        sum += x * times;
        squares += x * x * times;
        ranked += x * times * (rank + (times + 1) / 2);
        rank += times;
        result.max = length;
    };
    for (std::size_t length = 1; length < counts_.size(); ++length)
        if (counts_[length] > 0)
            take(static_cast<std::int64_t>(length), static_cast<double>(counts_[length]));
    for (const std::int64_t length : long_ones_)
        take(length, 1);

    result.mean = sum / n;
    if (sum > 0) {
        const double variance = std::max(0.0, squares / n - result.mean * result.mean);
        result.coefficient_of_variation = std::sqrt(variance) / result.mean;
        result.gini = std::max(0.0, 2 * ranked / (n * sum) - (n + 1) / n);
    }
    return result;
}

} // namespace sparsight
