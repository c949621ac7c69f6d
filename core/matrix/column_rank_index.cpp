#include "matrix/column_rank_index.h"

#include "base/parallel.h"

#include <algorithm>
#include <bit>

// Baseline x86-64 counts bits in software; the clone for processors with the instruction is chosen when the
// program is loaded, which the sanitizers' start-up does not support.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) &&                       \
    !defined(__SANITIZE_THREAD__)
#define SPARSIGHT_POPCOUNT_CLONES __attribute__((target_clones("popcnt", "default")))
#else
#define SPARSIGHT_POPCOUNT_CLONES
#endif

namespace sparsight {

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

} // namespace sparsight
