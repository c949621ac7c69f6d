// The entry lines of a Matrix Market file: one block of text to one block of entries. This is where reading
// spends its time.
#pragma once

#include "domains/sparse/tensor/coordinate_blocks.h"
#include "domains/sparse/tensor/file_formats/matrix_market_header.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sparsight {

/// Arrays large enough for any block of so much text, used again for every block; never initialised, so that
/// only what is written takes memory.
class EntryScratch {
public:
    void reserve(std::size_t entries);

    std::unique_ptr<std::int32_t[]> row_ids;
    std::unique_ptr<std::int32_t[]> column_ids;
    std::unique_ptr<float[]> values;
    /// Of an array's non-zero: how many of the block's values stand before it.
    std::unique_ptr<std::uint32_t[]> places;

private:
    std::size_t capacity_ = 0;
};

/// The first line of a block that is not what it should be.
struct LineDefect {
    std::int64_t line = 0; ///< of the block, 1-based
    std::string message;
};

/// What a block of text held, up to its first defect.
struct ParsedBlock {
    std::int64_t lines = 0;   ///< all of them, with comments and blank ones
    std::int64_t entries = 0; ///< stored entries
    std::int64_t zeros = 0;
    std::int64_t not_finite = 0;
    std::int64_t kept = 0; ///< how many are in the scratch: of an array its non-zeros, else all entries
    std::optional<LineDefect> defect;
};

/// Parses lines "row column [value [imaginary part]]" (or a value each, for an array) into the scratch.
/// Comments and blank lines may stand between them. The text must be a TextBlock's.
[[nodiscard]] ParsedBlock parse_entries(std::string_view text, const MatrixMarketHeader& header,
                                        EntryScratch& scratch);

/// The 1-based line of the block's entry number `entry` (from 0), and its text.
struct EntryLine {
    std::int64_t line = 0;
    std::string_view text;
};
[[nodiscard]] EntryLine find_entry(std::string_view text, std::int64_t entry);

} // namespace sparsight
