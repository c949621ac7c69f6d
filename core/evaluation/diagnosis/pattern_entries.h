// What all edits of a pattern are made of: its entries, visited and put together again.
#pragma once

#include "matrix/pattern.h"

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

/// visit(row, column). Ends early when it is asked to: what was visited is then not worth anything.
template <typename Visit>
void for_each_entry(const CsrPattern& pattern, const std::stop_token& stop, Visit visit) {
    for (std::int64_t row = 0; row < pattern.rows && !stop.stop_requested(); ++row)
        for (const std::int32_t column : columns_of(pattern, row))
            visit(row, static_cast<std::int64_t>(column));
}

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
    /// What was added more than once is one entry.
    [[nodiscard]] CsrPattern take() { return compress(std::move(coordinates_), 1).pattern; }

private:
    CooPattern coordinates_;
};

} // namespace sparsight
