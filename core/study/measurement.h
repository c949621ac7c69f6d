// Measuring one configuration of one workload: it runs until its time is known well enough (warm-ups, then
// repeats), and this is what comes of it.
#pragma once

#include "base/quantity.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// When to stop. The first run is always a warm-up; it alone decides whether the measurement is abandoned.
struct TimingRules {
    int warm_ups = 1;
    int least_repeats = 5;
    int most_repeats = 100;
    Milliseconds least_time{0}; ///< repeats go on at least this long (within most_repeats)
    Milliseconds budget{0};     ///< after least_repeats none is started beyond it
    double precision = 0;       ///< stop when the median's standard error is below this share of it; 0: never
    std::optional<Milliseconds> give_up_above;
    int chances = 0; ///< first runs that may be repeated before giving up
    /// A configuration whose median so far is below this may be the winner: its budget is twice as large.
    std::optional<Milliseconds> contender_below;
    /// A configuration whose every run so far is slower than this cannot win: it is known well enough after
    /// fewer runs, with a quarter of the budget.
    std::optional<Milliseconds> hopeless_above;
};

struct Timing {
    Milliseconds median{};
    Milliseconds spread{}; ///< see spread_of
    int repeats = 0;
};

/// Milliseconds since any fixed moment; injected so that tests need not sleep.
using MillisecondClock = std::function<Milliseconds()>;
[[nodiscard]] MillisecondClock steady_clock();

/// Whether a first run of this time ends the measurement: the repeats would cost more than they could tell.
[[nodiscard]] bool is_given_up(const TimingRules& rules, Milliseconds first_run);

/// Calls `run` again and again, after a first run that the caller has made (and checked) and that is one of
/// the warm-ups. Stopping ends after the run in flight and keeps what is measured; no repeat measured means
/// nothing to keep.
[[nodiscard]] std::optional<Timing> time_runs(const TimingRules& rules, const std::function<void()>& run,
                                              const MillisecondClock& now, const std::stop_token& stop = {});

[[nodiscard]] Milliseconds median_of(std::vector<Milliseconds> values);
/// How far runs lie apart: 1.4826 times the median absolute deviation from the median, which for normal noise
/// is the standard deviation, and which a few disturbed runs do not move (Rousseeuw and Croux 1993), with
/// their correction for few values.
[[nodiscard]] Milliseconds spread_of(std::vector<Milliseconds> values);

enum class MeasurementStatus {
    Measured, ///< the result was checked, the median stands
    GaveUp,   ///< the first run was far too slow and abandoned; median is how long it ran, a lower bound
    TooLarge, ///< refused: its memory would exceed the limit
    Mismatch, ///< the result is wrong: a failure, never a time
    Failed,   ///< it could not be compiled or run; reason says why
    Damaged,  ///< it was stored, and can't be trusted: the file was changed by something else
};

/// "measured", "gave up", "too large", "mismatch", "failed", "damaged".
[[nodiscard]] std::string_view name(MeasurementStatus status);
[[nodiscard]] std::optional<MeasurementStatus> parse_measurement_status(std::string_view text);

/// Whether a median comes with it.
[[nodiscard]] inline bool has_time(MeasurementStatus status) {
    return status == MeasurementStatus::Measured || status == MeasurementStatus::GaveUp;
}

struct Measurement {
    MeasurementStatus status = MeasurementStatus::Failed;
    Milliseconds median{}; ///< of one run; only for Measured and GaveUp
    /// How far another median of the same configuration may lie off: the spread of the runs and, in the
    /// adaptive protocol, the drift of the computer, as independent errors.
    Milliseconds spread{};
    int repeats = 0;         ///< timed runs, warm-ups left out
    Milliseconds pack{};     ///< making the input ready
    Milliseconds compile{};  ///< code → machine code
    std::uint64_t bytes = 0; ///< of the prepared input; predicted when it was refused
    std::string reason;      ///< for the user, when the status is not Measured
};

/// How often a configuration is run to know its time.
enum class Protocol : std::uint8_t {
    Adaptive,  ///< as many runs as the noise asks for, fewer for a configuration that cannot win
    FixedRuns, ///< as many as the domain says, whatever the noise: for times to compare with published ones
};
/// "adaptive", and "waco" in files, after the first whose numbers of runs were followed.
[[nodiscard]] std::string_view name(Protocol protocol);
[[nodiscard]] std::optional<Protocol> parse_protocol(std::string_view text);

} // namespace sparsight
