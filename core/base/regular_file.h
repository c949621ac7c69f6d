// What a file may be that is read from its beginning to its end.
#pragma once

#include "base/error.h"

#include <filesystem>

namespace sparsight {

/// Nothing is opened for it: opening a pipe waits for a writer, and opening a device may do anything. Errors
/// (Environment, without the path) say what there is instead of a file: nothing, a folder, a pipe, a device.
[[nodiscard]] Result<void> require_regular_file(const std::filesystem::path& path);

} // namespace sparsight
