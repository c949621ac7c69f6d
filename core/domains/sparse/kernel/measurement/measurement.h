// What measuring one schedule on one matrix gives.
#pragma once

#include "base/quantity.h"
#include "domains/sparse/schedule/operator.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class MeasurementStatus {
    Measured, ///< the result was checked, the median stands
    GaveUp,   ///< the first run was far too slow and abandoned; median is how long it ran, a lower bound
    TooLarge, ///< packing was refused: the storage format would exceed the size limit
    Mismatch, ///< the result differs from fixed CSR's: a failure, never a time
    Failed,   ///< it could not be compiled or run; reason says why
};

/// "measured", "gave up", "too large", "mismatch", "failed".
[[nodiscard]] std::string_view name(MeasurementStatus status);
[[nodiscard]] std::optional<MeasurementStatus> parse_measurement_status(std::string_view text);

/// Whether a median comes with it.
[[nodiscard]] inline bool has_time(MeasurementStatus status) {
    return status == MeasurementStatus::Measured || status == MeasurementStatus::GaveUp;
}

struct Measurement {
    MeasurementStatus status = MeasurementStatus::Failed;
    Milliseconds median{}; ///< of one run of the kernel; only for Measured and GaveUp
    /// How far another median of the same schedule may lie off: the spread of the runs (spread_of()
    /// in this file) and, in the adaptive protocol, the drift of this computer (schedule_measurement.h), as
    /// independent errors.
    Milliseconds spread{};
    int repeats = 0;         ///< timed runs, warm-ups left out
    Milliseconds pack{};     ///< CSR → storage format
    Milliseconds compile{};  ///< loop nest → machine code
    std::uint64_t bytes = 0; ///< of the packed A; predicted when it was refused
    std::string reason;      ///< for the user, when the status is not Measured
};

// How often a kernel is run to know its time: warm-ups, then repeats until the median is known well enough.

enum class Protocol : std::uint8_t {
    Adaptive, ///< as many runs as the noise asks for, fewer for a schedule that cannot win
    Waco,     ///< exactly WACO's: 5 warm-ups and 30 runs, 10 and 50 for fixed CSR
};
/// "adaptive", "waco".
[[nodiscard]] std::string_view name(Protocol protocol);
[[nodiscard]] std::optional<Protocol> parse_protocol(std::string_view text);

/// When to stop. The first run is always a warm-up; it alone decides whether to give up.
struct TimingRules {
    int warm_ups = 1;
    int least_repeats = 5;
    int most_repeats = 100;
    Milliseconds least_time{0}; ///< repeats go on at least this long (within most_repeats)
    Milliseconds budget{0};     ///< after least_repeats none is started beyond it
    double precision = 0;       ///< stop when the median's standard error is below this share of it; 0: never
    std::optional<Milliseconds> give_up_above;
    int chances = 0; ///< first runs that may be repeated before giving up
    /// A schedule whose median so far is below this may be the winner: its budget is twice as large.
    std::optional<Milliseconds> contender_below;
    /// A schedule whose every run so far is slower than this cannot win: it is known well enough after fewer
    /// runs, with a quarter of the budget.
    std::optional<Milliseconds> hopeless_above;
};

/// `best` is the fastest time known for the same matrix; it makes slow schedules cheap to dismiss. A first
/// run above `longest_run` (and twice the best) is given up, too. Both matter to the adaptive protocol only.
[[nodiscard]] TimingRules timing_rules(Protocol protocol, Operator op, bool is_baseline,
                                       std::optional<Milliseconds> best,
                                       Milliseconds longest_run = Milliseconds(10'000));

struct Timing {
    Milliseconds median{};
    Milliseconds spread{}; ///< see spread_of
    int repeats = 0;
};

/// Milliseconds since any fixed moment; injected so that tests need not sleep.
using Clock = std::function<Milliseconds()>;
[[nodiscard]] Clock steady_clock();

/// Whether a first run of this time ends it: what follows would cost more than it could tell.
[[nodiscard]] bool is_given_up(const TimingRules& rules, Milliseconds first_run);

/// Calls `run` again and again, after a first run that the caller has made (and checked) and that is one of
/// the warm-ups. Stopping ends after the run in flight and keeps what is measured; no repeat measured means
/// nothing to keep.
[[nodiscard]] std::optional<Timing> time_runs(const TimingRules& rules, const std::function<void()>& run,
                                              const Clock& now, const std::stop_token& stop = {});

[[nodiscard]] Milliseconds median_of(std::vector<Milliseconds> values);
/// How far runs lie apart: 1.4826 times the median absolute deviation from the median, which for normal noise
/// is the standard deviation, and which a few disturbed runs do not move (Rousseeuw and Croux 1993), with
/// their correction for few values.
[[nodiscard]] Milliseconds spread_of(std::vector<Milliseconds> values);

} // namespace sparsight
