// Counts in texts for users.
#pragma once

#include <concepts>
#include <fmt/format.h>
#include <string>
#include <string_view>

namespace sparsight {

/// "1 matrix", "0 matrices", "25600 matrices".
template <std::integral Count>
[[nodiscard]] std::string counted(Count count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

} // namespace sparsight
