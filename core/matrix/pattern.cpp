#include "matrix/pattern.h"

#include "base/parallel.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace sparsight {

namespace {

/// row_pointers[r + 1] becomes where row r ends, from how many entries each row has.
std::vector<std::int64_t> count_rows(const std::vector<std::int32_t>& row_ids, std::int64_t rows) {
    std::vector<std::int64_t> pointers(static_cast<std::size_t>(rows) + 1);
    for (const std::int32_t row : row_ids)
        ++pointers[static_cast<std::size_t>(row) + 1];
    std::partial_sum(pointers.begin(), pointers.end(), pointers.begin());
    return pointers;
}

/// Sorts the entries of one row by column, stably so that merged duplicates add in file order.
void sort_row(std::span<std::int32_t> columns, std::span<float> values,
              std::vector<std::pair<std::int32_t, float>>& scratch) {
    if (std::ranges::is_sorted(columns))
        return;
    if (values.empty()) {
        std::ranges::sort(columns);
        return;
    }
    scratch.resize(columns.size());
    for (std::size_t e = 0; e < columns.size(); ++e)
        scratch[e] = {columns[e], values[e]};
    std::ranges::stable_sort(scratch, {}, &std::pair<std::int32_t, float>::first);
    for (std::size_t e = 0; e < columns.size(); ++e) {
        columns[e] = scratch[e].first;
        values[e] = scratch[e].second;
    }
}

/// Adds up equal neighbours in every (sorted) row; returns how many entries disappeared.
std::int64_t merge_duplicates(CsrPattern& pattern) {
    std::int64_t kept = 0;
    std::int64_t begin = 0;
    for (std::int64_t row = 0; row < pattern.rows; ++row) {
        const std::int64_t end = pattern.row_pointers[static_cast<std::size_t>(row) + 1];
        const std::int64_t first_of_row = kept;
        for (std::int64_t e = begin; e < end; ++e) {
            const auto from = static_cast<std::size_t>(e);
            const auto to = static_cast<std::size_t>(kept);
            const bool repeats =
                kept > first_of_row && pattern.column_ids[to - 1] == pattern.column_ids[from];
            if (repeats) {
                if (pattern.has_values())
                    pattern.values[to - 1] += pattern.values[from];
                continue;
            }
            pattern.column_ids[to] = pattern.column_ids[from];
            if (pattern.has_values())
                pattern.values[to] = pattern.values[from];
            ++kept;
        }
        pattern.row_pointers[static_cast<std::size_t>(row) + 1] = kept;
        begin = end;
    }
    const std::int64_t removed = pattern.nnz() - kept;
    const bool with_values = pattern.has_values();
    pattern.column_ids.resize(static_cast<std::size_t>(kept));
    if (with_values)
        pattern.values.resize(static_cast<std::size_t>(kept));
    return removed;
}

} // namespace

CompressedRows compress(CooPattern&& coordinates, int threads) {
    CompressedRows result;
    CsrPattern& pattern = result.pattern;
    pattern.rows = coordinates.rows;
    pattern.cols = coordinates.cols;
    pattern.row_pointers = count_rows(coordinates.row_ids, coordinates.rows);
    if (std::ranges::is_sorted(coordinates.row_ids)) {
        pattern.column_ids = std::move(coordinates.column_ids);
        pattern.values = std::move(coordinates.values);
    } else {
        const bool with_values = coordinates.has_values();
        const std::size_t count = coordinates.row_ids.size();
        pattern.column_ids.resize(count);
        if (with_values)
            pattern.values.resize(count);
        std::vector<std::int64_t> next(pattern.row_pointers.begin(), pattern.row_pointers.end() - 1);
        for (std::size_t e = 0; e < count; ++e) {
            const auto to =
                static_cast<std::size_t>(next[static_cast<std::size_t>(coordinates.row_ids[e])]++);
            pattern.column_ids[to] = coordinates.column_ids[e];
            if (with_values)
                pattern.values[to] = coordinates.values[e];
        }
    }
    coordinates = {};
    parallel_parts(threads, pattern.rows, [&](int, std::int64_t begin, std::int64_t end) {
        std::vector<std::pair<std::int32_t, float>> scratch;
        for (std::int64_t row = begin; row < end; ++row) {
            const auto first = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
            const auto length =
                static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1]) - first;
            sort_row(std::span(pattern.column_ids).subspan(first, length),
                     pattern.has_values() ? std::span(pattern.values).subspan(first, length)
                                          : std::span<float>{},
                     scratch);
        }
    });
    result.duplicates = merge_duplicates(pattern);
    return result;
}

CsrPattern transpose(const CsrPattern& pattern) {
    CsrPattern result;
    result.rows = pattern.cols;
    result.cols = pattern.rows;
    result.row_pointers = count_rows(pattern.column_ids, pattern.cols);
    result.column_ids.resize(pattern.column_ids.size());
    result.values.resize(pattern.values.size());
    std::vector<std::int64_t> next(result.row_pointers.begin(), result.row_pointers.end() - 1);
    for (std::int64_t row = 0; row < pattern.rows; ++row) {
        const auto begin = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
        const auto end = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1]);
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
        const auto begin = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
        const auto end = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1]);
        for (std::size_t e = begin; e < end; ++e) {
            if (pattern.column_ids[e] <= previous || pattern.column_ids[e] >= pattern.cols)
                return false;
            previous = pattern.column_ids[e];
        }
    }
    return true;
}

} // namespace sparsight
