// Readers of files that store CSR themselves: WACO's binary files and the text files of the Deep Learning
// Matrix Collection.
#pragma once

#include "base/error.h"
#include "base/reading/byte_source.h"
#include "domains/sparse/tensor/matrix_files.h"

#include <cstdint>

namespace sparsight {

/// Row pointers and column ids, checked one number at a time. All rows + 1 pointers are given first, then all
/// `entries` column ids. Memory grows with the numbers given and not with the sizes promised.
class CsrAssembly {
public:
    CsrAssembly(std::int64_t rows, std::int64_t cols, std::int64_t entries);

    /// Where the file's length vouches for the sizes.
    void reserve();

    /// Pointers start at 0, never descend, end at the number of entries.
    [[nodiscard]] Result<void> add_row_pointer(std::int64_t pointer);
    /// Ids are 0-based and below the number of columns; within a row in any order.
    [[nodiscard]] Result<void> add_column(std::int64_t column);

    /// The pattern (rows sorted, duplicates merged), once all numbers are there.
    [[nodiscard]] LoadedMatrix finish(MatrixFileFormat format, int threads) &&;

private:
    CsrPattern pattern_;
    std::int64_t entries_;
};

/// WACO's binary files: little-endian int32 rows, columns, entries; rows + 1 row pointers; the column ids.
/// No values: they are all 1.
[[nodiscard]] Result<LoadedMatrix> read_waco_csr(ByteSource& source, const ReadOptions& options);

/// The text files of the Deep Learning Matrix Collection (T. Gale et al., "Sparse GPU Kernels for Deep
/// Learning", SC 2020): a line "rows, columns, entries", a line of rows + 1 row pointers, a line of column
/// ids; ids count from 0. No values: they are all 1.
[[nodiscard]] Result<LoadedMatrix> read_smtx(ByteSource& source, const ReadOptions& options);

} // namespace sparsight
