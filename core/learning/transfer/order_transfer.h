// How well few measurements of a new machine tell the order of all its configurations: by the corrected copy,
// and by the one other machine that orders the few the most alike.
#pragma once

#include "learning/transfer/corrected_copy.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace sparsight {

/// Spearman's ρ, the correlation of ranks; equal values share the mean of theirs. 0 where all are equal.
[[nodiscard]] double rank_correlation(std::span<const double> one, std::span<const double> other);

/// Rank correlations with the times of all configurations that were tried on the target.
struct LearnedOrder {
    double corrected = 0;
    double source = 0; ///< of the source that is chosen by the same measurements
};
/// Measures `count` that are drawn at random.
[[nodiscard]] LearnedOrder learned_order(const TransferTarget& target, const CopiedPrior& prior,
                                         std::size_t count, std::uint64_t seed);

/// The target without sources of its own kind, such as "GPU", by the sheets. Absent where its kind is unknown
/// or no source is left.
[[nodiscard]] std::optional<TransferTarget> without_its_kind(const TransferTarget& target,
                                                             const KnownSheets& sheets);

} // namespace sparsight
