#include "evaluation/diagnosis/pattern_edit.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

/// Positions of the blocks that are filled, for each entry that there is: what grows further is another
/// matrix.
constexpr double most_growth = 4;
constexpr double most_filled_positions = 1 << 26; ///< whose coordinates take half a gigabyte

/// Ends early when it is asked to: what was visited is then not worth anything.
template <typename Visit>
void for_each_entry(const CsrPattern& pattern, const std::stop_token& stop, Visit visit) {
    for (std::int64_t row = 0; row < pattern.rows && !stop.stop_requested(); ++row)
        for (auto at = pattern.row_pointers[static_cast<std::size_t>(row)];
             at < pattern.row_pointers[static_cast<std::size_t>(row) + 1]; ++at)
            visit(row, static_cast<std::int64_t>(pattern.column_ids[static_cast<std::size_t>(at)]));
}

class Entries {
public:
    explicit Entries(const CsrPattern& pattern) {
        coordinates_.rows = pattern.rows;
        coordinates_.cols = pattern.cols;
    }
    void add(std::int64_t row, std::int64_t column) {
        coordinates_.row_ids.push_back(static_cast<std::int32_t>(row));
        coordinates_.column_ids.push_back(static_cast<std::int32_t>(column));
    }
    CsrPattern take() { return compress(std::move(coordinates_), 1).pattern; }

private:
    CooPattern coordinates_;
};

template <typename Key>
CsrPattern with_rows_by(const CsrPattern& pattern, const std::stop_token& stop, Key key) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(pattern.rows));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::ranges::stable_sort(order, {}, key);
    std::vector<std::int64_t> place(order.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        place[static_cast<std::size_t>(order[at])] = static_cast<std::int64_t>(at);
    Entries entries(pattern);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) {
        entries.add(place[static_cast<std::size_t>(row)], column);
    });
    return entries.take();
}

CsrPattern with_rows_by_length(const CsrPattern& pattern, const std::stop_token& stop) {
    return with_rows_by(pattern, stop, [&](std::int64_t row) {
        const auto at = static_cast<std::size_t>(row);
        return pattern.row_pointers[at] - pattern.row_pointers[at + 1];
    });
}

CsrPattern with_rows_by_column(const CsrPattern& pattern, const std::stop_token& stop) {
    return with_rows_by(pattern, stop, [&](std::int64_t row) {
        const auto at = static_cast<std::size_t>(row);
        const auto first = static_cast<std::size_t>(pattern.row_pointers[at]);
        return pattern.row_pointers[at] < pattern.row_pointers[at + 1]
                   ? static_cast<std::int64_t>(pattern.column_ids[first])
                   : std::numeric_limits<std::int64_t>::max();
    });
}

/// Which block of a pattern an entry lies in, as one number: row after row of blocks.
class Blocks {
public:
    Blocks(const CsrPattern& pattern, BlockShape shape)
        : shape_(shape)
        , across_((pattern.cols + shape.columns - 1) / shape.columns) {}

    [[nodiscard]] std::int64_t of(std::int64_t row, std::int64_t column) const {
        return row / shape_.rows * across_ + column / shape_.columns;
    }
    [[nodiscard]] std::int64_t first_row(std::int64_t block) const { return block / across_ * shape_.rows; }
    [[nodiscard]] std::int64_t first_column(std::int64_t block) const {
        return block % across_ * shape_.columns;
    }

private:
    BlockShape shape_;
    std::int64_t across_;
};

struct OccupiedBlock {
    std::int64_t entries = 0;
    std::int64_t block = 0;
    auto operator<=>(const OccupiedBlock&) const = default;
};

/// Those with the fewest entries first.
std::vector<OccupiedBlock> blocks_by_entries(const CsrPattern& pattern, const Blocks& blocks,
                                             const std::stop_token& stop) {
    std::vector<std::int64_t> of_entries;
    of_entries.reserve(static_cast<std::size_t>(pattern.nnz()));
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) {
        of_entries.push_back(blocks.of(row, column));
    });
    std::ranges::sort(of_entries);
    std::vector<OccupiedBlock> occupied;
    for (const std::int64_t block : of_entries) {
        if (occupied.empty() || occupied.back().block != block)
            occupied.push_back({0, block});
        ++occupied.back().entries;
    }
    std::ranges::sort(occupied);
    return occupied;
}

CsrPattern with_emptier_blocks(const CsrPattern& pattern, double strength, BlockShape shape,
                               const std::stop_token& stop) {
    const Blocks blocks(pattern, shape);
    auto left = static_cast<std::int64_t>(std::llround(strength * static_cast<double>(pattern.nnz())));
    std::vector<std::int64_t> emptied;
    for (const auto& [entries, block] : blocks_by_entries(pattern, blocks, stop)) {
        if (entries > left)
            break;
        left -= entries;
        emptied.push_back(block);
    }
    std::ranges::sort(emptied);
    Entries entries(pattern);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) {
        if (!std::ranges::binary_search(emptied, blocks.of(row, column)))
            entries.add(row, column);
    });
    return entries.take();
}

