// Whether two series put things in the same order, by all pairs of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace sparsight {

/// All n (n − 1) / 2 pairs, each in one of five classes.
struct PairCounts {
    std::int64_t concordant = 0;    ///< scores and runtimes differ, in the same direction
    std::int64_t discordant = 0;    ///< … in opposite directions
    std::int64_t tied_scores = 0;   ///< only the scores are equal
    std::int64_t tied_runtimes = 0; ///< only the runtimes are equal
    std::int64_t tied_both = 0;

    PairCounts& operator+=(const PairCounts& other);
    bool operator==(const PairCounts&) const = default;
};

/// Both of the same size, without NaN. n log n (Knight: A computer method for calculating
/// Kendall's tau with ungrouped data, JASA 1966).
[[nodiscard]] PairCounts count_pairs(std::span<const float> scores, std::span<const double> runtimes);
[[nodiscard]] PairCounts count_pairs(std::span<const double> scores, std::span<const double> runtimes);

/// (C − D) / √((C + D + Tx) (C + D + Ty)) (Kendall: The treatment of ties in ranking problems, Biometrika
/// 1945): 1 where both have one order, −1 where they have opposite ones. Absent where all scores or all
/// runtimes are equal.
[[nodiscard]] std::optional<double> kendall_tau_b(const PairCounts& pairs);

} // namespace sparsight
