// How long a configuration takes: measured on this computer, simulated on any machine, or looked up in a
// table. Configurations that become one program there have one time.
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
/// All parts, which add up to the time. A clock names the same ones in the same order for every time.
using TermVector = std::vector<TimeShare>;

/// The time of one configuration, as a clock tells it.
struct ClockTime {
    std::optional<double> milliseconds; ///< absent: it can't be built or run, or is in no table; see `reason`
    /// The error of the time, exceeded one time in twenty: about two standard errors
    /// (evaluation/diagnosis/paired_measurement.h).
    double spread_ms = 0;
    int turns = 1;            ///< measurements whose median it is; 0: it was stored before
    bool is_at_least = false; ///< it was stopped after that long
    std::string reason{};
    TermVector terms{}; ///< where it was simulated; otherwise empty
};

/// Of one workload, setting and machine, with the threads that it runs on. Used by one thread at a time.
class Clock {
public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;

    /// "simulated", "measured".
    [[nodiscard]] virtual std::string_view name() const = 0;

    /// Equal for configurations that are one program there and so have one time.
    [[nodiscard]] virtual std::string program(const Configuration& configuration) const = 0;

    /// The time of a valid configuration; a repeated call, or one for the same program, gives the same answer
    /// at once. A configuration that can't be built, or that is in no table, has an absent time, which is not
    /// an error. Errors: Fault::Cancelled; of the workspace; this computer is short of memory.
    [[nodiscard]] virtual Result<ClockTime> time(const Configuration& configuration) = 0;
    /// Announces that time() will be called for these, so that shared work is done at once.
    [[nodiscard]] virtual Result<void> prepare(std::span<const Configuration> configurations,
                                               const std::stop_token& stop) {
        static_cast<void>(configurations);
        static_cast<void>(stop);
        return {};
    }
    /// From now on a run that takes longer is hopeless: it may be stopped, and its time is then at least the
    /// time it ran.
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
