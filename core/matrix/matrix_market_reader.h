// Matrix Market files, coordinate and array, of every field and symmetry.
#pragma once

#include "base/error.h"
#include "matrix/byte_source.h"
#include "matrix/loaded_matrix.h"
#include "matrix/read_options.h"

namespace sparsight {

/// Reads a Matrix Market text. What is stored as one triangle is expanded to the whole matrix. Of complex
/// entries the real part is kept, and an entry is an explicit zero only when both parts are 0; under
/// hermitian and skew-symmetric the mirrored value is the conjugate's and the negated one's real part. Values
/// become float32, correctly rounded. Zeros of an array are not entries; zeros of a coordinate file are.
///
/// Memory: the text is not kept; coordinates (12 bytes an entry, 8 without values) and the result are held at
/// once. Threads parse blocks of lines; results, reports and errors do not depend on their number. The error
/// is the first one in the file, with its line.
[[nodiscard]] Result<LoadedMatrix> read_matrix_market(ByteSource& source, const ReadOptions& options);

} // namespace sparsight
