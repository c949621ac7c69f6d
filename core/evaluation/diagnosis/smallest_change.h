// The smallest change that would make a slow configuration win, or at least not lose.
#pragma once

#include "evaluation/diagnosis/blame.h"
#include "evaluation/diagnosis/paired_measurement.h"
#include "study/configuration_space.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// The change that comes nearest to the other side's time without winning.
struct NearestChange {
    Configuration configuration;
    std::vector<DecisionChange> decisions; ///< changes from the slow configuration to this one
    double ratio = 1;                      ///< its time divided by that of the other side
    double error = 0;                      ///< the ratio may be off by the factor 1 + error
};

/// A change that removes the loss: the configuration is as fast as the other side, within the error.
struct LossRemoval {
    Configuration configuration;
    std::vector<DecisionChange> decisions; ///< changes from the slow configuration to this one
    bool is_same_program = false;          ///< it compiles to the program of the other side
    double ratio = 1;                      ///< its time divided by that of the other side
    double error = 0;                      ///< the ratio may be off by the factor 1 + error
};

/// The slow configuration with a few decisions changed.
struct ConfigurationChange {
    Configuration configuration;
    std::vector<DecisionChange> decisions; ///< changes from the slow configuration to this one
    ClockTime time;
    ClockTime against; ///< time of the other side, after both were measured in turns
    /// Faster than the other side beyond noise. Where times vary, this was measured in turns, and `lead` has
    /// the result; otherwise the difference exceeds both spreads.
    bool wins = false;
    /// No smaller change wins than taking back every differing decision, which gives the other side itself.
    bool is_other_side = false;
    std::optional<MeasuredLead> lead{}; ///< compared with the other side
    /// Number of changes that were measured in turns with the other side, or simulated to win, up to this
    /// one.
    std::size_t verified = 0;
    /// The nearest change that does not win, where this one is the other side.
    std::optional<NearestChange> nearest{};
    bool is_cut_short = false; ///< the deadline passed before all changes were tried
    /// Another change, with no more decisions than this one, that removes the loss without a win.
    std::optional<LossRemoval> removal{};
};

struct ConfigurationChangeOptions {
    /// How many steps of ConfigurationSpace::neighbours() may be tried for each number of decisions, in
    /// addition to taking decisions back.
    std::size_t steps = 64;
    /// Orders the candidates by promise, where trying all would take too long.
    Clock* screen = nullptr;
    /// Further candidates, tried where times vary and nothing near either side wins; absent: none.
    std::function<std::vector<Configuration>()> designs{};
    /// No further step is tried after this time; the known times are used.
    std::optional<Milliseconds> deadline{};
    MillisecondClock clock = steady_clock();
    ProgressSink progress{};
    std::stop_token stop{};
};

/// The fewest decisions to change so that `to` is faster than `from`. The search tries one decision, then
/// two, and so on. First it takes decisions back, the fastest hybrids that the blame timed first; if none
/// wins, it tries single steps of neighbours() from the best configuration with one decision less, until the
/// deadline. Where times vary, an apparent win is measured in turns with `from`, and counts only if it wins
/// there beyond noise twice; otherwise the search goes on. If nothing wins with fewer decisions than differ,
/// the result is the other side. Absent where `to` is no slower than `from` to begin with.
[[nodiscard]] Result<std::optional<ConfigurationChange>>
smallest_configuration_change(const Blame& blame, Clock& clock, const ConfigurationSpace& space,
                              const ConfigurationChangeOptions& options = {});

/// The smallest change that makes the configuration as fast as the other side. Fewer decisions come first,
/// then a change that becomes the other side's program, then the fastest, all by known times: nothing is
/// measured. The result is faster than the slow configuration beyond the errors. Where several decisions
/// differ, it leaves at least one of them unchanged; where only one differs, that one may be taken back.
/// Absent where there is no such change, or where both sides are equally fast to begin with. Errors: those of
/// Clock::time().
[[nodiscard]] Result<std::optional<LossRemoval>>
smallest_loss_removal(const Blame& blame, Clock& clock, std::span<const ConfigurationChange> tried);

} // namespace sparsight
