// What Linux says about the processors of a machine, read from its /proc and /sys.
#pragma once

#include "machine/machine_description.h"
#include "machine/system_files.h"

namespace sparsight {

/// Processors that are switched on; from /proc/cpuinfo where /sys is hidden; empty when neither tells.
[[nodiscard]] std::vector<int> online_processors(const SystemFiles& files);

/// The processors that the calling thread may run on (its affinity mask).
[[nodiscard]] std::vector<int> allowed_processors();

/// Fills in the model, sockets, cores, threads, NUMA nodes, clock, instruction sets and caches of the given
/// processors, and of these alone: a process that may use four of 64 runs on a machine of four.
void read_processor_facts(const SystemFiles& files, const std::vector<int>& processors,
                          MachineDescription& machine);

} // namespace sparsight
