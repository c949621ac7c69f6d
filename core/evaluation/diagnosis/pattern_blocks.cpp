#include "evaluation/diagnosis/pattern_blocks.h"

#include "evaluation/diagnosis/pattern_entries.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <vector>

namespace sparsight {

namespace {

/// Positions of the blocks that are filled, for each entry that there is: what grows further is another
/// matrix.
constexpr double most_growth = 4;
constexpr double most_filled_positions = 1 << 26; ///< whose coordinates take half a gigabyte

/// Which block of a pattern an entry lies in, as one number: row after row of blocks.
class Blocks {
public:
    Blocks(const CsrPattern& pattern, BlockShape shape)
        : shape_(shape)
        , rows_(pattern.rows)
        , columns_(pattern.cols)
        , across_((pattern.cols + shape.columns - 1) / shape.columns) {}

    [[nodiscard]] std::int64_t of(std::int64_t row, std::int64_t column) const {
        return row / shape_.rows * across_ + column / shape_.columns;
    }
    [[nodiscard]] std::int64_t first_row(std::int64_t block) const { return block / across_ * shape_.rows; }
    [[nodiscard]] std::int64_t first_column(std::int64_t block) const {
        return block % across_ * shape_.columns;
    }
    [[nodiscard]] std::int64_t end_row(std::int64_t block) const {
        return std::min(rows_, first_row(block) + shape_.rows);
    }
    [[nodiscard]] std::int64_t end_column(std::int64_t block) const {
        return std::min(columns_, first_column(block) + shape_.columns);
    }
    /// Positions within the matrix.
    [[nodiscard]] std::int64_t size(std::int64_t block) const {
        return (end_row(block) - first_row(block)) * (end_column(block) - first_column(block));
    }

private:
    BlockShape shape_;
    std::int64_t rows_;
    std::int64_t columns_;
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

/// How many of the emptiest hold so much of all entries.
std::size_t emptied_blocks(std::span<const OccupiedBlock> occupied, const CsrPattern& pattern,
                           double strength) {
    auto left = static_cast<std::int64_t>(std::llround(strength * static_cast<double>(pattern.nnz())));
    std::size_t count = 0;
    while (count < occupied.size() && occupied[count].entries <= left)
        left -= occupied[count++].entries;
    return count;
}

/// In ascending order.
std::vector<std::int64_t> numbers_of(std::span<const OccupiedBlock> blocks) {
    std::vector<std::int64_t> numbers;
    std::ranges::transform(blocks, std::back_inserter(numbers), &OccupiedBlock::block);
    std::ranges::sort(numbers);
    return numbers;
}

} // namespace

CsrPattern with_emptier_blocks(const CsrPattern& pattern, double strength, BlockShape shape,
                               const std::stop_token& stop) {
    const Blocks blocks(pattern, shape);
    const auto occupied = blocks_by_entries(pattern, blocks, stop);
    const auto emptied = numbers_of(std::span(occupied).first(emptied_blocks(occupied, pattern, strength)));
    EntryCollector entries(pattern.rows, pattern.cols);
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
    EntryCollector entries(pattern.rows, pattern.cols);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) { entries.add(row, column); });
    for (const auto& [count, block] : std::span(occupied).last(filled)) {
        if (stop.stop_requested())
            break;
        for (auto row = blocks.first_row(block); row < blocks.end_row(block); ++row)
            for (auto column = blocks.first_column(block); column < blocks.end_column(block); ++column)
                entries.add(row, column);
    }
    return entries.take();
}

CsrPattern with_gathered_blocks(const CsrPattern& pattern, double strength, BlockShape shape,
                                const std::stop_token& stop) {
    const Blocks blocks(pattern, shape);
    const auto occupied = blocks_by_entries(pattern, blocks, stop);
    std::size_t emptied = 0; // blocks, from the emptiest
    std::int64_t moved = 0;
    auto left = static_cast<std::int64_t>(std::llround(strength * static_cast<double>(pattern.nnz())));
    std::int64_t free = 0; // places in those that are not emptied
    for (const OccupiedBlock& block : occupied)
        free += blocks.size(block.block) - block.entries;
    while (emptied < occupied.size() && occupied[emptied].entries <= left) {
        const OccupiedBlock& block = occupied[emptied];
        const std::int64_t free_without = free - (blocks.size(block.block) - block.entries);
        if (moved + block.entries > free_without)
            break;
        free = free_without;
        moved += block.entries;
        left -= block.entries;
        ++emptied;
    }
    const auto gone = numbers_of(std::span(occupied).first(emptied));
    EntryCollector entries(pattern.rows, pattern.cols);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) {
        if (!std::ranges::binary_search(gone, blocks.of(row, column)))
            entries.add(row, column);
    });
    for (std::size_t at = occupied.size(); at-- > emptied && moved > 0 && !stop.stop_requested();) {
        const std::int64_t block = occupied[at].block;
        for (auto row = blocks.first_row(block); row < blocks.end_row(block) && moved > 0; ++row) {
            const auto columns = columns_of(pattern, row);
            for (auto column = blocks.first_column(block); column < blocks.end_column(block) && moved > 0;
                 ++column)
                if (!std::ranges::binary_search(columns, column)) {
                    entries.add(row, column);
                    --moved;
                }
        }
    }
    return entries.take();
}

} // namespace sparsight
