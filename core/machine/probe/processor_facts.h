// The instruction sets that kernels care about, by the names of Linux: "avx2", "fma", "avx512f", "asimd",
// "sve".
#pragma once

#include "machine/machine_description.h"
#include "machine/probe/system_files.h"

#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Those of the words of a "flags" or "Features" line of /proc/cpuinfo that concern vectors and arithmetic,
/// in our own order.
[[nodiscard]] std::vector<std::string> instruction_sets_among(std::string_view flags);

/// What the processor that runs this program says itself; for where /proc is not to be had.
[[nodiscard]] std::vector<std::string> host_instruction_sets();

/// float32 numbers in the widest vector register; 1 when the list names no vector unit that we know. SVE
/// states its width nowhere in the list, so an SVE machine counts as its Advanced SIMD.
[[nodiscard]] int float_lanes(const std::vector<std::string>& instruction_sets);

// What Linux says about the processors of a machine, read from its /proc and /sys.

/// Processors that are switched on; from /proc/cpuinfo where /sys is hidden; empty when neither tells.
[[nodiscard]] std::vector<int> online_processors(const SystemFiles& files);

/// The processors that the calling thread may run on (its affinity mask).
[[nodiscard]] std::vector<int> allowed_processors();

/// Fills in the model, sockets, cores, threads, NUMA nodes, clock, instruction sets and caches of the given
/// processors, and of these alone: a process that may use four of 64 runs on a machine of four.
void read_processor_facts(const SystemFiles& files, const std::vector<int>& processors,
                          MachineDescription& machine);

} // namespace sparsight
