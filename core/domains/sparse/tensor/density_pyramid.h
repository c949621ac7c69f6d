// Counts the entries in any rectangle of a pattern without reading them. A sparsity plot asks how dense a
// part of the matrix is at the resolution of the screen.
#pragma once

#include "base/error.h"
#include "domains/sparse/tensor/density_grid.h"
#include "domains/sparse/tensor/pattern.h"

#include <cstdint>
#include <functional>
#include <memory>
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
    /// of the y-th run of rows. Divides columns [col_begin, col_end) into ranges that never cross a
    /// multiple of 2^cell_bits, and calls visit(first column, positions) for each range that holds entries:
    /// positions[y + 1] − positions[y] of the y-th run lie in it. Columns ascend from call to call.
    using Visit = std::function<void(std::int64_t first_col, std::span<const std::uint32_t> positions)>;
    void count(std::span<const std::uint32_t> bounds, std::int64_t col_begin, std::int64_t col_end,
               int cell_bits, const Visit& visit) const;

private:
    /// For 32 entries: in the upper half the number of zeros before them, in the lower half a 1 for each
    /// zero.
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

struct EntryPosition {
    std::int32_t row = 0;
    std::int32_t col = 0;
    auto operator<=>(const EntryPosition&) const = default;
};

/// The first entries of a viewport, row by row, and how many there are in all.
struct EntryList {
    std::vector<EntryPosition> entries;
    std::int64_t total = 0;
};

/// Counts at power-of-two resolutions, and an index for everything finer. Immutable, so any thread may ask.
class DensityPyramid {
public:
    /// Most cells of a density in each direction.
    static constexpr int max_cells = 8192;

    /// Keeps the pattern alive without copying it. Errors: Limit for 2^32 entries and more, or too little
    /// memory (about nnz · bits(cols) / 4 bytes, twice 4 · nnz more while it is built).
    [[nodiscard]] static Result<DensityPyramid> build(std::shared_ptr<const CsrPattern> pattern, int threads);

    [[nodiscard]] const CsrPattern& pattern() const { return *pattern_; }
    /// Finest first; see build_density_levels.
    [[nodiscard]] std::span<const DensityLevel> levels() const { return levels_; }

    /// The counts of a viewport (cut off at the matrix's border) in about width × height cells: as many, or,
    /// zoomed in further than that, one for each row or column. The outer edges are the viewport's; the inner
    /// ones are less than one cell from where an even division would put them. An empty viewport gives an
    /// empty grid. Time grows with width · height and not with the number of entries.
    /// Errors: Input for a width or height outside 1 … max_cells.
    [[nodiscard]] Result<DensityGrid> density(const Viewport& viewport, int width, int height,
                                              int threads) const;

    /// At most `limit` entries of the viewport. Quick for the viewports in which single entries can be seen:
    /// time grows with the rows of the viewport up to a few hundred, then with the entries that are returned.
    [[nodiscard]] EntryList entries_in(const Viewport& viewport, std::int64_t limit) const;

private:
    DensityPyramid(std::shared_ptr<const CsrPattern> pattern, int threads);

    [[nodiscard]] Viewport cut_off(const Viewport& viewport) const;
    [[nodiscard]] const DensityLevel* matching_level(const Viewport& viewport, std::int64_t width,
                                                     std::int64_t height) const;
    void count_by_index(DensityGrid& grid, int cell_bits, int threads) const;
    void collect(const Viewport& viewport, std::int64_t limit, EntryList& list) const;

    std::shared_ptr<const CsrPattern> pattern_;
    std::vector<DensityLevel> levels_;
    ColumnRankIndex index_;
};

} // namespace sparsight
