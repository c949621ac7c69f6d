// The data and unified caches that Linux lists for each processor (/sys/devices/system/cpu/cpu*/cache).
#pragma once

#include "machine/machine_description.h"
#include "machine/system_files.h"

namespace sparsight {

/// Those that the given processors use, equal ones counted together; empty where Linux tells nothing.
[[nodiscard]] std::vector<CacheLevel> read_caches(const SystemFiles& files,
                                                  const std::vector<int>& processors);

/// What the C library knows of the caches of the processor that runs this program, without their sharing.
[[nodiscard]] std::vector<CacheLevel> running_caches();

} // namespace sparsight
