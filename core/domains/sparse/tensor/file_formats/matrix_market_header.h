// The start of a Matrix Market file, up to its size line (R. Boisvert, R. Pozo, K. Remington, "The Matrix
// Market Exchange Formats: Initial Design", NISTIR 5935, 1996).
#pragma once

#include "base/error.h"
#include "domains/sparse/tensor/file_formats/text_parsing.h"
#include "domains/sparse/tensor/matrix_files.h"

#include <string_view>

namespace sparsight {

/// The content of the banner and the size line.
struct MatrixMarketHeader {
    MatrixFileFormat format = MatrixFileFormat::MatrixMarketCoordinate;
    ValueField field = ValueField::Real;
    MatrixSymmetry symmetry = MatrixSymmetry::General;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    /// Entries that the file must hold; for an array the values of its stored part.
    std::int64_t entries = 0;
};

/// Whether a file with this beginning claims to be Matrix Market. A UTF-8 byte order mark at the start is
/// skipped, here and in parse_banner().
[[nodiscard]] bool has_matrix_market_banner(std::string_view head);

/// "%%MatrixMarket matrix coordinate|array FIELD SYMMETRY" in any case, blanks and tabs between the words.
[[nodiscard]] Result<MatrixMarketHeader> parse_banner(std::string_view line);

/// "rows columns entries", or "rows columns" for an array, into the header; refuses sizes over the limits.
[[nodiscard]] Result<void> parse_size_line(std::string_view line, const ReadLimits& limits,
                                           MatrixMarketHeader& header);

/// A line without content: blank, or its first character that is not blank is '%'.
[[nodiscard]] bool is_comment_or_blank(std::string_view line);

/// The text in quotation marks for an error message: shortened, with unprintable characters as \x00.
[[nodiscard]] std::string quote(std::string_view text);

/// A Matrix Market file up to its size line.
struct MatrixMarketStart {
    MatrixMarketHeader header;
    std::int64_t size_line = 0; ///< its 1-based line
    TextBlock rest;             ///< the text after it in the last block read
};

/// Reads banner, comments and size line; errors in them carry their line.
[[nodiscard]] Result<MatrixMarketStart> read_matrix_market_start(TextBlocks& blocks,
                                                                 const ReadOptions& options);

/// The error with its line in the file, where the line of `error`, if any, counts from after `lines_before`
/// lines.
[[nodiscard]] Error with_file_line(Error error, std::int64_t lines_before);

} // namespace sparsight
