// Which decision of a configuration cost how much: the time difference to another configuration, divided
// among the decisions in which the two differ (Shapley values).
#pragma once

#include "base/observer.h"
#include "base/quantity.h"
#include "evaluation/diagnosis/shapley.h"
#include "study/clock.h"
#include "study/configuration_space.h"
#include "study/measurement.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace sparsight {

/// With more differing decisions, the 2^n hybrids are too many to list.
inline constexpr std::size_t most_listed_decisions = 12;

struct BlameOptions {
    /// Up to this many decisions, every hybrid is timed. Beyond it, only the hybrids of randomly drawn orders
    /// are: n decisions then need at most 2 · draws · (n − 1) + 2 times. At most most_listed_decisions.
    std::size_t exact_up_to = 8;
    std::size_t draws = 32; ///< two orders each: a random one and its reverse
    std::uint64_t seed = 1; ///< seed of the drawn orders
    /// The time allowed for all calls of the clock. When it is used up, the draws that are complete are used;
    /// there is at least one. Where times vary (Clock::varies), the time that is left after one measurement
    /// each goes to the times that widen the error bars most, in turns, until all bars are settled
    /// (evaluation/diagnosis/hybrid_times.h) or the budget is used up.
    std::optional<Seconds> budget{};
    MillisecondClock clock = steady_clock(); ///< measures the budget
    ProgressSink progress{};
    std::stop_token stop{};
};

/// What one decision cost: its share in the difference.
struct DecisionShare {
    Decision decision;
    std::size_t bit = 0;     ///< bit of the decision in a DecisionSet
    double milliseconds = 0; ///< above 0: it made the configuration slower
    double factor =
        1; ///< the same for the logarithm of time: the factors multiply to the ratio of the two times
    double sampling_error_ms =
        0; ///< one standard error; 0 where every order counted, infinite after one draw
    /// By how much the cost may be overestimated, because the times behind it vary within their spreads
    /// (ErrorBar::error).
    double noise_ms = 0;
    bool is_significant = false; ///< the cost exceeds its uncertainty, and its sign is decided
    /// The decision never changed the program, so it costs exactly nothing.
    bool is_same_program = false;
    bool is_bounded = false; ///< some times behind it are lower bounds
    /// The cost by term of the simulated time, adding up to `milliseconds`; empty where nothing was
    /// simulated.
    TermVector terms{};

    /// Whether cost and factor have the same sign. Cost weighs long times more, and factor weighs all times
    /// equally, so they may differ where a decision helps some hybrids and harms others.
    [[nodiscard]] bool is_sign_decided() const;
    /// Noise and two sampling errors, added as independent errors; infinite after one draw.
    [[nodiscard]] double uncertainty_ms() const;
};

/// Whether a decision with this share is named as the cause of a loss: it costs time, by more than its
/// uncertainty. Lists of failures and explanations of a pair go by it alike.
[[nodiscard]] constexpr bool is_cause(double milliseconds, bool is_significant) {
    return milliseconds > 0 && is_significant;
}

struct HybridCounts {
    std::size_t all = 0;            ///< number of hybrids: 2^decisions
    std::size_t asked = 0;          ///< number of hybrids that were timed
    std::size_t configurations = 0; ///< number of distinct configurations among them
    std::size_t programs = 0;       ///< number of distinct programs among these (Clock::program())
    std::size_t repaired = 0;       ///< number of listed hybrids that had to be repaired (Hybrid)
    std::size_t without_time = 0;   ///< number of timed hybrids that can't be built or run
    std::size_t at_least = 0;       ///< number of timed hybrids that reached a time limit
    std::size_t repeated = 0;       ///< measurements of programs that already had a time
};

struct Blame {
    std::shared_ptr<const HybridSpace> space;
    ClockTime from;                      ///< time of the configuration that is compared with
    ClockTime to;                        ///< time of the configuration whose decisions are blamed
    std::vector<DecisionShare> shares{}; ///< the largest cost first; they add up to difference_ms()
    bool is_exact = true;                ///< false: estimated from randomly drawn orders
    std::size_t draws = 0;
    /// Both configurations are one program, so their times are equal, whatever was measured.
    bool is_same_program = false;
    double walked_orders = 1; ///< share of the orders that avoid hybrids without a time
    HybridCounts counts{};
    CoalitionList sets{};                          ///< the hybrids, as sets of decisions taken over
    std::vector<std::optional<ClockTime>> times{}; ///< known times, by place in `sets`

    [[nodiscard]] double difference_ms() const { return *to.milliseconds - *from.milliseconds; }
    /// Whether the two times differ by more than their errors (paired_measurement.h). Always false for one
    /// program.
    [[nodiscard]] bool is_significant() const;
    /// The known time of a hybrid; null: it was not timed.
    [[nodiscard]] const ClockTime* time_of(DecisionSet taken) const;
    /// The share of a decision; there is one for each of space->decisions().
    [[nodiscard]] const DecisionShare& share_of(std::size_t bit) const;
};

/// Divides the difference of the two times among the decisions. Orders that pass through a hybrid without a
/// time are left out (ShapleyShares). Errors: one of the two configurations has no time (Fault::Limit, with
/// the reason); those of the clock; Fault::Cancelled.
[[nodiscard]] Result<Blame> find_blame(std::shared_ptr<const HybridSpace> space, Clock& clock,
                                       const BlameOptions& options = {});

/// One step of a waterfall chart, for one decision.
struct WaterfallStep {
    std::size_t share = 0; ///< place in Blame::shares
    double begin_ms = 0;
    double end_ms = 0;
};
/// The steps from the time of `from` to the time of `to`; each step begins where the one before ended.
[[nodiscard]] std::vector<WaterfallStep> waterfall(const Blame& blame);

} // namespace sparsight
