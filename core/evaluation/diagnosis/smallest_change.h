// The smallest change that would make the losing configuration win, or at least not lose.
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

/// A change that comes near the other side's time and does not win.
struct NearestChange {
    Configuration configuration;
    std::vector<DecisionChange> decisions; ///< from the slow one to it
    double ratio = 1;                      ///< of its time over that of the other side
    double error = 0;                      ///< factor - 1 by which it may be off
};

/// A change after which nothing is lost: the configuration is no slower than the other side, within the
/// error.
struct LossRemoval {
    Configuration configuration;
    std::vector<DecisionChange> decisions; ///< from the slow one to it
    bool is_same_program = false;          ///< it becomes the program of the other side
    double ratio = 1;                      ///< of its time over that of the other side
    double error = 0;                      ///< factor - 1 by which it may be off
};

/// A configuration that is the slow one but for a few decisions.
struct ConfigurationChange {
    Configuration configuration;
    std::vector<DecisionChange> decisions; ///< from the slow one to it
    ClockTime time;
    ClockTime against; ///< the other side's, after the turns in which both were measured
    /// Faster than the other side, and so than the slow one, beyond noise: where times vary in turns with the
    /// other side, `lead` by how much; where they do not by more than both spreads.
    bool wins = false;
    /// No smaller change wins than taking back every differing decision: the configuration is the other side
    /// itself.
    bool is_other_side = false;
    std::optional<MeasuredLead> lead{}; ///< over the other side
    /// Changes that were measured in turns with the other side, or simulated to win, up to this one.
    std::size_t verified = 0;
    std::optional<NearestChange> nearest{}; ///< of those that do not win, where it is the other side
    bool is_cut_short = false;              ///< time was over before all were tried
    /// Another change, with no more decisions than this one, that removes the loss without a win.
    std::optional<LossRemoval> removal{};
};

struct ConfigurationChangeOptions {
    /// Steps of ConfigurationSpace::neighbours() that may be tried beside those that are taken back, for each
    /// number of decisions.
    std::size_t steps = 64;
    /// Puts the most promising of them first, where trying all would take too long.
    Clock* screen = nullptr;
    /// What else is tried where times vary and nothing near either side wins; absent: nothing.
    std::function<std::vector<Configuration>()> designs{};
    /// After this time no further step is tried; the known times must do.
    std::optional<Milliseconds> deadline{};
    MillisecondClock clock = steady_clock();
    ProgressSink progress{};
    std::stop_token stop{};
};

/// The fewest decisions to change so that `to` is faster than `from`. For one decision, then two, and so on:
/// the fastest hybrids that take so many back (of those that the blame asked for); where none wins, one step
/// of neighbours() from the best that was found with one decision less, until the deadline. Where times vary,
/// what seems to win is measured in turns with `from`, and wins only if it does so there beyond noise, and in
/// new turns once more; otherwise the search goes on. What does not win is no remedy: where nothing does with
/// as many decisions as differ it is the other side. Absent where `to` is no slower than `from` to begin
/// with.
[[nodiscard]] Result<std::optional<ConfigurationChange>>
smallest_configuration_change(const Blame& blame, Clock& clock, const ConfigurationSpace& space,
                              const ConfigurationChangeOptions& options = {});

/// The smallest change that removes a loss without a win: a configuration that is as fast as the other side.
/// It has the fewest decisions; among several, the one that becomes the other side's program comes first,
/// else the fastest, by all known times: nothing is measured. It is faster than the slow one beyond the
/// errors, and where several decisions differ it keeps some of them; a single one may be taken back. Absent
/// where none is, or where both sides are equally fast to begin with. Errors: those of
/// Clock::time().
[[nodiscard]] Result<std::optional<LossRemoval>>
smallest_loss_removal(const Blame& blame, Clock& clock, std::span<const ConfigurationChange> tried);

} // namespace sparsight
