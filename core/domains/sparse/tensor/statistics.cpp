#include "domains/sparse/tensor/statistics.h"

#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace sparsight {

LengthStatistics LengthCounts::statistics(std::int64_t total) {
    LengthStatistics result;
    if (total == 0)
        return result;
    const std::int64_t added = std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0}) +
                               static_cast<std::int64_t>(long_ones_.size());
    result.empty = counts_.front() + (total - added);
    std::ranges::sort(long_ones_);

    const auto n = static_cast<double>(total);
    double sum = 0;
    double squares = 0;
    double ranked = 0; // Σ k · x_k over the ascending lengths
    double rank = static_cast<double>(result.empty);
    const auto take = [&](std::int64_t length, double times) {
        const auto x = static_cast<double>(length);
        sum += x * times;
        squares += x * x * times;
        ranked += x * times * (rank + (times + 1) / 2);
        rank += times;
        result.max = length;
    };
    for (std::size_t length = 1; length < counts_.size(); ++length)
        if (counts_[length] > 0)
            take(static_cast<std::int64_t>(length), static_cast<double>(counts_[length]));
    for (const std::int64_t length : long_ones_)
        take(length, 1);

    result.mean = sum / n;
    if (sum > 0) {
        const double variance = std::max(0.0, squares / n - result.mean * result.mean);
        result.coefficient_of_variation = std::sqrt(variance) / result.mean;
        result.gini = std::max(0.0, 2 * ranked / (n * sum) - (n + 1) / n);
    }
    return result;
}

namespace {

/// Looks for (j, i) in row j, for i that never falls from call to call: each row is walked through once.
class MirrorSearch {
public:
    explicit MirrorSearch(const CsrPattern& pattern)
        : pattern_(pattern)
        , walked_(static_cast<std::size_t>(pattern.rows), not_started) {}

    bool contains(std::int64_t row, std::int64_t col) {
        const auto index = static_cast<std::size_t>(row);
        const std::int32_t* const first = pattern_.column_ids.data() + pattern_.row_pointers[index];
        const std::int32_t* const end = pattern_.column_ids.data() + pattern_.row_pointers[index + 1];
        std::int32_t& walked = walked_[index];
        const std::int32_t* place =
            walked == not_started ? std::lower_bound(first, end, col) : first + walked;
        while (place != end && *place < col)
            ++place;
        walked = static_cast<std::int32_t>(place - first);
        return place != end && *place == col;
    }

private:
    static constexpr std::int32_t not_started = -1;
    const CsrPattern& pattern_;
    std::vector<std::int32_t> walked_;
};

} // namespace

std::int64_t count_mirrored_entries(const CsrPattern& pattern, int threads) {
    constexpr std::int64_t rows_per_share = 512;
    std::atomic<std::int64_t> pairs = 0;
    RowShares shares(pattern.rows, rows_per_share);
    parallel_parts(threads, threads, [&](int, std::int64_t, std::int64_t) {
        MirrorSearch search(pattern);
        std::int64_t found = 0;
        while (const auto share = shares.next())
            for (std::int64_t row = share->begin; row < share->end; ++row)
                for (std::int64_t e = pattern.row_pointers[static_cast<std::size_t>(row)];
                     e < pattern.row_pointers[static_cast<std::size_t>(row) + 1]; ++e) {
                    // Of a pair, the entry below the diagonal looks for the one above.
                    const std::int64_t col = pattern.column_ids[static_cast<std::size_t>(e)];
                    if (col >= row)
                        break;
                    found += search.contains(col, row) ? 1 : 0;
                }
        pairs += found;
    });
    return 2 * pairs;
}

namespace {

/// Work is shared out in tiles of rows, so that no block and no tile is split between threads.
constexpr std::int64_t rows_per_share = tile_heights.back();

/// The last row that had an entry here, and how many entries there were; −1 before the first.
struct ColumnState {
    std::int32_t last_row = -1;
    std::int32_t count = 0;
};

/// What one thread finds out about its rows. All are sums, maxima or sets, so the order does not matter.
struct Findings {
    std::vector<ColumnState> columns;
    std::array<std::vector<std::int32_t>, block_sizes.size()> last_row_of_block;
    std::array<std::int64_t, block_sizes.size()> blocks{};
    std::array<std::int64_t, tile_heights.size()> tile_columns{};
    std::int64_t bandwidth = 0;
    std::int64_t profile = 0;
    std::int64_t on_diagonal = 0;
};

/// The numbers under which sets of columns and of blocks are kept: a pattern's own column ids, or, where
/// there are far more columns than entries, the ranks of the occurring ones. Different columns and blocks
/// stay different.
struct ColumnSpace {
    std::vector<std::int32_t> ranks; ///< of the entries; empty where ids are the pattern's
    std::span<const std::int32_t> ids;
    std::int64_t extent = 0;
    /// By rank: which of the blocks that there are it is in. Empty where that follows from the id.
    std::array<std::vector<std::int32_t>, block_sizes.size()> block_of_rank;
    std::array<std::int64_t, block_sizes.size()> blocks{};

