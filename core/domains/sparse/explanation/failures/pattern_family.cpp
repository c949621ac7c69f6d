#include "domains/sparse/explanation/failures/pattern_family.h"

#include <algorithm>

namespace sparsight {

namespace {

// Checked against the generators and against 187 real matrices; what is near a threshold may as well be told
// as its neighbour.
constexpr double mostly_empty = 0.5;      ///< share of the rows
constexpr double full_diagonals = 0.6;    ///< entries over the places of all occupied diagonals
constexpr double full_blocks = 0.5;       ///< entries over the places of 4 × 4 blocks
constexpr double full_small_blocks = 0.7; ///< … of 2 × 2 blocks
constexpr double narrow = 0.15;           ///< bandwidth over columns
constexpr double low_profile = 0.05;      ///< profile over rows · columns
constexpr double mostly_symmetric = 0.5;
constexpr double unequal = 0.55; ///< Gini coefficient of the row lengths
constexpr double skewed = 0.3;
constexpr double much_longer = 10; ///< the longest row over the mean

/// Blocks that are no fuller than chance would fill them are none.
bool is_blocked(const PatternStatistics& of) {
    constexpr double beyond_chance = 1.5;
    constexpr double nearly_dense = 0.9;
    if (of.density >= nearly_dense)
        return true;
    return (of.block_fill[1] >= full_blocks && of.block_fill[1] >= beyond_chance * of.density) ||
           (of.block_fill[0] >= full_small_blocks && of.block_fill[0] >= beyond_chance * of.density);
}

double diagonal_fill(const PatternStatistics& of) {
    const auto places =
        static_cast<double>(of.occupied_diagonals) * static_cast<double>(std::min(of.rows, of.cols));
    return places > 0 ? static_cast<double>(of.nnz) / places : 0;
}

bool is_within_a_band(const PatternStatistics& of) {
    return static_cast<double>(of.bandwidth) <= narrow * static_cast<double>(of.cols);
}

/// A single far entry makes the bandwidth that of the whole matrix; the profile forgives it, but sees the
/// lower half alone.
bool is_near_the_diagonal(const PatternStatistics& of) {
    return of.symmetry >= mostly_symmetric &&
           static_cast<double>(of.profile) <=
               low_profile * static_cast<double>(of.rows) * static_cast<double>(of.cols);
}

} // namespace

std::string_view name(PatternFamily family) {
    switch (family) {
    case PatternFamily::Unknown:
        return "unknown";
    case PatternFamily::HyperSparse:
        return "hyper_sparse";
    case PatternFamily::Blocked:
        return "blocked";
    case PatternFamily::Banded:
        return "banded";
    case PatternFamily::PowerLaw:
        return "power_law";
    case PatternFamily::NearDiagonal:
        return "near_diagonal";
    case PatternFamily::SkewedRows:
        return "skewed_rows";
    case PatternFamily::UniformRows:
        return "uniform_rows";
    case PatternFamily::DenseBySizes:
        return "dense_by_sizes";
    case PatternFamily::TallBySizes:
        return "tall_by_sizes";
    case PatternFamily::WideBySizes:
        return "wide_by_sizes";
    case PatternFamily::FewBySizes:
        return "few_by_sizes";
    case PatternFamily::ManyBySizes:
        return "many_by_sizes";
    case PatternFamily::ModerateBySizes:
        return "moderate_by_sizes";
    }
    return "";
}

std::string_view title(PatternFamily family) {
    switch (family) {
    case PatternFamily::Unknown:
        return "unknown pattern";
    case PatternFamily::HyperSparse:
        return "mostly empty rows";
    case PatternFamily::Blocked:
        return "dense blocks";
    case PatternFamily::Banded:
        return "banded";
    case PatternFamily::PowerLaw:
        return "power law";
    case PatternFamily::NearDiagonal:
        return "mostly near the diagonal";
    case PatternFamily::SkewedRows:
        return "some long rows";
    case PatternFamily::UniformRows:
        return "rows of about one length";
    case PatternFamily::DenseBySizes:
        return "dense (by sizes alone)";
    case PatternFamily::TallBySizes:
        return "tall (by sizes alone)";
    case PatternFamily::WideBySizes:
        return "wide (by sizes alone)";
    case PatternFamily::FewBySizes:
        return "few entries a row (by sizes alone)";
    case PatternFamily::ManyBySizes:
        return "many entries a row (by sizes alone)";
    case PatternFamily::ModerateBySizes:
        return "4 to 32 entries a row (by sizes alone)";
    }
    return "";
}

PatternFamily family_of(const PatternStatistics& of) {
    if (of.nnz == 0 || static_cast<double>(of.row_length.empty) > mostly_empty * static_cast<double>(of.rows))
        return PatternFamily::HyperSparse;
    if (diagonal_fill(of) >= full_diagonals)
        return PatternFamily::Banded;
    if (is_blocked(of))
        return PatternFamily::Blocked;
    const bool has_hubs = of.row_length.gini >= unequal &&
                          static_cast<double>(of.row_length.max) >= much_longer * of.row_length.mean;
    if (has_hubs)
        return PatternFamily::PowerLaw;
    if (is_within_a_band(of))
        return PatternFamily::Banded;
    if (is_near_the_diagonal(of))
        return PatternFamily::NearDiagonal;
    return of.row_length.gini >= skewed ? PatternFamily::SkewedRows : PatternFamily::UniformRows;
}

PatternFamily family_by_sizes(const MatrixSizes& sizes) {
    if (sizes.rows <= 0 || sizes.cols <= 0 || sizes.nnz <= 0)
        return PatternFamily::Unknown;
    constexpr double dense = 0.1;
    constexpr std::int64_t elongated = 2;
    constexpr double few = 4;
    constexpr double many = 32;
    const double row = static_cast<double>(sizes.nnz) / static_cast<double>(sizes.rows);
    if (row >= dense * static_cast<double>(sizes.cols))
        return PatternFamily::DenseBySizes;
    if (sizes.rows / elongated >= sizes.cols)
        return PatternFamily::TallBySizes;
    if (sizes.cols / elongated >= sizes.rows)
        return PatternFamily::WideBySizes;
    return row < few     ? PatternFamily::FewBySizes
           : row >= many ? PatternFamily::ManyBySizes
                         : PatternFamily::ModerateBySizes;
}

WorkloadFamily workload_family(PatternFamily family) {
    return {static_cast<std::uint32_t>(family), std::string(name(family)), std::string(title(family))};
}

PatternFamily pattern_family(const WorkloadFamily& family) {
    const auto* const found =
        std::ranges::find(all_pattern_families, family.name, [](PatternFamily each) { return name(each); });
    return found == all_pattern_families.end() ? PatternFamily::Unknown : *found;
}

StatisticVector statistic_vector(const PatternStatistics& of) {
    StatisticVector vector;
    for (const Statistic& statistic : statistics())
        vector.push_back(
            {statistic.name, statistic.title, statistic.unit, statistic.is_integer, statistic.of(of)});
    return vector;
}

namespace {

std::string_view reason_text(TimeTerm term) {
    switch (term) {
    case TimeTerm::Compute:
        return "more instructions for the same entries";
    case TimeTerm::FillIn:
        return "work on explicit zeros";
    case TimeTerm::L2Traffic:
        return "traffic from the second level cache";
    case TimeTerm::L3Traffic:
        return "traffic from the last level cache";
    case TimeTerm::MemoryTraffic:
        return "traffic from memory";
    case TimeTerm::Latency:
        return "waiting for lines that no prefetcher foresaw";
    case TimeTerm::Imbalance:
        return "cores that wait for the last one";
    case TimeTerm::Regions:
        return "opening parallel regions";
    case TimeTerm::Chunks:
        return "handing out chunks";
    }
    return "";
}

/// A chunk may be too large or too small.
std::uint32_t kind_of(TimeTerm term) {
    constexpr std::uint32_t work = 0;
    constexpr std::uint32_t waiting = 1;
    constexpr std::uint32_t handing = 2;
    if (term == TimeTerm::Imbalance)
        return waiting;
    return term == TimeTerm::Regions || term == TimeTerm::Chunks ? handing : work;
}

} // namespace

std::span<const TimeCause> time_causes() {
    static const std::vector<TimeCause> causes = [] {
        std::vector<TimeCause> all;
        for (const TimeTerm term : all_time_terms())
            all.push_back({static_cast<std::uint32_t>(term), std::string(name(term)),
                           std::string(reason_text(term)), kind_of(term)});
        return all;
    }();
    return causes;
}

} // namespace sparsight
