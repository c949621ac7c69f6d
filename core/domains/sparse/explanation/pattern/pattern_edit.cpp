#include "domains/sparse/explanation/pattern/pattern_edit.h"

#include "base/random.h"
#include "domains/sparse/explanation/pattern/block_and_order_edits.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace sparsight {

namespace {

/// Of a matrix that is repeated: what is larger takes too long to look at.
constexpr std::int64_t most_repeated_entries = std::int64_t{1} << 20;

double slope_of(const CsrPattern& pattern) {
    return static_cast<double>(pattern.cols) / static_cast<double>(std::max<std::int64_t>(1, pattern.rows));
}

CsrPattern with_narrower_band(const CsrPattern& pattern, double strength, const std::stop_token& stop) {
    const double slope = slope_of(pattern);
    EntryCollector entries(pattern.rows, pattern.cols);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) {
        const double diagonal = std::floor(static_cast<double>(row) * slope);
        const double moved = diagonal + std::round((static_cast<double>(column) - diagonal) * (1 - strength));
        entries.add(row, static_cast<std::int64_t>(moved));
    });
    return entries.take();
}

/// Each row gets its share of the new entries, at the free places nearest to the diagonal.
CsrPattern with_denser_band(const CsrPattern& pattern, double strength, const std::stop_token& stop) {
    const double slope = slope_of(pattern);
    const double added_to_a_row = strength * static_cast<double>(pattern.nnz()) /
                                  static_cast<double>(std::max<std::int64_t>(1, pattern.rows));
    EntryCollector entries(pattern.rows, pattern.cols);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) { entries.add(row, column); });
    double due = 0;
    for (std::int64_t row = 0; row < pattern.rows && !stop.stop_requested(); ++row) {
        const auto columns = columns_of(pattern, row);
        const auto diagonal = static_cast<std::int64_t>(std::floor(static_cast<double>(row) * slope));
        due += added_to_a_row;
        for (std::int64_t far = 0; due >= 1 && far < pattern.cols; ++far)
            for (const std::int64_t column : {diagonal - far, diagonal + far}) {
                if (due < 1 || column < 0 || column >= pattern.cols || (far == 0 && column != diagonal) ||
                    std::ranges::binary_search(columns, column))
                    continue;
                entries.add(row, column);
                due -= 1;
                if (far == 0)
                    break;
            }
    }
    return entries.take();
}

/// Of every row the same share of its entries moves to random columns.
CsrPattern with_scattered_entries(const CsrPattern& pattern, double strength, const std::stop_token& stop) {
    Random random(1);
    EntryCollector entries(pattern.rows, pattern.cols);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) {
        entries.add(row, random.chance(strength) ? random.between(0, pattern.cols - 1) : column);
    });
    return entries.take();
}

/// What long rows have beyond the mean goes to rows that have less, in the columns where it stood.
CsrPattern with_even_rows(const CsrPattern& pattern, double strength, const std::stop_token& stop) {
    const double mean =
        static_cast<double>(pattern.nnz()) / static_cast<double>(std::max<std::int64_t>(1, pattern.rows));
    const auto wanted = [&](std::int64_t row) {
        const auto length = static_cast<double>(length_of(pattern, row));
        return static_cast<std::int64_t>(std::llround(length + (mean - length) * strength));
    };
    EntryCollector entries(pattern.rows, pattern.cols);
    std::vector<std::int64_t> surplus;
    for (std::int64_t row = 0; row < pattern.rows && !stop.stop_requested(); ++row) {
        const auto columns = columns_of(pattern, row);
        const auto kept = std::min<std::int64_t>(wanted(row), static_cast<std::int64_t>(columns.size()));
        for (std::int64_t at = 0; at < static_cast<std::int64_t>(columns.size()); ++at)
            if (const auto column = columns[static_cast<std::size_t>(at)]; at < kept)
                entries.add(row, column);
            else
                surplus.push_back(column);
    }
    for (std::int64_t row = 0; row < pattern.rows && !stop.stop_requested(); ++row)
        for (auto missing = wanted(row) - length_of(pattern, row); missing > 0 && !surplus.empty();
             --missing) {
            entries.add(row, surplus.back());
            surplus.pop_back();
        }
    return entries.take();
}

