// Coarse parallel work of the engine itself (reading, packing, statistics). Kernels have a team of their own,
// because opening a region must cost them a microsecond and not a thread start.
#pragma once

#include <cstdint>
#include <functional>

namespace sparsight {

/// Hardware threads that this process may use (the affinity mask counts), at least 1.
[[nodiscard]] int available_threads();

/// Splits [0, count) into `threads` contiguous parts of nearly equal size and calls body(part, begin, end)
/// for each, in parallel; returns when all are done. Parts may be empty. An exception in a body is rethrown
/// here.
void parallel_parts(int threads, std::int64_t count,
                    const std::function<void(int part, std::int64_t begin, std::int64_t end)>& body);

} // namespace sparsight
