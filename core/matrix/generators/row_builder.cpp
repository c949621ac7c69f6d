#include "matrix/generators/row_builder.h"

#include "matrix/generators/stopping.h"

#include <algorithm>
#include <utility>

namespace sparsight {

RowBuilder::RowBuilder(std::int64_t rows, std::int64_t cols, double expected_entries, std::stop_token stop)
    : stop_(std::move(stop)) {
    pattern_.rows = rows;
    pattern_.cols = cols;
    pattern_.row_pointers.reserve(static_cast<std::size_t>(rows) + 1);
    pattern_.column_ids.reserve(static_cast<std::size_t>(expected_entries));
}

void RowBuilder::close_row() {
    if (!ascending_) {
        const auto row_begin =
            pattern_.column_ids.begin() + static_cast<std::ptrdiff_t>(pattern_.row_pointers.back());
        std::sort(row_begin, pattern_.column_ids.end());
        pattern_.column_ids.erase(std::unique(row_begin, pattern_.column_ids.end()),
                                  pattern_.column_ids.end());
    }
    ascending_ = true;
    last_col_ = -1;
}

void RowBuilder::start_row(std::int64_t row) {
    end_if_stopped(stop_);
    close_row();
    pattern_.row_pointers.resize(static_cast<std::size_t>(row) + 1, pattern_.nnz());
    row_ = row;
}

void RowBuilder::add_range(std::int64_t row, std::int64_t first, std::int64_t last) {
    first = std::max<std::int64_t>(first, 0);
    last = std::min(last, pattern_.cols);
    for (std::int64_t col = first; col < last; ++col)
        add(row, col);
}

void RowBuilder::add_blocks(std::int64_t first_row, std::int64_t last_row,
                            std::span<const std::uint64_t> block_cols, std::int64_t block_width) {
    last_row = std::min(last_row, pattern_.rows);
    for (std::int64_t row = first_row; row < last_row; ++row)
        for (const std::uint64_t block : block_cols) {
            const std::int64_t first = static_cast<std::int64_t>(block) * block_width;
            add_range(row, first, first + block_width);
        }
}

CsrPattern RowBuilder::finish() {
    close_row();
    pattern_.row_pointers.resize(static_cast<std::size_t>(pattern_.rows) + 1, pattern_.nnz());
    return std::move(pattern_);
}

} // namespace sparsight
