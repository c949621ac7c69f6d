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
/// A repeat is one run, or one batch of runs where a single one is too short for the clock.
struct TimingRules {
    int warm_ups = 1;
    int least_repeats = 5;
    int most_repeats = 100;
    Milliseconds least_time{0}; ///< repeats go on at least this long (within most_repeats)
    Milliseconds budget{0};     ///< after least_repeats none is started beyond it
    double precision = 0;       ///< stop when the median's standard error is below this share of it; 0: never
    std::optional<Milliseconds> give_up_above;
    int chances = 0; ///< first runs that may be repeated before giving up
    /// Runs below this are timed in batches that take at least twice as long, and the cost of reading the
    /// clock is subtracted; 0: every run is timed alone, as it is.
    Milliseconds shortest_alone{0};
    /// A configuration whose median so far is below this may be the winner: its budget is twice as large, and
    /// it is timed in two halves with other work in between, as runs of one moment agree with each other.
    std::optional<Milliseconds> contender_below;
    /// A configuration whose every run so far is slower than this cannot win: it is known well enough after
    /// fewer runs, with a quarter of the budget.
    std::optional<Milliseconds> hopeless_above;
};

struct Timing {
    Milliseconds median{};  ///< of one run
    Milliseconds scatter{}; ///< of the repeats: spread_of
    Milliseconds error{}; ///< one standard error of the median: median_error_of; of two halves at least half
                          ///< of their difference
    int repeats = 0;
};

/// Milliseconds since any fixed moment; injected so that tests need not sleep.
using MillisecondClock = std::function<Milliseconds()>;
[[nodiscard]] MillisecondClock steady_clock();

/// Whether a first run of this time ends the measurement: the repeats would cost more than they could tell.
[[nodiscard]] bool is_given_up(const TimingRules& rules, Milliseconds first_run);

/// Calls `run` again and again, after a first run that the caller has made (and checked) and that is one of
/// the warm-ups. `other_work` is done between the halves of a contender's runs; without it there are no
/// halves. Stopping ends after the run in flight and keeps what is measured; no repeat measured means nothing
/// to keep.
[[nodiscard]] std::optional<Timing> time_runs(const TimingRules& rules, const std::function<void()>& run,
                                              const MillisecondClock& now, const std::stop_token& stop = {},
                                              const std::function<void()>& other_work = {});

[[nodiscard]] Milliseconds median_of(std::vector<Milliseconds> values);
/// How far runs lie apart: 1.4826 times the median absolute deviation from the median, which for normal noise
/// is the standard deviation, and which a few disturbed runs do not move (Rousseeuw and Croux 1993), with
/// their correction for few values.
[[nodiscard]] Milliseconds spread_of(std::vector<Milliseconds> values);
/// One standard error of the median of values in the order in which they were measured: 1.2533 σ/√n, with σ
/// by spread_of(), times √((1 + r)/(1 − r)) where successive values are alike with an autocorrelation of
/// r > 0 (of a first-order process: Zieba and Ramza, "Standard deviation of the mean of autocorrelated
/// observations", 2011). r is told from eight values on.
[[nodiscard]] Milliseconds median_error_of(const std::vector<Milliseconds>& values);

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
    /// How far another median of the same configuration may lie off, exceeded one time in twenty: twice the
    /// error of the median and the drift of the computer, as independent errors (spread_from()).
    Milliseconds spread{};
    int repeats = 0;         ///< timed runs or batches of runs, warm-ups left out
    Milliseconds pack{};     ///< making the input ready
    Milliseconds compile{};  ///< code → machine code
    std::uint64_t bytes = 0; ///< of the prepared input; predicted when it was refused
    std::string reason;      ///< for the user, when the status is not Measured

    /// What measured or refused: MeasuringDomain::engine(); empty where it is not known.
    std::string engine{};
    /// The median of the baseline at that moment, so that a drift of the computer cancels out of their ratio.
    std::optional<Milliseconds> reference{};
    std::optional<Milliseconds> scatter{}; ///< of single runs
    std::optional<Milliseconds> error{};   ///< one standard error of the median
    std::optional<Milliseconds> drift{};   ///< of the computer during the session: one standard deviation
    /// The share of the time of its threads that was lost to others: they waited for a processor, which other
    /// programs had, or a hypervisor had given it to other guests.
    std::optional<double> disturbance{};
};

/// Measurement::spread of an error of the median and a drift.
[[nodiscard]] Milliseconds spread_from(Milliseconds error, Milliseconds drift);

/// How often a configuration is run to know its time.
enum class Protocol : std::uint8_t {
    Adaptive,  ///< as many runs as the noise asks for, fewer for a configuration that cannot win
    FixedRuns, ///< as many as the domain says, whatever the noise: for times to compare with published ones
};
/// "adaptive", and "waco" in files, after the first whose numbers of runs were followed.
[[nodiscard]] std::string_view name(Protocol protocol);
[[nodiscard]] std::optional<Protocol> parse_protocol(std::string_view text);

} // namespace sparsight
