// Patterns that differ a little from a matrix's, to ask whether another schedule would win on them.
#pragma once

#include "base/error.h"
#include "domains/sparse/tensor/pattern.h"

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace sparsight {

enum class PatternEdit : std::uint8_t {
    RowsByLength,     ///< rows ordered by their number of entries, the longest first
    RowsByColumn,     ///< rows ordered by their columns, so that rows that are alike are neighbours
    BandedOrder,      ///< rows and columns ordered by reverse Cuthill-McKee; of square patterns
    EmptierBlocks,    ///< entries removed from the blocks that hold the fewest
    FullerBlocks,     ///< the fullest blocks are filled up
    GatheredBlocks,   ///< entries moved from the emptiest blocks into the fullest
    NarrowerBand,     ///< every entry moved towards the diagonal
    DenserBand,       ///< entries added next to the diagonal
    ScatteredEntries, ///< entries moved to random columns of their rows
    EvenRows,         ///< entries moved from long rows to short ones
    Repeated,         ///< more of the same along the diagonal
};
inline constexpr std::array all_pattern_edits{
    PatternEdit::RowsByLength,  PatternEdit::RowsByColumn, PatternEdit::BandedOrder,
    PatternEdit::EmptierBlocks, PatternEdit::FullerBlocks, PatternEdit::GatheredBlocks,
    PatternEdit::NarrowerBand,  PatternEdit::DenserBand,   PatternEdit::ScatteredEntries,
    PatternEdit::EvenRows,      PatternEdit::Repeated};
/// "rows_by_length", "rows_by_column", "banded_order", "emptier_blocks", …
[[nodiscard]] std::string_view name(PatternEdit edit);
/// Whether it needs the shape of blocks.
[[nodiscard]] bool is_of_blocks(PatternEdit edit);
/// An order of the rows is there or not; everything else can be done a little.
[[nodiscard]] bool is_gradual(PatternEdit edit);
/// Those to try, ascending: an order of the rows is there or not (1), a matrix is repeated so many times,
/// everything else is done by shares.
[[nodiscard]] std::span<const double> strengths(PatternEdit edit);

/// Blocks of rows × columns, aligned with the splits of a schedule.
struct BlockShape {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    bool operator==(const BlockShape&) const = default;
};

/// `strength` above 0, up to 1: the share of all entries that is removed, moved or added, of the occupied
/// blocks that is filled, or of the way to the diagonal or to the mean; of Repeated the number of copies.
/// Values are dropped. Errors: Fault::Limit where the blocks that would be filled have more than four
/// positions for each entry of the pattern, or more than 2^26 in all, or where copies have more than 2^20
/// entries or rows (nothing of that size is made); Fault::Cancelled.
[[nodiscard]] Result<CsrPattern> edited(const CsrPattern& pattern, PatternEdit edit, double strength,
                                        BlockShape blocks, const std::stop_token& stop = {});

/// "5 % of the entries, those in the emptiest blocks of 4 × 16, are removed".
[[nodiscard]] std::string describe(PatternEdit edit, double strength, BlockShape blocks);

} // namespace sparsight