/// Scattered entries fill a block each, and a block may be thousands of positions: looked at before any of
/// them is made.
Result<CsrPattern> with_fuller_blocks(const CsrPattern& pattern, double strength, BlockShape shape,
                                      const std::stop_token& stop) {
    const Blocks blocks(pattern, shape);
    const auto occupied = blocks_by_entries(pattern, blocks, stop);
    const auto filled =
        static_cast<std::size_t>(std::llround(strength * static_cast<double>(occupied.size())));
    const double positions = static_cast<double>(filled) * static_cast<double>(shape.rows * shape.columns);
    if (positions > most_growth * static_cast<double>(pattern.nnz()) || positions > most_filled_positions)
        return fail(Fault::Limit, fmt::format("the filled blocks have {:.3g} positions for {} entries",
                                              positions, pattern.nnz()));
    Entries entries(pattern);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) { entries.add(row, column); });
    for (const auto& [count, block] : std::span(occupied).last(filled)) {
        if (stop.stop_requested())
            break;
        const std::int64_t first_row = blocks.first_row(block);
        const std::int64_t first_column = blocks.first_column(block);
        for (auto row = first_row; row < std::min(pattern.rows, first_row + shape.rows); ++row)
            for (auto column = first_column; column < std::min(pattern.cols, first_column + shape.columns);
                 ++column)
                entries.add(row, column);
    }
    return entries.take();
}

CsrPattern with_narrower_band(const CsrPattern& pattern, double strength, const std::stop_token& stop) {
    const double slope =
        static_cast<double>(pattern.cols) / static_cast<double>(std::max<std::int64_t>(1, pattern.rows));
    Entries entries(pattern);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) {
        const double diagonal = std::floor(static_cast<double>(row) * slope);
        const double moved = diagonal + std::round((static_cast<double>(column) - diagonal) * (1 - strength));
        entries.add(row, static_cast<std::int64_t>(moved));
    });
    return entries.take();
}

Result<CsrPattern> edit_pattern(const CsrPattern& pattern, PatternEdit edit, double strength,
                                BlockShape blocks, const std::stop_token& stop) {
    switch (edit) {
    case PatternEdit::RowsByLength:
        return with_rows_by_length(pattern, stop);
    case PatternEdit::RowsByColumn:
        return with_rows_by_column(pattern, stop);
    case PatternEdit::EmptierBlocks:
        return with_emptier_blocks(pattern, strength, blocks, stop);
    case PatternEdit::FullerBlocks:
        return with_fuller_blocks(pattern, strength, blocks, stop);
    case PatternEdit::NarrowerBand:
        return with_narrower_band(pattern, strength, stop);
    }
    return pattern;
}

} // namespace

std::string_view name(PatternEdit edit) {
    switch (edit) {
    case PatternEdit::RowsByLength:
        return "rows_by_length";
    case PatternEdit::RowsByColumn:
        return "rows_by_column";
    case PatternEdit::EmptierBlocks:
        return "emptier_blocks";
    case PatternEdit::FullerBlocks:
        return "fuller_blocks";
    case PatternEdit::NarrowerBand:
        return "narrower_band";
    }
    return {};
}

bool is_gradual(PatternEdit edit) {
    return edit != PatternEdit::RowsByLength && edit != PatternEdit::RowsByColumn;
}

Result<CsrPattern> edited(const CsrPattern& pattern, PatternEdit edit, double strength, BlockShape blocks,
                          const std::stop_token& stop) {
    auto changed = edit_pattern(pattern, edit, strength, blocks, stop);
    if (stop.stop_requested())
        return fail(Fault::Cancelled, "stopped");
    return changed;
}

std::string describe(PatternEdit edit, double strength, BlockShape blocks) {
    const double percent = 100 * strength;
    switch (edit) {
    case PatternEdit::RowsByLength:
        return "the rows are ordered by length";
    case PatternEdit::RowsByColumn:
        return "the rows are ordered by their first column";
    case PatternEdit::EmptierBlocks:
        return fmt::format("{:g} % of the entries, those in the emptiest blocks of {} × {}, are removed",
                           percent, blocks.rows, blocks.columns);
    case PatternEdit::FullerBlocks:
        return fmt::format("{:g} % of the blocks of {} × {}, the fullest, are filled up", percent,
                           blocks.rows, blocks.columns);
    case PatternEdit::NarrowerBand:
        return fmt::format("every entry is {:g} % nearer to the diagonal", percent);
    }
    return {};
}

} // namespace sparsight
