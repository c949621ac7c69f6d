// Whether measured times differ by more than chance, judged by the errors of their medians and not by the
// spread of single runs. Where times vary, two configurations are measured in turns.
#pragma once

#include "study/clock.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// The error of the median of these values, exceeded one time in twenty: the standard error 1.2533 σ / √n for
/// normal values, with σ from spread_of() (study/measurement.h), times Student's factor for small samples.
/// Infinite below two values.
[[nodiscard]] double median_error(std::span<const double> values);

/// How much shorter a time may be, if it may be longer by `spread_ms`. Disturbances multiply times: a time
/// that may be twice as long may be half as long, and is never below 0.
[[nodiscard]] double shorter_by(double milliseconds, double spread_ms);

/// Whether the difference of two times exceeds their independent errors: the longer time's error downwards
/// and the shorter time's error upwards.
[[nodiscard]] bool differ_beyond_errors(double one_ms, double one_spread_ms, double other_ms,
                                        double other_spread_ms);

/// The result of measuring two configurations in turns.
struct MeasuredLead {
    double ratio = 1; ///< median over the turns of the first time divided by the second
    double error = 0; ///< the ratio may be off by the factor 1 + error, exceeded one time in twenty
    int turns = 0;
    bool wins = false; ///< beyond noise: faster by more than the error, and in all turns but at most one
};

/// Compares two configurations turn by turn. A disturbance of a whole turn slows both down and cancels in
/// their ratio. Both have a time for each turn, at least one; below three turns nothing wins.
[[nodiscard]] MeasuredLead lead_in_turns(std::span<const double> one_ms, std::span<const double> other_ms);

struct VerificationOptions {
    int least_turns = 5;
    int most_turns = 11; ///< where the least do not decide; one look more, for every look may be luck
    std::function<bool()> is_over = [] {
        return false;
    }; ///< called before each turn after the least number of turns
    std::function<void()> tell{}; ///< called before each measurement
    std::stop_token stop{};
};

/// Measures each candidate in turns with `other`, each turn in the reverse order of the one before: whether
/// a candidate that seems faster is. Absent where it could not be measured in every turn. Only for an
/// clock whose times vary. Errors: those of measure_again(); Fault::Cancelled.
[[nodiscard]] Result<std::vector<std::optional<MeasuredLead>>>
verify_in_turns(Clock& clock, const Configuration& other, std::span<const Configuration> candidates,
                const VerificationOptions& options = {});

} // namespace sparsight
