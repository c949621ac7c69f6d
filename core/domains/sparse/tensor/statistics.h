// Statistics that describe the shape of a pattern. Every one is defined for every pattern, also for one
// without rows, columns or entries: a mean, share or ratio of nothing is 0, except the symmetry (see there).
#pragma once

#include "domains/sparse/tensor/pattern.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Statistics of the numbers of entries x_1 ≤ … ≤ x_n of n rows (or columns), empty ones counted.
struct LengthStatistics {
    double mean = 0;
    std::int64_t max = 0;
    /// Standard deviation (dividing by n) over the mean.
    double coefficient_of_variation = 0;
    /// 2 Σ k·x_k / (n Σ x_k) − (n + 1) / n: 0 when all are alike, towards 1 when few hold all (Gini 1912).
    double gini = 0;
    std::int64_t empty = 0;
};

/// The block sizes b and tile heights t of PatternStatistics.
inline constexpr std::array<int, 5> block_sizes{2, 4, 8, 16, 32};
inline constexpr std::array<int, 3> tile_heights{8, 64, 512};

struct TileStatistics {
    /// Different columns that a tile of t rows touches, mean over all ⌈rows / t⌉ tiles; the last may be
    /// lower.
    double distinct_columns = 0;
    /// nnz / Σ over the tiles of their different columns: how often a tile uses a column that it has loaded.
    double reuse = 0;
};

struct PatternStatistics {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t nnz = 0;
    /// nnz / (rows · cols).
    double density = 0;
    LengthStatistics row_length;
    LengthStatistics column_length;
    /// max |i − j| over the entries (i, j).
    std::int64_t bandwidth = 0;
    /// Σ over the rows of max(0, i − the first column of row i): the size of the lower envelope (George and
    /// Liu 1981); empty rows add 0.
    std::int64_t profile = 0;
    /// Entries (i, i) / min(rows, cols).
    double diagonal_occupancy = 0;
    /// Different j − i over the entries: how many diagonals a diagonal format would store.
    std::int64_t occupied_diagonals = 0;
    /// Share of the entries (i, j), i ≠ j, for which (j, i) is an entry as well. An entry whose mirror image
    /// would lie outside the matrix has none. 1 when there is no entry off the diagonal.
    double symmetry = 1;
    /// For each b of block_sizes: nnz / (b² · number of aligned b × b blocks that hold an entry). Blocks cut
    /// off by the border count as whole ones, as a padded block format stores them.
    std::array<double, block_sizes.size()> block_fill{};
    /// For each t of tile_heights.
    std::array<TileStatistics, tile_heights.size()> tiles{};
};

/// Linear in rows + nnz + min(cols, 4 · nnz) in time and, for each thread, in memory; entries are sorted
/// where columns are more than that. The result does not depend on the number of threads.
[[nodiscard]] PatternStatistics compute_statistics(const CsrPattern& pattern, int threads);

/// One statistic as data: what tables, tooltips and machine-readable output are made from.
struct Statistic {
    std::string name; ///< stable, lower case with underscores
    std::string title;
    std::string unit; ///< "rows", "columns", "entries"; empty for shares and ratios
    std::string definition;
    bool is_integer = false;
    double (*read)(const PatternStatistics&, std::size_t index) = nullptr;
    void (*write)(PatternStatistics&, std::size_t index, double) = nullptr;
    std::size_t index = 0; ///< to be passed to read and write

    /// Sizes and counts grow without bound; shares lie between 0 and 1.
    [[nodiscard]] bool is_unbounded() const {
        return !unit.empty() || name.ends_with("_variation") || name.starts_with("tile_reuse");
    }
    [[nodiscard]] double of(const PatternStatistics& statistics) const { return read(statistics, index); }
    void set(PatternStatistics& statistics, double value) const { write(statistics, index, value); }
};

/// Every statistic, in the order in which they are shown.
[[nodiscard]] std::span<const Statistic> statistics();

/// Counts how many rows (or columns) have each length, for LengthStatistics.
class LengthCounts {
public:
    void add(std::int64_t length) {
        if (length >= few)
            long_ones_.push_back(length);
        else
            ++counts_[static_cast<std::size_t>(length)];
    }

    /// The statistics of `total` rows; those that were not added are empty.
    [[nodiscard]] LengthStatistics statistics(std::int64_t total);

private:
    static constexpr std::int64_t few = 4096;
    std::vector<std::int64_t> counts_ = std::vector<std::int64_t>(few);
    std::vector<std::int64_t> long_ones_;
};

/// How many entries (i, j), i ≠ j, have their mirror image (j, i) in the pattern. Linear in rows + nnz for
/// each thread.
[[nodiscard]] std::int64_t count_mirrored_entries(const CsrPattern& pattern, int threads);

} // namespace sparsight
