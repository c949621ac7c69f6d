// How much memory a program may use on this machine.
#pragma once

#include "machine/system_files.h"

namespace sparsight {

/// The machine's memory, or the limit of this process's control group (version 1 or 2) where that is lower;
/// unknown where /proc/meminfo is hidden and no limit is set.
[[nodiscard]] std::optional<std::uint64_t> usable_memory_bytes(const SystemFiles& files);

} // namespace sparsight
