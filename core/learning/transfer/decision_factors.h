// The numbers in the text of a decision: one of a plain number, several of a loop that is split.
#pragma once

#include <string_view>
#include <vector>

namespace sparsight {

/// 16 of "16", 8 and 16 of "-1x8x16", as AutoTVM writes the parts of a loop: −1 stands for what the others
/// leave, and says nothing of its own. Empty for anything else.
[[nodiscard]] std::vector<double> decision_factors(std::string_view value);

} // namespace sparsight
