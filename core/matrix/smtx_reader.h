// The text files of the Deep Learning Matrix Collection (T. Gale et al., "Sparse GPU Kernels for Deep
// Learning", SC 2020): a line "rows, columns, non-zeros", a line of rows + 1 row pointers, a line of column
// ids; ids count from 0. No values: they are all 1.
#pragma once

#include "base/error.h"
#include "matrix/byte_source.h"
#include "matrix/loaded_matrix.h"
#include "matrix/read_options.h"

namespace sparsight {

[[nodiscard]] Result<LoadedMatrix> read_smtx(ByteSource& source, const ReadOptions& options);

} // namespace sparsight
