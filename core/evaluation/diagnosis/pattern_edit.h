// Patterns that differ a little from a matrix's, to ask whether another schedule would win on them.
#pragma once

#include "base/error.h"
#include "matrix/pattern.h"

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

namespace sparsight {

enum class PatternEdit : std::uint8_t {
    RowsByLength,  ///< rows ordered by their number of entries, the longest first
    RowsByColumn,  ///< rows ordered by their first column, so that neighbours share columns
    EmptierBlocks, ///< entries removed from the blocks that hold the fewest
    FullerBlocks,  ///< the fullest blocks are filled up
    NarrowerBand,  ///< every entry moved towards the diagonal
};
inline constexpr std::array all_pattern_edits{PatternEdit::RowsByLength, PatternEdit::RowsByColumn,
                                              PatternEdit::EmptierBlocks, PatternEdit::FullerBlocks,
                                              PatternEdit::NarrowerBand};
/// "rows_by_length", "rows_by_column", "emptier_blocks", "fuller_blocks", "narrower_band".
[[nodiscard]] std::string_view name(PatternEdit edit);
/// An order of the rows is there or not; everything else can be done a little.
[[nodiscard]] bool is_gradual(PatternEdit edit);

/// Blocks of rows × columns, aligned with the splits of a schedule.
struct BlockShape {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
};

/// `strength` above 0, up to 1: the share of all entries that is removed, of the occupied blocks that is
/// filled, or of the way to the diagonal. Values are dropped. Errors: Fault::Limit where the blocks that
/// would be filled have more than four positions for each entry of the pattern, or more than 2^26 in all
/// (nothing of that size is made); Fault::Cancelled.
[[nodiscard]] Result<CsrPattern> edited(const CsrPattern& pattern, PatternEdit edit, double strength,
                                        BlockShape blocks, const std::stop_token& stop = {});

/// "5 % of the entries, those in the emptiest blocks of 4 × 16, are removed".
[[nodiscard]] std::string describe(PatternEdit edit, double strength, BlockShape blocks);

} // namespace sparsight
