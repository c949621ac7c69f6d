#include "evaluation/rank_agreement.h"

#include <cmath>
#include <cstddef>

namespace sparsight {

std::optional<double> rank_agreement(std::span<const double> first, std::span<const double> second) {
    double agreement = 0; // concordant pairs less discordant ones
    double untied_in_first = 0;
    double untied_in_second = 0;
    const auto direction = [](double a, double b) { return static_cast<double>((a < b) - (b < a)); };
    for (std::size_t i = 0; i < first.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const double in_first = direction(first[i], first[j]);
            const double in_second = direction(second[i], second[j]);
            agreement += in_first * in_second;
            untied_in_first += std::abs(in_first);
            untied_in_second += std::abs(in_second);
        }
    }
    if (untied_in_first == 0 || untied_in_second == 0)
        return std::nullopt;
    return agreement / std::sqrt(untied_in_first * untied_in_second);
}

} // namespace sparsight
