// The data and unified caches that Linux lists for each processor (/sys/devices/system/cpu/cpu*/cache).
#pragma once

#include "machine/machine_description.h"
#include "machine/probe/system_files.h"

namespace sparsight {

/// Those that the given processors use, equal ones counted together; empty where Linux tells nothing.
[[nodiscard]] std::vector<CacheLevel> read_caches(const SystemFiles& files,
                                                  const std::vector<int>& processors);

/// What the C library knows of the caches of the processor that runs this program, without their sharing.
[[nodiscard]] std::vector<CacheLevel> host_caches();

// How much memory a program may use on this machine.

/// The machine's memory, or the limit of this process's control group (version 1 or 2) where that is lower;
/// unknown where /proc/meminfo is hidden and no limit is set.
[[nodiscard]] std::optional<std::uint64_t> usable_memory_bytes(const SystemFiles& files);

} // namespace sparsight
