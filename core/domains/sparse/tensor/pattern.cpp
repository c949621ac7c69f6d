#include "domains/sparse/tensor/pattern.h"

#include "base/parallel.h"
#include "domains/sparse/tensor/coordinate_blocks.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace sparsight {

namespace {

/// Entries [first, last) of one row.
struct RowSpan {
    std::size_t first = 0;
    std::size_t last = 0;
};

RowSpan row_span(const CsrPattern& pattern, std::int64_t row) {
    return {static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]),
            static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1])};
}

/// What a thread needs to sort rows, kept from one row to the next.
struct SortScratch {
    std::vector<std::uint64_t> keys;
    std::vector<float> values;
};

/// Stable, so that the values of repeated columns are added in the order given.
void sort_columns(std::span<std::int32_t> columns, std::span<float> values, SortScratch& scratch) {
    if (values.empty()) {
        std::ranges::sort(columns);
        return;
    }
    scratch.keys.resize(columns.size());
    scratch.values.assign(values.begin(), values.end());
    for (std::size_t e = 0; e < columns.size(); ++e)
        scratch.keys[e] = static_cast<std::uint64_t>(columns[e]) << 32 | e;
    std::ranges::sort(scratch.keys);
    for (std::size_t e = 0; e < columns.size(); ++e) {
        columns[e] = static_cast<std::int32_t>(scratch.keys[e] >> 32);
        values[e] = scratch.values[static_cast<std::uint32_t>(scratch.keys[e])];
    }
}

/// Adds up equal neighbours in every (sorted) row.
void merge_duplicates(CsrPattern& pattern) {
    std::size_t kept = 0;
    std::size_t begin = 0;
    const bool with_values = pattern.has_values();
    for (std::int64_t row = 0; row < pattern.rows; ++row) {
        const std::size_t end = row_span(pattern, row).last;
        const std::size_t first_of_row = kept;
        for (std::size_t e = begin; e < end; ++e) {
            if (kept > first_of_row && pattern.column_ids[kept - 1] == pattern.column_ids[e]) {
                if (with_values)
                    pattern.values[kept - 1] += pattern.values[e];
                continue;
            }
            pattern.column_ids[kept] = pattern.column_ids[e];
            if (with_values)
                pattern.values[kept] = pattern.values[e];
            ++kept;
        }
        pattern.row_pointers[static_cast<std::size_t>(row) + 1] = static_cast<std::int64_t>(kept);
        begin = end;
    }
    pattern.column_ids.resize(kept);
    pattern.column_ids.shrink_to_fit();
    if (with_values) {
        pattern.values.resize(kept);
        pattern.values.shrink_to_fit();
    }
}

} // namespace

std::int64_t sort_rows(CsrPattern& pattern, int threads) {
    std::atomic<std::int64_t> duplicates = 0;
    parallel_parts(threads, pattern.rows, [&](int, std::int64_t begin, std::int64_t end) {
        SortScratch scratch;
        std::int64_t repeated = 0;
        for (std::int64_t row = begin; row < end; ++row) {
            const auto [first, last] = row_span(pattern, row);
            const std::span columns = std::span(pattern.column_ids).subspan(first, last - first);
            if (std::ranges::adjacent_find(columns, std::ranges::greater_equal{}) == columns.end())
                continue;
            sort_columns(columns,
                         pattern.has_values() ? std::span(pattern.values).subspan(first, last - first)
                                              : std::span<float>{},
                         scratch);
            for (std::size_t e = 1; e < columns.size(); ++e)
                repeated += columns[e] == columns[e - 1] ? 1 : 0;
        }
        duplicates += repeated;
    });
    if (duplicates > 0)
        merge_duplicates(pattern);
    return duplicates;
}

CompressedRows compress(CooPattern&& coordinates, int threads) {
    CooPattern owned = std::move(coordinates);
    std::vector<CoordinateBlock> blocks(1);
    blocks.front() = {IdSequence(std::move(owned.row_ids)), IdSequence(std::move(owned.column_ids)),
                      std::move(owned.values)};
    return compress_blocks(owned.rows, owned.cols, std::move(blocks), Mirroring::None, threads);
}

CsrPattern transpose(const CsrPattern& pattern) {
    CsrPattern result;
    result.rows = pattern.cols;
    result.cols = pattern.rows;
    result.row_pointers.assign(static_cast<std::size_t>(pattern.cols) + 1, 0);
    for (const std::int32_t column : pattern.column_ids)
        ++result.row_pointers[static_cast<std::size_t>(column) + 1];
    std::partial_sum(result.row_pointers.begin(), result.row_pointers.end(), result.row_pointers.begin());
    result.column_ids.resize(pattern.column_ids.size());
    result.values.resize(pattern.values.size());
    std::vector<std::int64_t> next(result.row_pointers.begin(), result.row_pointers.end() - 1);
    for (std::int64_t row = 0; row < pattern.rows; ++row) {
        const auto [begin, end] = row_span(pattern, row);
        for (std::size_t e = begin; e < end; ++e) {
            const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(pattern.column_ids[e])]++);
            result.column_ids[to] = static_cast<std::int32_t>(row);
            if (pattern.has_values())
                result.values[to] = pattern.values[e];
        }
    }
    return result;
}

bool is_well_formed(const CsrPattern& pattern) {
    if (pattern.rows < 0 || pattern.cols < 0 || pattern.rows > max_extent || pattern.cols > max_extent)
        return false;
    if (pattern.row_pointers.size() != static_cast<std::size_t>(pattern.rows) + 1 ||
        pattern.row_pointers.front() != 0 || pattern.row_pointers.back() != pattern.nnz() ||
        !std::ranges::is_sorted(pattern.row_pointers))
        return false;
    if (pattern.has_values() && pattern.values.size() != pattern.column_ids.size())
        return false;
    for (std::int64_t row = 0; row < pattern.rows; ++row) {
        std::int64_t previous = -1;
        const auto [begin, end] = row_span(pattern, row);
        for (std::size_t e = begin; e < end; ++e) {
            if (pattern.column_ids[e] <= previous || pattern.column_ids[e] >= pattern.cols)
                return false;
            previous = pattern.column_ids[e];
        }
    }
    return true;
}

} // namespace sparsight
