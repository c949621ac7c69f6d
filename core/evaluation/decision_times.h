// Which values of decisions lead to short times: many configurations of one workload as a table of their
// decisions, and what such a table says of single decisions and of pairs. Times of any domain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// The values that one decision takes.
struct DecisionScale {
    std::size_t decision = 0; ///< its place among the decisions that were given
    /// Different: numbers ascending, then other texts, then the empty one of configurations without the
    /// decision.
    std::vector<std::string> values;
    /// Share of the variance of the logarithm of time that the value alone explains, corrected for the number
    /// of values (ε²: Kelley, 1935); at least 0.
    double explained = 0;
};

/// Configurations in rows, those with a time first.
struct DecisionTimes {
    std::vector<DecisionScale> scales; ///< in the order of the decisions
    std::size_t constant = 0;          ///< decisions that take one value everywhere have no scale
    std::size_t rows = 0;
    std::size_t timed = 0;             ///< of the rows
    std::vector<std::uint16_t> places; ///< row by row: those of the values on their scales

    [[nodiscard]] std::size_t place(std::size_t row, std::size_t scale) const {
        return places[row * scales.size() + scale];
    }
};

/// `values`: of each configuration, one for each decision, which may end early; empty where it lacks the
/// decision. `milliseconds`: of the first of them, the fastest first; the others have no time. A decision
/// with more than 65 535 values has no scale.
[[nodiscard]] DecisionTimes decision_times(std::span<const std::vector<std::string>> values,
                                           std::span<const double> milliseconds);

/// Places of the scales that explain the most, at most `count` of them, in the order of the decisions.
[[nodiscard]] std::vector<std::size_t> telling_scales(const DecisionTimes& times, std::size_t count);

/// The rows that have these values of two decisions, whatever their other decisions are.
struct PairedTimes {
    std::optional<std::size_t> fastest{}; ///< row; absent where none has a time
    std::size_t tried = 0;
};
/// For each value of `down` (a row of the result) all values of `across`. `rows`: ascending.
[[nodiscard]] std::vector<PairedTimes> paired_times(const DecisionTimes& times, std::size_t across,
                                                    std::size_t down, std::span<const std::size_t> rows);

/// Counts between edges that are equal factors apart.
struct TimeHistogram {
    std::vector<double> edges; ///< one more than counts; none without a time above 0
    std::vector<std::size_t> counts;

    /// The first or the last for a time outside.
    [[nodiscard]] std::size_t bin_of(double milliseconds) const;
};
[[nodiscard]] TimeHistogram time_histogram(std::span<const double> milliseconds);

} // namespace sparsight
