// How evenly the chunks of a parallel loop load the cores: greedy list scheduling of the real chunks, as a
// dynamic schedule hands them out (Graham, 1966).
#pragma once

#include "matrix/pattern.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

/// Greedy schedules for some numbers of cores, and what lies between them.
class ChunkBalance {
public:
    /// Perfect: every number of cores shares the work evenly.
    ChunkBalance() { excess_.fill(0); }
    /// Chunks in the order in which they are handed out, with their work in any unit.
    explicit ChunkBalance(std::span<const double> work);

    /// The longest core's work over the average's, minus 1, on so many cores.
    [[nodiscard]] double excess(double cores) const;

    static constexpr std::array<int, 15> core_counts{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256};

private:
    std::array<double, core_counts.size()> excess_{};
    double largest_share_ = 0; ///< of the largest chunk in all work
};

/// The work of each chunk: `per_iteration` for every iteration of a loop over blocks of `block` rows (or
/// columns), and `per_entry` for each entry in it; `chunk` iterations are one chunk.
[[nodiscard]] std::vector<double> chunk_work(const CsrPattern& pattern, bool rows, std::int64_t block,
                                             std::int64_t chunk, double per_iteration, double per_entry);

} // namespace sparsight
