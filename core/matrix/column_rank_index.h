// Counts entries in any rectangle of a pattern without looking at them.
#pragma once

#include "matrix/pattern.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace sparsight {

/// A wavelet matrix (Claude, Navarro and Ordóñez, "The wavelet matrix", 2015) over the column ids in row
/// order. One level for each bit of a column id, from the highest; on each, a bit for every entry. Where an
/// entry goes on the next level follows from how many zeros stand before it, so a run of entries (a range of
/// rows) is followed down into a range of columns at two look-ups a level, whatever the pattern looks like.
/// Takes nnz · bits(cols) / 4 bytes. nnz must be below 2^32.
class ColumnRankIndex {
public:
    ColumnRankIndex() = default;
    ColumnRankIndex(const CsrPattern& pattern, int threads);

    /// `bounds`: ascending positions of entries in row order, so that bounds[y] … bounds[y + 1] − 1 are those
    /// of the y-th run of rows. Divides columns [col_begin, col_end) into ranges of which none crosses a
    /// multiple of 2^cell_bits, and calls visit(first column, positions) for each range that holds entries:
    /// positions[y + 1] − positions[y] of the y-th run lie in it. Columns ascend from call to call.
    using Visit = std::function<void(std::int64_t first_col, std::span<const std::uint32_t> positions)>;
    void count(std::span<const std::uint32_t> bounds, std::int64_t col_begin, std::int64_t col_end,
               int cell_bits, const Visit& visit) const;

private:
    /// For 32 entries: above, how many zeros stand before them; below, a 1 for each zero.
    using Block = std::uint64_t;

    struct Level {
        std::vector<Block> blocks;
        std::uint32_t zeros = 0; ///< how many of the level's bits are 0
    };
    struct Search;

    static Level sort_by_bit(int bit, std::vector<std::int32_t>& ids, std::vector<std::int32_t>& sorted,
                             int threads);
    void descend(Search& search, std::size_t level, std::int64_t first_col) const;

    std::vector<Level> levels_;
};

} // namespace sparsight
