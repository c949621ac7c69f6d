// Where the other programs of Sparsight are.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <string_view>

namespace sparsight {

/// Beside this program, also one that may not be started (which is then said of it), else in a folder of
/// PATH. Error (Fault::Environment): it is in neither; `task` says what it is for: "which trains and
/// searches".
[[nodiscard]] Result<std::filesystem::path> find_companion(std::string_view program, std::string_view task);

} // namespace sparsight
