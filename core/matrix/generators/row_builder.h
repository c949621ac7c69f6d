// Writes a CSR pattern row by row.
#pragma once

#include "matrix/pattern.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace sparsight {

/// Rows must come in ascending order; within a row columns may come in any order, and more than once.
class RowBuilder {
public:
    /// Throws GenerationStopped at the next row once `stop` is requested.
    RowBuilder(std::int64_t rows, std::int64_t cols, double expected_entries, std::stop_token stop);

    void add(std::int64_t row, std::int64_t col) {
        if (row != row_)
            start_row(row);
        ascending_ = ascending_ && col > last_col_;
        last_col_ = col;
        pattern_.column_ids.push_back(static_cast<std::int32_t>(col));
    }
    /// Like add, for a column that may lie outside the matrix and is left out then.
    void add_if_inside(std::int64_t row, std::int64_t col) {
        if (col >= 0 && col < pattern_.cols)
            add(row, col);
    }
    /// Columns first … last - 1.
    void add_range(std::int64_t row, std::int64_t first, std::int64_t last);
    /// Rows first_row … last_row - 1, each with every column of the given block columns; the last block may
    /// be cut off by the matrix's border.
    void add_blocks(std::int64_t first_row, std::int64_t last_row, std::span<const std::uint64_t> block_cols,
                    std::int64_t block_width);

    [[nodiscard]] CsrPattern finish();

private:
    void start_row(std::int64_t row);
    void close_row();

    CsrPattern pattern_;
    std::stop_token stop_;
    std::int64_t row_ = 0;
    std::int64_t last_col_ = -1;
    bool ascending_ = true;
};

} // namespace sparsight
