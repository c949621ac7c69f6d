// Which decision of a configuration cost how much against another one: the difference of their times, shared
// out fairly among the decisions in which they differ.
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

/// Where more decisions differ, not even the names of all 2^n hybrids are listed.
inline constexpr std::size_t most_listed_decisions = 12;

struct BlameOptions {
    /// Up to so many decisions every hybrid is asked for, beyond it those of drawn orders alone: n decisions
    /// cost at most 2 · draws · (n − 1) + 2 times. At most most_listed_decisions.
    std::size_t exact_up_to = 8;
    std::size_t draws = 32; ///< of two orders each
    std::uint64_t seed = 1; ///< of the drawn orders
    /// Of all that is asked of the clock; when it is over the draws made by then must do, one at least.
    /// Where times vary (Clock::varies), what is left after each time was asked for once goes to
    /// the times on which the error bars rest, in turns, until all are settled
    /// (evaluation/diagnosis/hybrid_times.h) or it is over.
    std::optional<Seconds> budget{};
    MillisecondClock clock = steady_clock(); ///< of the budget
    ProgressSink progress{};
    std::stop_token stop{};
};

/// What one decision cost: its share in the difference.
struct DecisionShare {
    Decision decision;
    std::size_t bit = 0;     ///< of the decision in a DecisionSet
    double milliseconds = 0; ///< above 0: it made the configuration slower
    double factor = 1; ///< the same of the logarithm of time: the factors multiply to the ratio of both ends
    double sampling_error_ms =
        0; ///< one standard error; 0 where every order counted, infinite after one draw
    /// How much less it may be because the times behind it are off by their spreads (ErrorBar::error).
    double noise_ms = 0;
    bool is_significant = false; ///< more than its uncertainty, and the sign is decided
    /// Wherever it was taken the program stayed the same: it costs exactly nothing.
    bool is_same_program = false;
    bool is_bounded = false; ///< times that were cut off are behind it
    /// By term of the simulated time, adding up to `milliseconds`, where it was simulated.
    TermVector terms{};

    /// Whether cost and factor point the same way: the one weighs what it does to long times more, the other
    /// all alike, and what helps some hybrids and harms others may come out either way.
    [[nodiscard]] bool is_sign_decided() const;
    /// Noise and two sampling errors, as independent errors; infinite after one draw.
    [[nodiscard]] double uncertainty_ms() const;
};

struct HybridCounts {
    std::size_t all = 0;            ///< hybrids there are: 2^decisions
    std::size_t asked = 0;          ///< hybrids whose time was asked for
    std::size_t configurations = 0; ///< different ones among them
    std::size_t programs = 0;       ///< different programs among these (Clock::program())
    std::size_t repaired = 0;       ///< of those listed, the ones that needed it (Hybrid)
    std::size_t without_time = 0;   ///< of those asked for: they can't be built or run
    std::size_t at_least = 0;       ///< of those asked for: stopped after a time limit
    std::size_t repeated = 0;       ///< measurements of programs that had a time already
};

struct Blame {
    std::shared_ptr<const HybridSpace> space;
    ClockTime from;                      ///< of the configuration that is held against the other one
    ClockTime to;                        ///< of the configuration whose decisions are blamed
    std::vector<DecisionShare> shares{}; ///< the largest cost first; they add up to difference_ms()
    bool is_exact = true;                ///< otherwise drawn orders stand for all
    std::size_t draws = 0;
    /// Both ends are one program: their times are one, whatever was measured of either.
    bool is_same_program = false;
    double walked_orders = 1; ///< share of the orders that did not pass through a hybrid without a time
    HybridCounts counts{};
    CoalitionList sets{};                          ///< of decisions taken: the hybrids
    std::vector<std::optional<ClockTime>> times{}; ///< what is known, by place in `sets`

    [[nodiscard]] double difference_ms() const { return *to.milliseconds - *from.milliseconds; }
    /// Of both ends: whether they are more than their errors apart (paired_measurement.h). Never of one
    /// program.
    [[nodiscard]] bool is_significant() const;
    /// What is known of a hybrid; null: it was not asked for.
    [[nodiscard]] const ClockTime* time_of(DecisionSet taken) const;
    /// The share of a decision; there is one for each of space->decisions().
    [[nodiscard]] const DecisionShare& share_of(std::size_t bit) const;
};

/// Hybrids without a time are no part of it: orders of taking decisions over that pass through one are left
/// out (ShapleyShares). Errors: one of both ends has no time (Fault::Limit, with the reason), those of the
/// clock, Fault::Cancelled.
[[nodiscard]] Result<Blame> find_blame(std::shared_ptr<const HybridSpace> space, Clock& clock,
                                       const BlameOptions& options = {});

/// From one end to the other, one decision after the other.
struct WaterfallStep {
    std::size_t share = 0; ///< place in Blame::shares
    double begin_ms = 0;
    double end_ms = 0;
};
/// Begins with the time of `from` and ends with the time of `to`, each step where the one before ended.
[[nodiscard]] std::vector<WaterfallStep> waterfall(const Blame& blame);

} // namespace sparsight