    [[nodiscard]] bool is_ranked() const { return !ranks.empty(); }
};

ColumnSpace column_space(const CsrPattern& pattern) {
    ColumnSpace space;
    space.ids = pattern.column_ids;
    constexpr std::int64_t small_extent = 1 << 22;
    if (pattern.cols <= std::max(small_extent, 4 * pattern.nnz())) {
        space.extent = pattern.cols;
        for (std::size_t b = 0; b < block_sizes.size(); ++b)
            space.blocks[b] = space.extent / block_sizes[b] + 1;
        return space;
    }
    std::vector<std::int32_t> columns = pattern.column_ids;
    std::ranges::sort(columns);
    const auto repeated = std::ranges::unique(columns);
    columns.erase(repeated.begin(), repeated.end());
    space.ranks.resize(pattern.column_ids.size());
    std::ranges::transform(pattern.column_ids, space.ranks.begin(), [&](std::int32_t id) {
        return static_cast<std::int32_t>(std::ranges::lower_bound(columns, id) - columns.begin());
    });
    space.ids = space.ranks;
    space.extent = std::ssize(columns);
    for (std::size_t b = 0; b < block_sizes.size(); ++b) {
        std::vector<std::int32_t>& blocks = space.block_of_rank[b];
        blocks.reserve(columns.size());
        for (std::size_t rank = 0; rank < columns.size(); ++rank) {
            const bool is_new =
                rank > 0 && columns[rank] / block_sizes[b] != columns[rank - 1] / block_sizes[b];
            blocks.push_back(rank == 0 ? 0 : blocks.back() + (is_new ? 1 : 0));
        }
        space.blocks[b] = blocks.empty() ? 0 : blocks.back() + 1;
    }
    return space;
}

Findings empty_findings(const ColumnSpace& space) {
    Findings findings;
    findings.columns.resize(static_cast<std::size_t>(space.extent));
    for (std::size_t b = 0; b < block_sizes.size(); ++b)
        findings.last_row_of_block[b].assign(static_cast<std::size_t>(space.blocks[b]), -1);
    return findings;
}

/// Blocks and tiles: a set is new at its first entry, which is seen from the last row that was in it.
template <bool is_ranked>
void visit_sets(std::int64_t row, std::span<const std::int32_t> ids, const ColumnSpace& space,
                Findings& findings) {
    const auto row_id = static_cast<std::int32_t>(row);
    for (const std::int32_t id : ids) {
        ColumnState& column = findings.columns[static_cast<std::size_t>(id)];
        const std::int32_t last = column.last_row;
        // −1 >> n stays −1, which is no tile.
        for (std::size_t t = 0; t < tile_heights.size(); ++t) {
            const int bits = std::countr_zero(static_cast<unsigned>(tile_heights[t]));
            findings.tile_columns[t] += (last >> bits) != (row_id >> bits) ? 1 : 0;
        }
        column.last_row = row_id;
        ++column.count;
        for (std::size_t b = 0; b < block_sizes.size(); ++b) {
            const int bits = static_cast<int>(b) + 1;
            const std::int32_t number =
                is_ranked ? space.block_of_rank[b][static_cast<std::size_t>(id)] : id >> bits;
            std::int32_t& block = findings.last_row_of_block[b][static_cast<std::size_t>(number)];
            findings.blocks[b] += (block >> bits) != (row_id >> bits) ? 1 : 0;
            block = row_id;
        }
    }
}

void visit_extent(std::int64_t row, std::span<const std::int32_t> ids, Findings& findings) {
    if (ids.empty())
        return;
    const std::int64_t first = ids.front();
    const std::int64_t last = ids.back();
    findings.bandwidth = std::max({findings.bandwidth, std::abs(row - first), std::abs(row - last)});
    findings.profile += std::max<std::int64_t>(0, row - first);
    findings.on_diagonal += std::ranges::binary_search(ids, row) ? 1 : 0;
}

std::vector<Findings> search_rows(const CsrPattern& pattern, const ColumnSpace& space, int threads) {
    std::vector<Findings> parts(static_cast<std::size_t>(threads));
    const std::span<const std::int32_t> all(pattern.column_ids);
    RowShares shares(pattern.rows, rows_per_share);
    parallel_parts(threads, threads, [&](int part, std::int64_t, std::int64_t) {
        Findings findings = empty_findings(space);
        while (const auto share = shares.next())
            for (std::int64_t row = share->begin; row < share->end; ++row) {
                const auto first =
                    static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
                const auto length =
                    static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1]) - first;
                const auto ids = space.ids.subspan(first, length);
                if (space.is_ranked())
                    visit_sets<true>(row, ids, space, findings);
                else
                    visit_sets<false>(row, ids, space, findings);
                visit_extent(row, all.subspan(first, length), findings);
            }
        parts[static_cast<std::size_t>(part)] = std::move(findings);
    });
    return parts;
}

