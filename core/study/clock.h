// How long a configuration takes: measured on this computer, simulated on any machine, or looked up in a
// table. Configurations that compile to the same program have the same time.
#pragma once

#include "base/error.h"
#include "base/quantity.h"
#include "study/configuration.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// A part of a simulated time.
struct TimeShare {
    std::string name; ///< in files: "memory_traffic"
    double milliseconds = 0;

    bool operator==(const TimeShare&) const = default;
};
/// All parts, which add up to the time. A clock lists the same parts in the same order for every time.
using TermVector = std::vector<TimeShare>;

/// The time of one configuration, as a clock returns it.
struct ClockTime {
    std::optional<double> milliseconds; ///< absent: it can't be built or run, or the table has no time for
                                        ///< it; `reason` says which
    /// The error of the time, exceeded one time in twenty: about two standard errors
    /// (evaluation/diagnosis/paired_measurement.h).
    double spread_ms = 0;
    int turns = 1;            ///< number of measurements behind the median; 0: the time was stored before
    bool is_at_least = false; ///< it was stopped after this time, so it takes at least as long
    std::string reason{};
    TermVector terms{}; ///< where it was simulated; otherwise empty
};

/// Returns times for one workload, setting and machine, with a fixed number of threads. Only one thread may
/// use it at a time.
class Clock {
public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;

    /// "simulated", "measured".
    [[nodiscard]] virtual std::string_view name() const = 0;

    /// Equal for configurations that compile to the same program, and so have the same time.
    [[nodiscard]] virtual std::string program(const Configuration& configuration) const = 0;

    /// The time of a valid configuration. A repeated call for the same program returns the stored answer at
    /// once. A configuration that can't be built, or that is in no table, has an absent time; this is not an
    /// error. Errors: Fault::Cancelled; those of the workspace; this computer is short of memory.
    [[nodiscard]] virtual Result<ClockTime> time(const Configuration& configuration) = 0;
    /// Announces that time() will be called for these configurations, so that shared work is done once.
    [[nodiscard]] virtual Result<void> prepare(std::span<const Configuration> configurations,
                                               const std::stop_token& stop) {
        static_cast<void>(configurations);
        static_cast<void>(stop);
        return {};
    }
    /// Sets a time limit: a run that takes longer may be stopped. The time is then a lower bound
    /// (ClockTime::is_at_least).
    virtual void set_limit(double milliseconds) { static_cast<void>(milliseconds); }

    /// Whether repeating a measurement gives new information; simulated and recorded times never change.
    [[nodiscard]] virtual bool varies() const { return false; }
    /// Measures a configuration once more; time() then covers all of its turns. Returns the time of this
    /// turn; absent where it has none, or was stopped. Errors: those of time().
    [[nodiscard]] virtual Result<std::optional<Milliseconds>>
    measure_again(const Configuration& configuration) {
        static_cast<void>(configuration);
        return std::nullopt;
    }
};

} // namespace sparsight
