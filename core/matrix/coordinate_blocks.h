// Coordinates that arrive in pieces, as a file is read, made into compressed rows.
#pragma once

#include "matrix/id_sequence.h"
#include "matrix/pattern.h"

#include <cstdint>
#include <vector>

namespace sparsight {

/// Some of a matrix's entries, in any order; values has as many entries as row_ids, or none (all 1).
struct CoordinateBlock {
    IdSequence row_ids;
    IdSequence column_ids;
    std::vector<float> values;
};

/// What stands at (j, i) when (i, j) with i ≠ j is given.
enum class Mirroring { None, Same, Negated };

/// The blocks' entries, in the order of the blocks, as compress() in pattern.h does it with one list. Blocks
/// already in the order of rows are appended and freed one by one (peak memory: about the result); others are
/// distributed to their rows (peak: blocks and result). The result does not depend on the number of threads.
[[nodiscard]] CompressedRows compress_blocks(std::int64_t rows, std::int64_t cols,
                                             std::vector<CoordinateBlock>&& blocks, Mirroring mirroring,
                                             int threads);

} // namespace sparsight
