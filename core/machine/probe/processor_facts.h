// What Linux reports about the processors of a machine, from its /proc and /sys: model, cores, clock and
// instruction sets, by the names of Linux ("avx2", "fma", "avx512f", "asimd", "sve").
#pragma once

#include "machine/machine_description.h"
#include "machine/probe/system_files.h"

#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The instruction sets that matter to kernels (vectors and arithmetic) among the words of a "flags" or
/// "Features" line of /proc/cpuinfo, in our own order.
[[nodiscard]] std::vector<std::string> instruction_sets_among(std::string_view flags);

/// The instruction sets that the processor itself reports, for systems without /proc.
[[nodiscard]] std::vector<std::string> host_instruction_sets();

/// float32 numbers in the widest vector register; 1 when the list names no vector unit that we know. SVE
/// states its width nowhere in the list, so an SVE machine counts as its Advanced SIMD.
[[nodiscard]] int float_lanes(const std::vector<std::string>& instruction_sets);

/// Processors that are switched on; from /proc/cpuinfo where /sys is hidden; empty when both are hidden.
[[nodiscard]] std::vector<int> online_processors(const SystemFiles& files);

/// The processors that the calling thread may run on (its affinity mask).
[[nodiscard]] std::vector<int> allowed_processors();

/// Fills in the model, sockets, cores, threads, NUMA nodes, clock, instruction sets and caches of the given
/// processors, and of these alone: a process that may use four of 64 runs on a machine of four.
void read_processor_facts(const SystemFiles& files, const std::vector<int>& processors,
                          MachineDescription& machine);

} // namespace sparsight