Result<CsrPattern> repeated(const CsrPattern& pattern, double copies, const std::stop_token& stop) {
    const auto count = static_cast<std::int64_t>(std::llround(copies));
    if (pattern.nnz() * count > most_repeated_entries ||
        std::max(pattern.rows, pattern.cols) * count > most_repeated_entries)
        return fail(Fault::Limit, fmt::format("{} times {} entries, or as many rows, are too many to look at",
                                              count, pattern.nnz()));
    EntryCollector entries(pattern.rows * count, pattern.cols * count);
    for (std::int64_t copy = 0; copy < count; ++copy)
        for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) {
            entries.add(copy * pattern.rows + row, copy * pattern.cols + column);
        });
    return entries.take();
}

Result<CsrPattern> edit_pattern(const CsrPattern& pattern, PatternEdit edit, double strength,
                                BlockShape blocks, const std::stop_token& stop) {
    switch (edit) {
    case PatternEdit::RowsByLength:
        return with_rows_by_length(pattern, stop);
    case PatternEdit::RowsByColumn:
        return with_rows_by_columns(pattern, stop);
    case PatternEdit::BandedOrder:
        return with_banded_order(pattern, stop);
    case PatternEdit::EmptierBlocks:
        return with_emptier_blocks(pattern, strength, blocks, stop);
    case PatternEdit::FullerBlocks:
        return with_fuller_blocks(pattern, strength, blocks, stop);
    case PatternEdit::GatheredBlocks:
        return with_gathered_blocks(pattern, strength, blocks, stop);
    case PatternEdit::NarrowerBand:
        return with_narrower_band(pattern, strength, stop);
    case PatternEdit::DenserBand:
        return with_denser_band(pattern, strength, stop);
    case PatternEdit::ScatteredEntries:
        return with_scattered_entries(pattern, strength, stop);
    case PatternEdit::EvenRows:
        return with_even_rows(pattern, strength, stop);
    case PatternEdit::Repeated:
        return repeated(pattern, strength, stop);
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
    case PatternEdit::BandedOrder:
        return "banded_order";
    case PatternEdit::EmptierBlocks:
        return "emptier_blocks";
    case PatternEdit::FullerBlocks:
        return "fuller_blocks";
    case PatternEdit::GatheredBlocks:
        return "gathered_blocks";
    case PatternEdit::NarrowerBand:
        return "narrower_band";
    case PatternEdit::DenserBand:
        return "denser_band";
    case PatternEdit::ScatteredEntries:
        return "scattered_entries";
    case PatternEdit::EvenRows:
        return "even_rows";
    case PatternEdit::Repeated:
        return "repeated";
    }
    return {};
}

bool is_of_blocks(PatternEdit edit) {
    return edit == PatternEdit::EmptierBlocks || edit == PatternEdit::FullerBlocks ||
           edit == PatternEdit::GatheredBlocks;
}

bool is_gradual(PatternEdit edit) {
    return strengths(edit).size() > 1;
}

std::span<const double> strengths(PatternEdit edit) {
    static constexpr std::array shares{0.05, 0.1, 0.2, 0.4, 0.7, 1.0};
    static constexpr std::array copies{2.0, 4.0, 16.0, 64.0};
    static constexpr std::array once{1.0};
    switch (edit) {
    case PatternEdit::RowsByLength:
    case PatternEdit::RowsByColumn:
    case PatternEdit::BandedOrder:
        return once;
    case PatternEdit::Repeated:
        return copies;
    default:
        return shares;
    }
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
        return "the rows are ordered by their columns";
    case PatternEdit::BandedOrder:
        return "rows and columns are ordered by reverse Cuthill-McKee";
    case PatternEdit::EmptierBlocks:
        return fmt::format("{:g} % of the entries, those in the emptiest blocks of {} × {}, are removed",
                           percent, blocks.rows, blocks.columns);
    case PatternEdit::FullerBlocks:
        return fmt::format("{:g} % of the blocks of {} × {}, the fullest, are filled up", percent,
                           blocks.rows, blocks.columns);
    case PatternEdit::GatheredBlocks:
        return fmt::format(
            "{:g} % of the entries, those in the emptiest blocks of {} × {}, fill up the fullest", percent,
            blocks.rows, blocks.columns);
    case PatternEdit::NarrowerBand:
        return fmt::format("every entry is {:g} % nearer to the diagonal", percent);
    case PatternEdit::DenserBand:
        return fmt::format("{:g} % more entries stand next to the diagonal", percent);
    case PatternEdit::ScatteredEntries:
        return fmt::format("{:g} % of the entries of each row stand in random columns", percent);
    case PatternEdit::EvenRows:
        return fmt::format("the lengths of the rows are {:g} % nearer to their mean", percent);
    case PatternEdit::Repeated:
        return fmt::format("the matrix is repeated {:g} times along the diagonal", strength);
    }
    return {};
}

} // namespace sparsight