/// Adds the other parts to the first.
Findings join(std::vector<Findings>& parts) {
    Findings& whole = parts.front();
    for (std::size_t part = 1; part < parts.size(); ++part) {
        const Findings& other = parts[part];
        for (std::size_t column = 0; column < whole.columns.size(); ++column)
            whole.columns[column].count += other.columns[column].count;
        for (std::size_t b = 0; b < block_sizes.size(); ++b)
            whole.blocks[b] += other.blocks[b];
        for (std::size_t t = 0; t < tile_heights.size(); ++t)
            whole.tile_columns[t] += other.tile_columns[t];
        whole.bandwidth = std::max(whole.bandwidth, other.bandwidth);
        whole.profile += other.profile;
        whole.on_diagonal += other.on_diagonal;
    }
    return std::move(whole);
}

std::int64_t count_diagonals(const CsrPattern& pattern) {
    const std::int64_t possible = pattern.rows + pattern.cols;
    // A bit for each possible diagonal, unless sorting the occurring ones takes less memory.
    const bool few_entries = possible / 64 > (std::int64_t{1} << 20) + pattern.nnz();
    std::vector<bool> seen(few_entries ? 0 : static_cast<std::size_t>(possible));
    std::vector<std::int64_t> offsets;
    for (std::int64_t row = 0; row < pattern.rows; ++row)
        for (std::int64_t e = pattern.row_pointers[static_cast<std::size_t>(row)];
             e < pattern.row_pointers[static_cast<std::size_t>(row) + 1]; ++e) {
            const std::int64_t offset =
                pattern.column_ids[static_cast<std::size_t>(e)] - row + pattern.rows - 1;
            if (few_entries)
                offsets.push_back(offset);
            else
                seen[static_cast<std::size_t>(offset)] = true;
        }
    std::ranges::sort(offsets);
    const auto repeated = std::ranges::unique(offsets);
    offsets.erase(repeated.begin(), repeated.end());
    return std::ranges::count(seen, true) + static_cast<std::int64_t>(offsets.size());
}

double ratio(double numerator, double denominator) {
    return denominator > 0 ? numerator / denominator : 0;
}

} // namespace

PatternStatistics compute_statistics(const CsrPattern& pattern, int threads) {
    const std::int64_t shares = (pattern.rows + rows_per_share - 1) / rows_per_share;
    threads = static_cast<int>(std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(shares, 1)));

    const ColumnSpace space = column_space(pattern);
    std::vector<Findings> parts = search_rows(pattern, space, threads);
    const Findings findings = join(parts);
    const auto entries = static_cast<double>(pattern.nnz());

    PatternStatistics result;
    result.rows = pattern.rows;
    result.cols = pattern.cols;
    result.nnz = pattern.nnz();
    result.density = ratio(entries, static_cast<double>(pattern.rows) * static_cast<double>(pattern.cols));
    LengthCounts row_lengths;
    for (std::size_t row = 0; row + 1 < pattern.row_pointers.size(); ++row)
        row_lengths.add(pattern.row_pointers[row + 1] - pattern.row_pointers[row]);
    result.row_length = row_lengths.statistics(pattern.rows);
    LengthCounts column_lengths;
    for (const ColumnState& column : findings.columns)
        column_lengths.add(column.count);
    result.column_length = column_lengths.statistics(pattern.cols);
    result.bandwidth = findings.bandwidth;
    result.profile = findings.profile;
    result.diagonal_occupancy = ratio(static_cast<double>(findings.on_diagonal),
                                      static_cast<double>(std::min(pattern.rows, pattern.cols)));
    result.occupied_diagonals = count_diagonals(pattern);
    const std::int64_t off_diagonal = pattern.nnz() - findings.on_diagonal;
    if (off_diagonal > 0)
        result.symmetry =
            static_cast<double>(count_mirrored_entries(pattern, threads)) / static_cast<double>(off_diagonal);
    for (std::size_t b = 0; b < block_sizes.size(); ++b)
        result.block_fill[b] =
            ratio(entries, static_cast<double>(findings.blocks[b]) * block_sizes[b] * block_sizes[b]);
    for (std::size_t t = 0; t < tile_heights.size(); ++t) {
        const auto columns = static_cast<double>(findings.tile_columns[t]);
        const std::int64_t tiles = (pattern.rows + tile_heights[t] - 1) / tile_heights[t];
        result.tiles[t] = {ratio(columns, static_cast<double>(tiles)), ratio(entries, columns)};
    }
    return result;
}

} // namespace sparsight
