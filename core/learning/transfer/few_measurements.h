// What few measurements on a new machine are worth: how far the best of them is from the best of all, by
// different ways of choosing what to measure.
#pragma once

#include "base/error.h"
#include "learning/transfer/corrected_copy.h"
#include "learning/transfer/unmeasured_choice.h"
#include "model/boosted_trees.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace sparsight {

enum class MeasuringRule : std::uint8_t {
    Corrected, ///< CorrectedCopy says what to measure next
    Sources,   ///< the best of each source, then the second best of each …; the nearest source first
    Scratch,   ///< boosted trees that know only what was measured: a fifth at random, then by rounds
    Random,    ///< at random: the mean over all draws
    Plain,     ///< the search of Corrected without other machines' times; the first five at random
};
/// Those that few measurements are compared by.
inline constexpr std::array all_measuring_rules{MeasuringRule::Corrected, MeasuringRule::Sources,
                                                MeasuringRule::Scratch, MeasuringRule::Random};
[[nodiscard]] std::string_view name(MeasuringRule rule);
/// Whether another seed may give another result.
[[nodiscard]] bool is_drawn(MeasuringRule rule);

struct MeasuringOptions {
    TreesOptions trees{.rounds = 60, .depth = 4, .rate = 0.2};
    std::uint64_t seed = 1;
};

/// The regret of the fastest of the first so many measurements, for each of `counts` (ascending, from 1). All
/// that were tried on the target are measured where there are fewer. One that failed counts as the slowest
/// that ran on the target, if none ran. Errors: those of trees; Fault::Cancelled.
[[nodiscard]] Result<std::vector<double>> regrets_by_measuring(const TransferTarget& target,
                                                               MeasuringRule rule, const KnownSheets& sheets,
                                                               std::span<const std::size_t> counts,
                                                               const MeasuringOptions& options,
                                                               const std::stop_token& stop = {});

/// The places of what is measured, at most `most`, one after another. Not for Random, which has no order.
[[nodiscard]] Result<std::vector<std::size_t>>
measuring_order(const TransferTarget& target, MeasuringRule rule, const KnownSheets& sheets, std::size_t most,
                const MeasuringOptions& options, const std::stop_token& stop = {});
/// Likewise by a search on this prior, which begins with `first`.
[[nodiscard]] Result<std::vector<std::size_t>> order_on_prior(CopiedPrior prior, const TimedColumn& truth,
                                                              std::vector<std::size_t> first,
                                                              std::size_t most,
                                                              const std::stop_token& stop = {});

/// The mean regret of the fastest of `count` that are drawn without replacement.
[[nodiscard]] double regret_of_random_search(const TimedColumn& column, std::size_t count);

} // namespace sparsight
