#include "domains/sparse/tensor/coordinate_blocks.h"

#include "base/parallel.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sparsight {

IdSequence::IdSequence(std::vector<std::int32_t>&& ids)
    : ids_(std::move(ids))
    , size_(ids_.size()) {}

IdSequence IdSequence::packed(std::span<const std::int32_t> ids) {
    std::size_t runs = ids.empty() ? 0 : 1;
    for (std::size_t i = 1; i < ids.size(); ++i)
        runs += ids[i] != ids[i - 1] ? 1 : 0;
    if (runs * 4 > ids.size())
        return IdSequence(std::vector<std::int32_t>(ids.begin(), ids.end()));
    IdSequence sequence;
    sequence.size_ = ids.size();
    sequence.ids_.reserve(runs);
    sequence.lengths_.reserve(runs);
    for (const std::int32_t id : ids) {
        if (sequence.ids_.empty() || sequence.ids_.back() != id) {
            sequence.ids_.push_back(id);
            sequence.lengths_.push_back(0);
        }
        ++sequence.lengths_.back();
    }
    return sequence;
}

bool IdSequence::is_ascending() const {
    return std::ranges::is_sorted(ids_);
}

std::vector<std::int32_t> IdSequence::take() {
    if (lengths_.empty()) {
        size_ = 0;
        return std::exchange(ids_, {});
    }
    std::vector<std::int32_t> all(size_);
    Reader reader(*this);
    std::ranges::generate(all, [&] { return reader.next(); });
    *this = {};
    return all;
}

namespace {

/// Which rows a block has entries in, so that a thread can pass over blocks without rows of its own.
struct BlockExtent {
    std::int64_t lowest = max_extent;
    std::int64_t highest = -1;
    bool in_row_order = true;
};

BlockExtent extent_of(const CoordinateBlock& block, Mirroring mirroring) {
    BlockExtent extent;
    auto include = [&](std::int32_t row) {
        extent.lowest = std::min<std::int64_t>(extent.lowest, row);
        extent.highest = std::max<std::int64_t>(extent.highest, row);
    };
    std::ranges::for_each(block.row_ids.occurring(), include);
    if (mirroring != Mirroring::None)
        std::ranges::for_each(block.column_ids.occurring(), include);
    extent.in_row_order = block.row_ids.is_ascending();
    return extent;
}

std::vector<BlockExtent> extents_of(const std::vector<CoordinateBlock>& blocks, Mirroring mirroring,
                                    int threads) {
    std::vector<BlockExtent> extents(blocks.size());
    parallel_parts(threads, static_cast<std::int64_t>(blocks.size()),
                   [&](int, std::int64_t begin, std::int64_t end) {
                       for (auto b = static_cast<std::size_t>(begin); b < static_cast<std::size_t>(end); ++b)
                           extents[b] = extent_of(blocks[b], mirroring);
                   });
    return extents;
}

bool are_in_row_order(const std::vector<BlockExtent>& extents) {
    std::int64_t previous = -1;
    for (const BlockExtent& extent : extents) {
        if (extent.highest < 0)
            continue;
        if (!extent.in_row_order || extent.lowest < previous)
            return false;
        previous = extent.highest;
    }
    return true;
}

void append(CsrPattern& pattern, std::vector<CoordinateBlock>& blocks) {
    pattern.row_pointers.assign(static_cast<std::size_t>(pattern.rows) + 1, 0);
    std::size_t entries = 0;
    std::size_t values = 0;
    for (const CoordinateBlock& block : blocks) {
        IdSequence::Reader rows(block.row_ids);
        for (std::size_t e = 0; e < block.row_ids.size(); ++e)
            ++pattern.row_pointers[static_cast<std::size_t>(rows.next()) + 1];
        entries += block.column_ids.size();
        values += block.values.size();
    }
    std::partial_sum(pattern.row_pointers.begin(), pattern.row_pointers.end(), pattern.row_pointers.begin());
    if (blocks.size() == 1) {
        pattern.column_ids = blocks.front().column_ids.take();
        pattern.values = std::move(blocks.front().values);
        return;
    }
    pattern.column_ids.reserve(entries);
    pattern.values.reserve(values);
    for (CoordinateBlock& block : blocks) {
        const std::vector<std::int32_t> columns = block.column_ids.take();
        pattern.column_ids.insert(pattern.column_ids.end(), columns.begin(), columns.end());
        pattern.values.insert(pattern.values.end(), block.values.begin(), block.values.end());
        block = {};
    }
}

/// Distributes entries to their rows, each thread to rows of its own, so that the order within a row is that
/// of the blocks whatever the number of threads.
class Scatter {
public:
    Scatter(CsrPattern& pattern, const std::vector<CoordinateBlock>& blocks,
            const std::vector<BlockExtent>& extents, Mirroring mirroring, int threads)
        : pattern_(pattern)
        , blocks_(blocks)
        , extents_(extents)
        , mirroring_(mirroring)
        , threads_(threads) {}

