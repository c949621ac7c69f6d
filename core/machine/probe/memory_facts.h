// The caches and the usable memory of this machine, as Linux and the C library report them.
#pragma once

#include "machine/machine_description.h"
#include "machine/probe/system_files.h"

namespace sparsight {

/// The data and unified caches that Linux lists for the given processors
/// (/sys/devices/system/cpu/cpu*/cache), equal ones counted together; empty where Linux lists none.
[[nodiscard]] std::vector<CacheLevel> read_caches(const SystemFiles& files,
                                                  const std::vector<int>& processors);

/// The caches of the processor that runs this program, as the C library knows them, without their sharing.
[[nodiscard]] std::vector<CacheLevel> host_caches();

/// The memory that a program may use: that of the machine, or the limit of this process's control group
/// (version 1 or 2) where that is lower; unknown where /proc/meminfo is hidden and no limit is set.
[[nodiscard]] std::optional<std::uint64_t> usable_memory_bytes(const SystemFiles& files);

} // namespace sparsight
