#include "domains/sparse/tensor/density_pyramid.h"

#include "base/parallel.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <ranges>
#include <utility>

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) &&                       \
    !defined(__SANITIZE_THREAD__)
#define SPARSIGHT_POPCOUNT_CLONES __attribute__((target_clones("popcnt", "default")))
#else
#define SPARSIGHT_POPCOUNT_CLONES
#endif

namespace sparsight {

// Baseline x86-64 counts bits in software; the clone for processors with the instruction is chosen when the
// program is loaded, which the sanitizers' start-up does not support.

namespace {

constexpr int block_bits = 5;
constexpr std::uint32_t block_size = 1U << block_bits;

/// Where positions in one level lead to in the next, for columns whose bit is 0 and for those where it is 1.
SPARSIGHT_POPCOUNT_CLONES void follow(const std::uint64_t* blocks, std::uint32_t level_zeros,
                                      const std::uint32_t* positions, std::size_t count,
                                      std::uint32_t* zero_side, std::uint32_t* one_side) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t position = positions[i];
        const std::uint64_t block = blocks[position >> block_bits];
        const std::uint32_t before = (1U << (position & (block_size - 1))) - 1;
        const auto zeros =
            static_cast<std::uint32_t>(block >> 32) +
            static_cast<std::uint32_t>(__builtin_popcount(static_cast<std::uint32_t>(block) & before));
        zero_side[i] = zeros;
        one_side[i] = level_zeros + (position - zeros);
    }
}

} // namespace

struct ColumnRankIndex::Search {
    std::int64_t col_begin = 0;
    std::int64_t col_end = 0;
    int cell_bits = 0;
    const Visit* visit = nullptr;
    std::vector<std::vector<std::uint32_t>> positions; ///< one list a level, and one for the way back
    std::vector<std::vector<std::uint32_t>> one_sides;
};

ColumnRankIndex::Level ColumnRankIndex::sort_by_bit(int bit, std::vector<std::int32_t>& ids,
                                                    std::vector<std::int32_t>& sorted, int threads) {
    Level level;
    level.blocks.resize(ids.size() / block_size + 1);
    const auto blocks = static_cast<std::int64_t>(level.blocks.size());
    const auto block_end = [&](std::int64_t block) {
        return std::min(ids.size(), (static_cast<std::size_t>(block) + 1) * block_size);
    };
    std::vector<std::uint32_t> zeros_of_part(static_cast<std::size_t>(threads));
    parallel_parts(threads, blocks, [&](int part, std::int64_t begin, std::int64_t end) {
        std::uint32_t zeros = 0;
        for (std::int64_t block = begin; block < end; ++block) {
            std::uint32_t bits = 0;
            const std::size_t first = static_cast<std::size_t>(block) * block_size;
            for (std::size_t e = first; e < block_end(block); ++e)
                bits |= static_cast<std::uint32_t>(~ids[e] >> bit & 1) << (e - first);
            level.blocks[static_cast<std::size_t>(block)] = static_cast<Block>(zeros) << 32 | bits;
            zeros += static_cast<std::uint32_t>(std::popcount(bits));
        }
        zeros_of_part[static_cast<std::size_t>(part)] = zeros;
    });
    std::vector<std::uint32_t> zeros_before(zeros_of_part.size());
    for (std::size_t part = 0; part < zeros_of_part.size(); ++part) {
        zeros_before[part] = level.zeros;
        level.zeros += zeros_of_part[part];
    }
    parallel_parts(threads, blocks, [&](int part, std::int64_t begin, std::int64_t end) {
        const std::uint32_t before = zeros_before[static_cast<std::size_t>(part)];
        std::size_t next[2] = {before, level.zeros + static_cast<std::size_t>(begin) * block_size - before};
        for (std::int64_t block = begin; block < end; ++block) {
            level.blocks[static_cast<std::size_t>(block)] += static_cast<Block>(before) << 32;
            for (std::size_t e = static_cast<std::size_t>(block) * block_size; e < block_end(block); ++e)
                sorted[next[ids[e] >> bit & 1]++] = ids[e];
        }
    });
    ids.swap(sorted);
    return level;
}

ColumnRankIndex::ColumnRankIndex(const CsrPattern& pattern, int threads) {
    if (pattern.cols < 2)
        return;
    std::vector<std::int32_t> ids = pattern.column_ids;
    std::vector<std::int32_t> sorted(ids.size());
    const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(pattern.cols - 1)));
    for (int bit = bits - 1; bit >= 0; --bit)
        levels_.push_back(sort_by_bit(bit, ids, sorted, std::max(threads, 1)));
}

