// How evenly the chunks of a parallel loop load the cores: greedy list scheduling of the real chunks, as a
// dynamic schedule hands them out (Graham, 1966).
#pragma once

#include "matrix/distinct_coordinates.h"

#include <array>
#include <compare>
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

/// What is handed out of a parallel loop over blocks of A's rows, or of its columns, and what is done in it:
/// the stored positions that are walked, not the entries alone.
struct ChunkShape {
    IdGroups ids;              ///< the rows, or columns, of one chunk
    std::int64_t block = 1;    ///< of one iteration
    double iteration_work = 1; ///< of an iteration, whatever is stored in it
    CoordinateParts stored;    ///< levels down to the last compressed one: what they store is walked
    double work_of_stored = 1; ///< positions of uncompressed levels below each; 0: the loop is among those
    auto operator<=>(const ChunkShape&) const = default;
};

/// The work of each chunk, in positions. Linear in rows + nnz.
[[nodiscard]] std::vector<double> chunk_work(const CsrPattern& pattern, const ChunkShape& shape);

} // namespace sparsight
