// How far the mean of few values may be off (Student's t), and a share of few draws (Wilson).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace sparsight {

/// The 97.5 % point of Student's t: half of the 95 % confidence interval, in standard errors. `freedom` is n
/// − 1 for n values; below 1 it counts as 1. The table is Abramowitz and Stegun's 26.10; beyond it the value
/// is correct to 0.01.
[[nodiscard]] constexpr double student_factor(std::size_t freedom) {
    constexpr std::array table{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                               2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
    return freedom <= table.size() ? table[std::max<std::size_t>(freedom, 1) - 1]
                                   : 1.96 + 2.5 / static_cast<double>(freedom);
}

struct ShareBounds {
    double lowest = 0;
    double highest = 1;
};

/// About 95 % for a share of a fixed number of independent draws (Wilson: Probable inference, JASA 1927).
/// They are apart also where the share is 0 or 1: 0 of 12 draws may be up to 24 %.
[[nodiscard]] inline ShareBounds wilson(double share, double draws) {
    if (!(draws > 0))
        return {};
    constexpr double z = 1.959964;
    const double middle = (share + z * z / (2 * draws)) / (1 + z * z / draws);
    const double half =
        z / (1 + z * z / draws) * std::sqrt(share * (1 - share) / draws + z * z / (4 * draws * draws));
    return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

} // namespace sparsight
