// The instruction sets that kernels care about, by the names of Linux: "avx2", "fma", "avx512f", "asimd",
// "sve".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Those of the words of a "flags" or "Features" line of /proc/cpuinfo that concern vectors and arithmetic,
/// in our own order.
[[nodiscard]] std::vector<std::string> instruction_sets_among(std::string_view flags);

/// What the processor that runs this program says itself; for where /proc is not to be had.
[[nodiscard]] std::vector<std::string> running_instruction_sets();

/// float32 numbers in the widest vector register; 1 when the list names no vector unit that we know. SVE
/// states its width nowhere in the list, so an SVE machine counts as its Advanced SIMD.
[[nodiscard]] int float_lanes(const std::vector<std::string>& instruction_sets);

} // namespace sparsight
