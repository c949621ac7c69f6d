#include "domains/sparse/explanation/pattern/block_and_order_edits.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
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

/// How many of the emptiest blocks hold this share of all entries.
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

/// Scattered entries fill a block each, and a block may have thousands of positions: the size is checked
/// before any block is filled.
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

namespace {

using Order = std::vector<std::int64_t>; ///< of rows: the first is to stand first

Order all_rows(const CsrPattern& pattern) {
    Order order(static_cast<std::size_t>(pattern.rows));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    return order;
}

std::vector<std::int64_t> places_in(const Order& order) {
    std::vector<std::int64_t> places(order.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        places[static_cast<std::size_t>(order[at])] = static_cast<std::int64_t>(at);
    return places;
}

CsrPattern with_rows(const CsrPattern& pattern, const Order& order, const std::stop_token& stop) {
    const auto places = places_in(order);
    EntryCollector entries(pattern.rows, pattern.cols);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) {
        entries.add(places[static_cast<std::size_t>(row)], column);
    });
    return entries.take();
}

/// Walks the graph whose edges are the entries of a square pattern and of its transpose, breadth first.
class Graph {
public:
    explicit Graph(const CsrPattern& pattern)
        : forward_(pattern)
        , backward_(transpose(pattern))
        , is_seen_(static_cast<std::size_t>(pattern.rows)) {}

    [[nodiscard]] std::int64_t degree(std::int64_t node) const {
        return length_of(forward_, node) + length_of(backward_, node);
    }
    [[nodiscard]] bool is_seen(std::int64_t node) const { return is_seen_[static_cast<std::size_t>(node)]; }

    /// All that can be reached from the node and was not seen, nearest first, those of low degree first.
    Order walk(std::int64_t start) {
        Order order{start};
        see(start);
        std::vector<std::int64_t> next;
        for (std::size_t at = 0; at < order.size(); ++at) {
            next.clear();
            for (const CsrPattern* side : {&forward_, &std::as_const(backward_)})
                for (const std::int32_t neighbour : columns_of(*side, order[at]))
                    if (!is_seen(neighbour)) {
                        see(neighbour);
                        next.push_back(neighbour);
                    }
            std::ranges::stable_sort(next, {}, [this](std::int64_t node) { return degree(node); });
            order.insert(order.end(), next.begin(), next.end());
        }
        return order;
    }
    void forget(const Order& nodes) {
        for (const std::int64_t node : nodes)
            is_seen_[static_cast<std::size_t>(node)] = false;
    }

private:
    void see(std::int64_t node) { is_seen_[static_cast<std::size_t>(node)] = true; }

    const CsrPattern& forward_;
    CsrPattern backward_;
    std::vector<bool> is_seen_;
};

} // namespace

CsrPattern with_rows_by_length(const CsrPattern& pattern, const std::stop_token& stop) {
    Order order = all_rows(pattern);
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::int64_t row) { return length_of(pattern, row); });
    return with_rows(pattern, order, stop);
}

CsrPattern with_rows_by_columns(const CsrPattern& pattern, const std::stop_token& stop) {
    Order order = all_rows(pattern);
    std::ranges::stable_sort(order, [&](std::int64_t one, std::int64_t other) {
        const auto columns = columns_of(pattern, one);
        const auto others = columns_of(pattern, other);
        if (columns.empty() || others.empty())
            return !columns.empty() && others.empty();
        return std::ranges::lexicographical_compare(columns, others);
    });
    return with_rows(pattern, order, stop);
}

CsrPattern with_banded_order(const CsrPattern& pattern, const std::stop_token& stop) {
    Graph graph(pattern);
    Order starts = all_rows(pattern);
    std::ranges::stable_sort(starts, {}, [&](std::int64_t node) { return graph.degree(node); });
    Order order;
    constexpr int walks_to_the_far_end = 2;
    for (std::int64_t start : starts) {
        if (stop.stop_requested() || graph.is_seen(start))
            continue;
        for (int walk = 0; walk < walks_to_the_far_end; ++walk) {
            const Order found = graph.walk(start);
            graph.forget(found);
            start = found.back();
        }
        const Order found = graph.walk(start);
        order.insert(order.end(), found.begin(), found.end());
    }
    if (stop.stop_requested())
        return pattern;
    std::ranges::reverse(order);
    const auto places = places_in(order);
    EntryCollector entries(pattern.rows, pattern.cols);
    for_each_entry(pattern, stop, [&](std::int64_t row, std::int64_t column) {
        entries.add(places[static_cast<std::size_t>(row)], places[static_cast<std::size_t>(column)]);
    });
    return entries.take();
}

} // namespace sparsight
