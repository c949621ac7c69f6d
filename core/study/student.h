// Student's t: by how many standard errors the mean of few values may be off.
#pragma once

#include <algorithm>
#include <array>
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

} // namespace sparsight
