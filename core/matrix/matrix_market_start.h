// A Matrix Market file up to its size line.
#pragma once

#include "matrix/matrix_market_header.h"
#include "matrix/text_blocks.h"

namespace sparsight {

struct MatrixMarketStart {
    MatrixMarketHeader header;
    std::int64_t size_line = 0; ///< its 1-based line
    TextBlock rest;             ///< what follows it in the last block read
};

/// Reads banner, comments and size line; what is wrong with them carries its line.
[[nodiscard]] Result<MatrixMarketStart> read_matrix_market_start(TextBlocks& blocks,
                                                                 const ReadOptions& options);

/// An error whose line, if any, counts from behind `lines_before` lines, with its line in the file.
[[nodiscard]] Error from_line(Error error, std::int64_t lines_before);

} // namespace sparsight
