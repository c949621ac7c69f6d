// WACO's binary files: little-endian int32 rows, columns, non-zeros; rows + 1 row pointers; the column ids.
// No values: they are all 1.
#pragma once

#include "base/error.h"
#include "matrix/byte_source.h"
#include "matrix/loaded_matrix.h"
#include "matrix/read_options.h"

namespace sparsight {

[[nodiscard]] Result<LoadedMatrix> read_waco_csr(ByteSource& source, const ReadOptions& options);

} // namespace sparsight
