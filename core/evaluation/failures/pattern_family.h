// What kind of matrix it is, told from its statistics alone: the names by which people speak of patterns.
#pragma once

#include "matrix/statistics.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sparsight {

enum class PatternFamily : std::uint8_t {
    Unknown,      ///< without a pattern
    HyperSparse,  ///< most rows are empty
    Blocked,      ///< entries come in dense blocks
    Banded,       ///< entries lie on few diagonals, or all of them near the main one
    PowerLaw,     ///< few rows hold most of the entries
    NearDiagonal, ///< most entries lie near the main diagonal, but not all: a mesh in a good order
    SkewedRows,   ///< some rows are far longer than others
    UniformRows,  ///< rows of about one length, without an order in their columns
};
inline constexpr std::array all_pattern_families{PatternFamily::Unknown,    PatternFamily::HyperSparse,
                                                 PatternFamily::Blocked,    PatternFamily::Banded,
                                                 PatternFamily::PowerLaw,   PatternFamily::NearDiagonal,
                                                 PatternFamily::SkewedRows, PatternFamily::UniformRows};
/// In files: "unknown", "hyper_sparse", "blocked", "banded", "power_law", "near_diagonal", "skewed_rows",
/// "uniform_rows".
[[nodiscard]] std::string_view name(PatternFamily family);
/// For people: "banded", "rows of one length".
[[nodiscard]] std::string_view title(PatternFamily family);

/// The first that applies, in the order of the enumerators; the thresholds stand beside the tests of them.
/// A pattern without entries is HyperSparse.
[[nodiscard]] PatternFamily family_of(const PatternStatistics& statistics);

} // namespace sparsight
