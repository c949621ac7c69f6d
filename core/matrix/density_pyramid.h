// What a sparsity plot asks: how dense is this part of the matrix, at the resolution of the screen?
#pragma once

#include "base/error.h"
#include "matrix/column_rank_index.h"
#include "matrix/density_grid.h"

#include <memory>
#include <span>

namespace sparsight {

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
