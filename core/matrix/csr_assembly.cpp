#include "matrix/csr_assembly.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

CsrAssembly::CsrAssembly(std::int64_t rows, std::int64_t cols, std::int64_t entries)
    : entries_(entries) {
    pattern_.rows = rows;
    pattern_.cols = cols;
    pattern_.row_pointers.clear();
}

void CsrAssembly::reserve() {
    pattern_.row_pointers.reserve(static_cast<std::size_t>(pattern_.rows) + 1);
    pattern_.column_ids.reserve(static_cast<std::size_t>(entries_));
}

Result<void> CsrAssembly::add_row_pointer(std::int64_t pointer) {
    const auto row = static_cast<std::int64_t>(pattern_.row_pointers.size());
    const std::int64_t lowest = row == 0 ? 0 : pattern_.row_pointers.back();
    const std::int64_t highest = row == 0 ? 0 : entries_;
    if (pointer < lowest || pointer > highest)
        return fail(Fault::Input,
                    lowest == highest
                        ? fmt::format("row pointer {} is {}; expected {}", row, pointer, lowest)
                        : fmt::format("row pointer {} is {}; expected {}..{}, from the pointer before it "
                                      "to the number of non-zeros",
                                      row, pointer, lowest, highest));
    if (row == pattern_.rows && pointer != entries_)
        return fail(Fault::Input,
                    fmt::format("the last row pointer is {}; expected {}, the number of non-zeros", pointer,
                                entries_));
    pattern_.row_pointers.push_back(pointer);
    return {};
}

Result<void> CsrAssembly::add_column(std::int64_t column) {
    if (column < 0 || column >= pattern_.cols) {
        const std::vector<std::int64_t>& pointers = pattern_.row_pointers;
        const auto row = std::ranges::upper_bound(pointers, pattern_.nnz()) - pointers.begin() - 1;
        return fail(Fault::Input, fmt::format("column id {} (non-zero {} of {}, in row {}) is outside 0..{}",
                                              column, pattern_.nnz() + 1, entries_, row, pattern_.cols - 1));
    }
    pattern_.column_ids.push_back(static_cast<std::int32_t>(column));
    return {};
}

LoadedMatrix CsrAssembly::finish(MatrixFileFormat format, int threads) && {
    LoadedMatrix loaded;
    loaded.pattern = std::move(pattern_);
    loaded.pattern.row_pointers.shrink_to_fit();
    loaded.pattern.column_ids.shrink_to_fit();
    loaded.report.format = format;
    loaded.report.field = ValueField::Pattern;
    loaded.report.stored_entries = entries_;
    loaded.report.duplicates_merged = sort_rows(loaded.pattern, threads);
    return loaded;
}

} // namespace sparsight