void ColumnRankIndex::count(std::span<const std::uint32_t> bounds, std::int64_t col_begin,
                            std::int64_t col_end, int cell_bits, const Visit& visit) const {
    Search search{col_begin, col_end, cell_bits, &visit, {}, {}};
    search.positions.assign(levels_.size() + 1, std::vector<std::uint32_t>(bounds.size()));
    search.one_sides = search.positions;
    std::ranges::copy(bounds, search.positions.front().begin());
    descend(search, 0, 0);
}

void ColumnRankIndex::descend(Search& search, std::size_t level, std::int64_t first_col) const {
    const auto bits = static_cast<int>(levels_.size() - level);
    const std::int64_t last_col = first_col + (std::int64_t{1} << bits);
    std::vector<std::uint32_t>& positions = search.positions[level];
    if (last_col <= search.col_begin || first_col >= search.col_end || positions.front() == positions.back())
        return;
    const bool inside = first_col >= search.col_begin && last_col <= search.col_end;
    if (bits == 0 || (bits <= search.cell_bits && inside)) {
        (*search.visit)(first_col, positions);
        return;
    }
    std::vector<std::uint32_t>& next = search.positions[level + 1];
    std::vector<std::uint32_t>& one_side = search.one_sides[level + 1];
    follow(levels_[level].blocks.data(), levels_[level].zeros, positions.data(), positions.size(),
           next.data(), one_side.data());
    descend(search, level + 1, first_col);
    next.swap(one_side);
    descend(search, level + 1, first_col + (std::int64_t{1} << (bits - 1)));
}

namespace {

bool is_empty(const Viewport& viewport) {
    return viewport.row_begin >= viewport.row_end || viewport.col_begin >= viewport.col_end;
}

/// Rows of `to` from the columns of `from`, in squares that fit the cache.
void write_transposed(std::span<const std::uint32_t> from, std::size_t height, std::size_t width,
                      std::span<std::uint32_t> to) {
    constexpr std::size_t square = 32;
    for (std::size_t top = 0; top < height; top += square)
        for (std::size_t left = 0; left < width; left += square)
            for (std::size_t y = top; y < std::min(height, top + square); ++y)
                for (std::size_t x = left; x < std::min(width, left + square); ++x)
                    to[y * width + x] = from[x * height + y];
}

} // namespace

DensityPyramid::DensityPyramid(std::shared_ptr<const CsrPattern> pattern, int threads)
    : pattern_(std::move(pattern))
    , levels_(build_density_levels(*pattern_, threads))
    , index_(*pattern_, threads) {}

Result<DensityPyramid> DensityPyramid::build(std::shared_ptr<const CsrPattern> pattern, int threads) {
    constexpr std::int64_t most_entries = std::numeric_limits<std::uint32_t>::max();
    if (pattern->nnz() > most_entries)
        return fail(Fault::Limit,
                    fmt::format("the matrix has {} entries; a density can be shown for at most {}",
                                pattern->nnz(), most_entries));
    try {
        return DensityPyramid(std::move(pattern), std::max(threads, 1));
    } catch (const std::bad_alloc&) {
        return fail(Fault::Limit, "there is not enough memory to show the density of this matrix");
    }
}

Viewport DensityPyramid::cut_off(const Viewport& viewport) const {
    return {std::max<std::int64_t>(viewport.row_begin, 0), std::min(viewport.row_end, pattern_->rows),
            std::max<std::int64_t>(viewport.col_begin, 0), std::min(viewport.col_end, pattern_->cols)};
}

/// The coarsest level whose cells are no larger than the wanted ones, if the viewport's borders fall on its.
const DensityLevel* DensityPyramid::matching_level(const Viewport& viewport, std::int64_t width,
                                                   std::int64_t height) const {
    const auto on_border = [](std::int64_t edge, std::int64_t cell, std::int64_t extent) {
        return edge % cell == 0 || edge == extent;
    };
    for (const DensityLevel& level : std::views::reverse(levels_)) {
        const bool fine_enough = level.cell_rows * height <= viewport.row_end - viewport.row_begin &&
                                 level.cell_cols * width <= viewport.col_end - viewport.col_begin;
        const bool aligned = on_border(viewport.row_begin, level.cell_rows, pattern_->rows) &&
                             on_border(viewport.row_end, level.cell_rows, pattern_->rows) &&
                             on_border(viewport.col_begin, level.cell_cols, pattern_->cols) &&
                             on_border(viewport.col_end, level.cell_cols, pattern_->cols);
        if (fine_enough && aligned)
            return &level;
    }
    return nullptr;
}

