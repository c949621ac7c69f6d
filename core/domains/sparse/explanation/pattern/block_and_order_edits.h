// Edits of a pattern for counterfactuals: emptier, fuller or fewer blocks, and rows or columns in another
// order.
#pragma once

#include "base/error.h"
#include "domains/sparse/explanation/pattern/pattern_edit.h"
#include "domains/sparse/tensor/pattern.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <utility>

namespace sparsight {

[[nodiscard]] inline std::span<const std::int32_t> columns_of(const CsrPattern& pattern, std::int64_t row) {
    const auto begin = pattern.row_pointers[static_cast<std::size_t>(row)];
    const auto end = pattern.row_pointers[static_cast<std::size_t>(row) + 1];
    return std::span(pattern.column_ids)
        .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

[[nodiscard]] inline std::int64_t length_of(const CsrPattern& pattern, std::int64_t row) {
    return static_cast<std::int64_t>(columns_of(pattern, row).size());
}

/// Calls visit(row, column) for each entry. Ends early when it is stopped; discard the result then.
template <typename Visit>
void for_each_entry(const CsrPattern& pattern, const std::stop_token& stop, Visit visit) {
    for (std::int64_t row = 0; row < pattern.rows && !stop.stop_requested(); ++row)
        for (const std::int32_t column : columns_of(pattern, row))
            visit(row, static_cast<std::int64_t>(column));
}

/// Collects the entries of an edited pattern.
class EntryCollector {
public:
    EntryCollector(std::int64_t rows, std::int64_t columns) {
        coordinates_.rows = rows;
        coordinates_.cols = columns;
    }
    void add(std::int64_t row, std::int64_t column) {
        coordinates_.row_ids.push_back(static_cast<std::int32_t>(row));
        coordinates_.column_ids.push_back(static_cast<std::int32_t>(column));
    }
    /// The pattern; an entry that was added more than once is one entry.
    [[nodiscard]] CsrPattern take() { return compress(std::move(coordinates_), 1).pattern; }

private:
    CooPattern coordinates_;
};

/// Removes whole blocks, those with the fewest entries, until the share `strength` of all entries is
/// removed.
[[nodiscard]] CsrPattern with_emptier_blocks(const CsrPattern& pattern, double strength, BlockShape shape,
                                             const std::stop_token& stop);
/// Fills the share `strength` of the occupied blocks, those with the most entries. Errors: as edited().
[[nodiscard]] Result<CsrPattern> with_fuller_blocks(const CsrPattern& pattern, double strength,
                                                    BlockShape shape, const std::stop_token& stop);
/// Moves whole blocks, those with the fewest entries, until the share `strength` of all entries has moved to
/// the free places of the blocks with the most. The number of entries stays.
[[nodiscard]] CsrPattern with_gathered_blocks(const CsrPattern& pattern, double strength, BlockShape shape,
                                              const std::stop_token& stop);

/// Rows by length, the longest first.
[[nodiscard]] CsrPattern with_rows_by_length(const CsrPattern& pattern, const std::stop_token& stop);
/// Rows by their columns, as words in a dictionary: rows that begin alike, and so similar rows, stand
/// together; empty rows last.
[[nodiscard]] CsrPattern with_rows_by_columns(const CsrPattern& pattern, const std::stop_token& stop);
/// Rows and columns of a square pattern, both in one order that brings the entries near the diagonal: reverse
/// Cuthill-McKee on the graph of A + Aᵀ, from a node far from others (George and Liu, "An implementation of a
/// pseudoperipheral node finder", 1979).
[[nodiscard]] CsrPattern with_banded_order(const CsrPattern& pattern, const std::stop_token& stop);

} // namespace sparsight
