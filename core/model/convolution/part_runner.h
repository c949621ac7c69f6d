// How the work of one layer is divided among threads. The parts are the same for any number of threads, and
// each part's sums are kept apart, so that results are the same bit for bit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

namespace sparsight {

/// Calls body(part) for each part in [0, parts), in any order, on any threads; returns when all are done.
using PartRunner = std::function<void(int parts, const std::function<void(int part)>& body)>;

/// A contiguous run of centres.
struct CentreRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// The number of parts: about 2,000 centres each, which take a tenth of a millisecond; 64 parts at most,
/// since each may need a copy of the weights for its sums. At least 1.
[[nodiscard]] inline int part_count(std::int64_t centres) {
    return static_cast<int>(std::clamp<std::int64_t>(centres / 2048, 1, 64));
}

[[nodiscard]] inline CentreRange part_range(std::int64_t centres, int parts, int part) {
    return {centres * part / parts, centres * (part + 1) / parts};
}

/// Runs parts on LibTorch's own threads, so that its operations and ours never compete for the cores. Uses
/// as many threads as at::get_num_threads() says when it runs; each takes the next part when it is free.
[[nodiscard]] PartRunner torch_part_runner();

} // namespace sparsight