Result<DensityGrid> DensityPyramid::density(const Viewport& viewport, int width, int height,
                                            int threads) const {
    if (width < 1 || height < 1 || width > max_cells || height > max_cells)
        return fail(Fault::Input,
                    fmt::format("a density of {} × {} cells was asked for; 1 to {} are possible "
                                "in each direction",
                                width, height, max_cells));
    const Viewport view = cut_off(viewport);
    DensityGrid grid;
    if (is_empty(view))
        return grid;
    const std::int64_t rows = view.row_end - view.row_begin;
    const std::int64_t cols = view.col_end - view.col_begin;
    const std::int64_t down = std::min<std::int64_t>(height, rows);
    const std::int64_t across = std::min<std::int64_t>(width, cols);
    if (const DensityLevel* level = matching_level(view, across, down))
        return sum_level(*level, view, across, down, threads);
    grid.counts.resize(static_cast<std::size_t>(down * across));
    const auto cell_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(cols / across))) - 1;
    grid.row_edges = divide_evenly(view.row_begin, view.row_end, down, 1);
    grid.col_edges = divide_evenly(view.col_begin, view.col_end, across, std::int64_t{1} << cell_bits);
    count_by_index(grid, cell_bits, threads);
    return grid;
}

void DensityPyramid::count_by_index(DensityGrid& grid, int cell_bits, int threads) const {
    const auto width = static_cast<std::size_t>(grid.width());
    parallel_parts(threads, grid.height(), [&](int, std::int64_t begin, std::int64_t end) {
        if (begin == end)
            return;
        const auto height = static_cast<std::size_t>(end - begin);
        std::vector<std::uint32_t> bounds;
        for (std::int64_t y = begin; y <= end; ++y) {
            const auto row = static_cast<std::size_t>(grid.row_edges[static_cast<std::size_t>(y)]);
            bounds.push_back(static_cast<std::uint32_t>(pattern_->row_pointers[row]));
        }
        // Answers come column by column.
        std::vector<std::uint32_t> columns(height * width);
        std::size_t x = 0;
        index_.count(bounds, grid.col_edges.front(), grid.col_edges.back(), cell_bits,
                     [&](std::int64_t first_col, std::span<const std::uint32_t> positions) {
                         while (grid.col_edges[x + 1] <= first_col)
                             ++x;
                         std::uint32_t* const column = columns.data() + x * height;
                         for (std::size_t y = 0; y < height; ++y)
                             column[y] += positions[y + 1] - positions[y];
                     });
        write_transposed(
            columns, height, width,
            std::span(grid.counts).subspan(static_cast<std::size_t>(begin) * width, height * width));
    });
}

EntryList DensityPyramid::entries_in(const Viewport& viewport, std::int64_t limit) const {
    const Viewport view = cut_off(viewport);
    EntryList list;
    if (is_empty(view))
        return list;
    const Result<DensityGrid> whole = density(view, 1, 1, 1);
    list.total = whole->counts.front();
    list.entries.reserve(static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 0, list.total)));
    if (list.total > 0 && limit > 0)
        collect(view, limit, list);
    return list;
}

void DensityPyramid::collect(const Viewport& view, std::int64_t limit, EntryList& list) const {
    constexpr std::int64_t few_rows = 256;
    constexpr int parts = 64;
    if (view.row_end - view.row_begin > few_rows) {
        const Result<DensityGrid> slabs = density(view, 1, parts, 1);
        for (std::size_t part = 0; part < slabs->counts.size(); ++part)
            if (slabs->counts[part] > 0 && std::ssize(list.entries) < limit)
                collect({slabs->row_edges[part], slabs->row_edges[part + 1], view.col_begin, view.col_end},
                        limit, list);
        return;
    }
    for (std::int64_t row = view.row_begin; row < view.row_end; ++row) {
        const std::int32_t* const first =
            pattern_->column_ids.data() + pattern_->row_pointers[static_cast<std::size_t>(row)];
        const std::int32_t* const end =
            pattern_->column_ids.data() + pattern_->row_pointers[static_cast<std::size_t>(row) + 1];
        for (const std::int32_t* place = std::lower_bound(first, end, view.col_begin);
             place != end && *place < view.col_end; ++place) {
            if (std::ssize(list.entries) == limit)
                return;
            list.entries.push_back({static_cast<std::int32_t>(row), *place});
        }
    }
}

} // namespace sparsight
