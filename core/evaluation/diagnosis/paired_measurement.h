// Whether measured times differ by more than chance: by the errors of their medians, not by the spread of
// single runs. Where times vary, two configurations are measured in turns.
#pragma once

#include "study/clock.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// The error of the median of such values, exceeded one time in twenty: its standard error, 1.2533 σ / √n
/// for normal values with σ by spread_of() (study/measurement.h), times
/// Student's factor for small samples. Infinite below two values.
[[nodiscard]] double median_error(std::span<const double> values);

/// How much shorter a time of `milliseconds` may be when it may be longer by `spread_ms`: disturbances
/// multiply times, so a time that may be twice as long may be half as long, and none is ever below 0.
[[nodiscard]] double shorter_by(double milliseconds, double spread_ms);

/// Whether one of two times is longer beyond doubt: their difference is more than the independent errors of
/// both, the longer one's downwards and the shorter one's upwards. So no spread makes hundreds of times as
/// long the same.
[[nodiscard]] bool differ_beyond_errors(double one_ms, double one_spread_ms, double other_ms,
                                        double other_spread_ms);

/// Two configurations that were measured in turns, turn by turn.
struct MeasuredLead {
    double ratio = 1; ///< median over the turns of the time of the one over that of the other
    double error = 0; ///< factor - 1 by which the ratio may be off, but for one time in twenty
    int turns = 0;
    bool wins = false; ///< beyond noise: the one is faster, by more than the error and in all turns but one
};

/// Compares two turn by turn: a disturbance of a whole turn slows both and cancels in their ratio.
/// Both have a time for each turn, at least one; below three turns nothing wins.
[[nodiscard]] MeasuredLead lead_in_turns(std::span<const double> one_ms, std::span<const double> other_ms);

struct VerificationOptions {
    int least_turns = 5;
    int most_turns = 11; ///< where the least do not decide; one look more, for every look may be luck
    std::function<bool()> is_over = [] { return false; }; ///< asked before each turn beyond the least
    std::function<void()> tell{};                         ///< before each measurement
    std::stop_token stop{};
};

/// Measures each candidate in turns with `other`, each turn in the reverse order of the one before: whether
/// a candidate that seems faster is. Absent where it could not be measured in every turn. Only for an
/// clock whose times vary. Errors: those of measure_again(); Fault::Cancelled.
[[nodiscard]] Result<std::vector<std::optional<MeasuredLead>>>
verify_in_turns(Clock& clock, const Configuration& other, std::span<const Configuration> candidates,
                const VerificationOptions& options = {});

} // namespace sparsight
