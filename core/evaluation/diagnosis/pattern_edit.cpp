#include "evaluation/diagnosis/pattern_edit.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

using Place = std::pair<std::int64_t, std::int64_t>; ///< of a block: row, column

template <typename Visit>
void for_each_entry(const CsrPattern& pattern, Visit visit) {
    for (std::int64_t row = 0; row < pattern.rows; ++row)
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
CsrPattern with_rows_by(const CsrPattern& pattern, Key key) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(pattern.rows));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::ranges::stable_sort(order, {}, key);
    std::vector<std::int64_t> place(order.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        place[static_cast<std::size_t>(order[at])] = static_cast<std::int64_t>(at);
    Entries entries(pattern);
    for_each_entry(pattern, [&](std::int64_t row, std::int64_t column) {
        entries.add(place[static_cast<std::size_t>(row)], column);
    });
    return entries.take();
}

CsrPattern with_rows_by_length(const CsrPattern& pattern) {
    return with_rows_by(pattern, [&](std::int64_t row) {
        const auto at = static_cast<std::size_t>(row);
        return pattern.row_pointers[at] - pattern.row_pointers[at + 1];
    });
}

CsrPattern with_rows_by_column(const CsrPattern& pattern) {
    return with_rows_by(pattern, [&](std::int64_t row) {
        const auto at = static_cast<std::size_t>(row);
        const auto first = static_cast<std::size_t>(pattern.row_pointers[at]);
        return pattern.row_pointers[at] < pattern.row_pointers[at + 1]
                   ? static_cast<std::int64_t>(pattern.column_ids[first])
                   : std::numeric_limits<std::int64_t>::max();
    });
}

/// Occupied blocks with their number of entries, those with the fewest first.
std::vector<std::pair<std::int64_t, Place>> blocks_by_entries(const CsrPattern& pattern, BlockShape shape) {
    std::map<Place, std::int64_t> counts;
    for_each_entry(pattern, [&](std::int64_t row, std::int64_t column) {
        ++counts[{row / shape.rows, column / shape.columns}];
    });
    std::vector<std::pair<std::int64_t, Place>> blocks;
    blocks.reserve(counts.size());
    for (const auto& [place, count] : counts)
        blocks.emplace_back(count, place);
    std::ranges::sort(blocks);
    return blocks;
}

CsrPattern with_emptier_blocks(const CsrPattern& pattern, double strength, BlockShape shape) {
    auto left = static_cast<std::int64_t>(std::llround(strength * static_cast<double>(pattern.nnz())));
    std::map<Place, bool> emptied;
    for (const auto& [count, place] : blocks_by_entries(pattern, shape)) {
        if (count > left)
            break;
        left -= count;
        emptied[place] = true;
    }
    Entries entries(pattern);
    for_each_entry(pattern, [&](std::int64_t row, std::int64_t column) {
        if (!emptied.contains({row / shape.rows, column / shape.columns}))
            entries.add(row, column);
    });
    return entries.take();
}

CsrPattern with_fuller_blocks(const CsrPattern& pattern, double strength, BlockShape shape) {
    Entries entries(pattern);
    for_each_entry(pattern, [&](std::int64_t row, std::int64_t column) { entries.add(row, column); });
    const auto blocks = blocks_by_entries(pattern, shape);
    const auto filled = static_cast<std::size_t>(std::llround(strength * static_cast<double>(blocks.size())));
    for (const auto& [count, place] : std::span(blocks).last(filled))
        for (auto row = place.first * shape.rows;
             row < std::min(pattern.rows, (place.first + 1) * shape.rows); ++row)
            for (auto column = place.second * shape.columns;
                 column < std::min(pattern.cols, (place.second + 1) * shape.columns); ++column)
                entries.add(row, column);
    return entries.take();
}

CsrPattern with_narrower_band(const CsrPattern& pattern, double strength) {
    const double slope =
        static_cast<double>(pattern.cols) / static_cast<double>(std::max<std::int64_t>(1, pattern.rows));
    Entries entries(pattern);
    for_each_entry(pattern, [&](std::int64_t row, std::int64_t column) {
        const double diagonal = std::floor(static_cast<double>(row) * slope);
        const double moved = diagonal + std::round((static_cast<double>(column) - diagonal) * (1 - strength));
        entries.add(row, static_cast<std::int64_t>(moved));
    });
    return entries.take();
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

CsrPattern edited(const CsrPattern& pattern, PatternEdit edit, double strength, BlockShape blocks) {
    switch (edit) {
    case PatternEdit::RowsByLength:
        return with_rows_by_length(pattern);
    case PatternEdit::RowsByColumn:
        return with_rows_by_column(pattern);
    case PatternEdit::EmptierBlocks:
        return with_emptier_blocks(pattern, strength, blocks);
    case PatternEdit::FullerBlocks:
        return with_fuller_blocks(pattern, strength, blocks);
    case PatternEdit::NarrowerBand:
        return with_narrower_band(pattern, strength);
    }
    return pattern;
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