    void run() {
        count();
        const auto entries = static_cast<std::size_t>(pattern_.row_pointers.back());
        const bool with_values =
            std::ranges::any_of(blocks_, [](const CoordinateBlock& block) { return !block.values.empty(); });
        pattern_.column_ids.resize(entries);
        if (with_values)
            pattern_.values.resize(entries);
        const std::vector<std::int64_t> bounds = bounds_of_equal_work();
        parallel_parts(threads_, threads_, [&](int, std::int64_t begin, std::int64_t end) {
            for (auto part = static_cast<std::size_t>(begin); part < static_cast<std::size_t>(end); ++part)
                fill(bounds[part], bounds[part + 1]);
        });
        pattern_.row_pointers.pop_back();
    }

private:
    /// Calls visit(row, column, block, place in the block, whether mirrored) for the entries of some rows.
    template <typename Visit>
    void for_rows(std::int64_t first, std::int64_t last, Visit&& visit) const {
        if (first >= last)
            return;
        auto within = [&](std::int32_t row) { return row >= first && row < last; };
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            if (extents_[b].highest < first || extents_[b].lowest >= last)
                continue;
            const CoordinateBlock& block = blocks_[b];
            IdSequence::Reader rows(block.row_ids);
            IdSequence::Reader columns(block.column_ids);
            for (std::size_t e = 0; e < block.row_ids.size(); ++e) {
                const std::int32_t row = rows.next();
                const std::int32_t column = columns.next();
                if (within(row))
                    visit(row, column, block, e, false);
                if (mirroring_ != Mirroring::None && row != column && within(column))
                    visit(column, row, block, e, true);
            }
        }
    }

    /// row_pointers[r + 1] becomes where row r starts; fill() moves it to where row r ends, which is what it
    /// is in the result. So no second array of that size is needed.
    void count() {
        std::vector<std::int64_t>& starts = pattern_.row_pointers;
        starts.assign(static_cast<std::size_t>(pattern_.rows) + 2, 0);
        parallel_parts(threads_, pattern_.rows, [&](int, std::int64_t first, std::int64_t last) {
            for_rows(first, last,
                     [&](std::int32_t row, std::int32_t, const CoordinateBlock&, std::size_t, bool) {
                         ++starts[static_cast<std::size_t>(row) + 2];
                     });
        });
        std::partial_sum(starts.begin(), starts.end(), starts.begin());
    }

    void fill(std::int64_t first, std::int64_t last) {
        for_rows(first, last,
                 [&](std::int32_t row, std::int32_t column, const CoordinateBlock& block, std::size_t e,
                     bool is_mirrored) {
                     const auto to =
                         static_cast<std::size_t>(pattern_.row_pointers[static_cast<std::size_t>(row) + 1]++);
                     pattern_.column_ids[to] = column;
                     if (!block.values.empty())
                         pattern_.values[to] = is_mirrored && mirroring_ == Mirroring::Negated
                                                   ? -block.values[e]
                                                   : block.values[e];
                 });
    }

    std::vector<std::int64_t> bounds_of_equal_work() const {
        const auto begin = pattern_.row_pointers.begin() + 1;
        const auto end = begin + pattern_.rows;
        std::vector<std::int64_t> bounds{0};
        for (int part = 1; part < threads_; ++part) {
            const std::int64_t start = pattern_.row_pointers.back() / threads_ * part;
            bounds.push_back(std::lower_bound(begin, end, start) - begin);
        }
        bounds.push_back(pattern_.rows);
        return bounds;
    }

    CsrPattern& pattern_;
    const std::vector<CoordinateBlock>& blocks_;
    const std::vector<BlockExtent>& extents_;
    Mirroring mirroring_;
    int threads_;
};

} // namespace

CompressedRows compress_blocks(std::int64_t rows, std::int64_t cols, std::vector<CoordinateBlock>&& blocks,
                               Mirroring mirroring, int threads) {
    CompressedRows result;
    CsrPattern& pattern = result.pattern;
    pattern.rows = rows;
    pattern.cols = cols;
    {
        std::vector<CoordinateBlock> owned = std::move(blocks);
        const std::vector<BlockExtent> extents = extents_of(owned, mirroring, threads);
        if (mirroring == Mirroring::None && are_in_row_order(extents))
            append(pattern, owned);
        else
            Scatter(pattern, owned, extents, mirroring, std::max(threads, 1)).run();
    }
    result.duplicates = sort_rows(pattern, threads);
    return result;
}

} // namespace sparsight
