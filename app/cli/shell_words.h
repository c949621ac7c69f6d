// Words as a shell takes them: for the commands that answers give to be run again.
#pragma once

#include <string>
#include <string_view>

namespace sparsight {

/// In single quotes where it is more than a plain word.
[[nodiscard]] std::string shell_word(std::string_view text);

} // namespace sparsight
