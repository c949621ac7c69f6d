// What kind of matrix it is, told from its statistics alone: the names by which people speak of patterns. And
// what else failures know of sparse matrices, in the form that serves any domain.
#pragma once

#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/statistics.h"
#include "evaluation/failures/failure_case.h"
#include "evaluation/failures/training_range.h"

#include <array>
#include <cstdint>
#include <span>
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
    // By the sizes alone, of matrices whose pattern nobody has:
    DenseBySizes,    ///< a tenth of the places hold entries, or more
    TallBySizes,     ///< twice as many rows as columns, or more
    WideBySizes,     ///< the other way round
    FewBySizes,      ///< fewer than 4 entries a row on average
    ManyBySizes,     ///< 32 entries a row or more
    ModerateBySizes, ///< what is between
};
inline constexpr std::array all_pattern_families{
    PatternFamily::Unknown,     PatternFamily::HyperSparse,    PatternFamily::Blocked,
    PatternFamily::Banded,      PatternFamily::PowerLaw,       PatternFamily::NearDiagonal,
    PatternFamily::SkewedRows,  PatternFamily::UniformRows,    PatternFamily::DenseBySizes,
    PatternFamily::TallBySizes, PatternFamily::WideBySizes,    PatternFamily::FewBySizes,
    PatternFamily::ManyBySizes, PatternFamily::ModerateBySizes};
/// In files: "unknown", "hyper_sparse", "blocked", "banded", "power_law", "near_diagonal", "skewed_rows",
/// "uniform_rows", "dense_by_sizes", "tall_by_sizes", "wide_by_sizes", "few_by_sizes", "many_by_sizes",
/// "moderate_by_sizes".
[[nodiscard]] std::string_view name(PatternFamily family);
/// For people: "banded", "rows of one length".
[[nodiscard]] std::string_view title(PatternFamily family);

/// The first that applies, in the order of the enumerators; the thresholds stand beside the tests of them.
/// A pattern without entries is HyperSparse.
[[nodiscard]] PatternFamily family_of(const PatternStatistics& statistics);

/// What is known of a matrix without its pattern.
struct MatrixSizes {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t nnz = 0;
};
/// Likewise; Unknown where a size is 0 or less.
[[nodiscard]] PatternFamily family_by_sizes(const MatrixSizes& sizes);

[[nodiscard]] WorkloadFamily workload_family(PatternFamily family);
/// Of workload_family(); Unknown for one of another domain.
[[nodiscard]] PatternFamily pattern_family(const WorkloadFamily& family);

/// All of statistics(), in their order.
[[nodiscard]] StatisticVector statistic_vector(const PatternStatistics& statistics);

/// The terms of a simulated time as causes, in the order of all_time_terms(). Of three kinds: there is more
/// work or traffic, cores wait for the last one, or work is handed out in too small pieces.
[[nodiscard]] std::span<const TimeCause> time_causes();

} // namespace sparsight
