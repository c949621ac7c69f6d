// Times of schedules measured on this computer, in the way a collection measures, so that stored times serve
// both. A time that contradicts a stored one of the same schedule is reported as drift.
#pragma once

#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/clock/schedule_measurement.h"
#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/kernel/lowering/program_signature.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/measurement/team.h"
#include "domains/sparse/storage/schedules.h"
#include "evaluation/diagnosis/hardware_counters.h"
#include "evaluation/known_times.h"
#include "study/clock.h"

#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

namespace sparsight {

class Workspace;

/// The times of a matrix on a machine. The filter names both, an operator and a dense extent.
[[nodiscard]] Result<KnownTimes> known_times(Workspace& workspace, const Domain& sparse,
                                             const ResultFilter& filter);

/// Where times are looked up and stored.
struct MeasurementStore {
    Workspace* workspace = nullptr;
    MeasurementSetting setting; ///< of the adaptive protocol
    std::string matrix;         ///< its name
    KnownTimes known;           ///< times stored before, with the present number of threads
};

/// Measures by the adaptive protocol: fewer runs for schedules far behind the fastest, and no schedule is
/// abandoned that a collection would have finished. Take the MeasurementLock
/// (collection/measuring_domain.h) before.
class MeasuredClock final : public Clock {
public:
    /// Keeps references to all arguments but the store. Without a store, times live as long as this.
    /// Stopping ends between two measurements and between runs.
    MeasuredClock(KernelInputs& workload, KernelCompiler& compiler, Team& team,
                  std::optional<MeasurementStore> store, const std::stop_token& stop = {},
                  MillisecondClock clock = steady_clock());

    [[nodiscard]] std::string_view name() const override { return "measured"; }
    [[nodiscard]] std::string program(const Configuration& configuration) const override;
    /// Runs on the team's threads. Stored before it is returned: a process that
    /// is killed loses one measurement. A measurement that was abandoned before counts as taking at least as
    /// long. Among several stored schedules that are this program, the fastest represents all: slower ones
    /// were disturbed.
    [[nodiscard]] Result<ClockTime> time(const Configuration& configuration) override;
    void set_limit(double milliseconds) override;
    [[nodiscard]] bool varies() const override { return true; }
    /// Adds a turn to those of this clock. A time stored before, maybe hours ago, counts until there are
    /// two turns. A program first measured by this clock is stored anew, as the median of its turns; a
    /// time stored before stays, as a collection's times are compared with each other.
    [[nodiscard]] Result<std::optional<Milliseconds>>
    measure_again(const Configuration& configuration) override;

    [[nodiscard]] std::size_t measured() const { return measured_; } ///< anew
    [[nodiscard]] std::size_t reused() const { return reused_; }     ///< different ones that were stored
    [[nodiscard]] std::size_t repeated() const { return repeated_; } ///< measurements beside the first

private:
    struct KnownProgram {
        SuperSchedule schedule; ///< that was measured
        ClockTime time;
        std::vector<Milliseconds> turns; ///< of this clock
        std::string measured;            ///< date of the first of them
        bool was_stored = false;         ///< before it
    };

    [[nodiscard]] Result<KnownProgram> look_up_or_measure(const SuperSchedule& schedule,
                                                          const std::string& asked);
    [[nodiscard]] Result<ClockTime> time_of_row(const ResultRecord& row);
    [[nodiscard]] Result<Measurement> measure_and_store(const SuperSchedule& schedule,
                                                        const std::string& date);
    [[nodiscard]] Result<void> store_turns(const KnownProgram& known, Measurement last);

    Team& team_;
    Operator op_;
    std::int64_t dense_;
    std::optional<MeasurementStore> store_;
    ScheduleMeasurer measurer_;
    ProgramIdentity programs_;
    std::unordered_map<std::string, const ResultRecord*> stored_; ///< by program, those of the store
    std::unordered_map<std::string, KnownProgram> known_;         ///< by program
    std::size_t measured_ = 0;
    std::size_t reused_ = 0;
    std::size_t repeated_ = 0;
};

/// A new time that contradicts a stored one of the same schedule.
struct MachineTimeDrift {
    double stored_ms = 0;
    double measured_ms = 0;
    [[nodiscard]] bool is_slower() const { return measured_ms > stored_ms; }
    bool operator==(const MachineTimeDrift&) const = default;
};

/// The drift where the times differ by more than a quarter and by more than twice both errors: the computer
/// was busy then or is now, and times of both moments can't be compared. Absent where they agree, where
/// either was cut off, or where `now` was stored itself.
[[nodiscard]] std::optional<MachineTimeDrift> machine_time_drift(const ResultRecord* stored,
                                                                 const ClockTime& now);

/// "the computer was slower than when the schedule was measured before: 0.168 against 0.09 ms"; `what` is
/// that schedule.
[[nodiscard]] std::string to_text(const MachineTimeDrift& moved, std::string_view what);

/// Of one run, as the mean of `repeats` after a first one that is not counted; the team must have been made
/// after the counters were opened. Stops between runs. Errors: it can't be packed or compiled;
/// Fault::Cancelled.
[[nodiscard]] Result<HardwareCounts> count_runs(const HardwareCounters& counters,
                                                const SuperSchedule& schedule, KernelInputs& workload,
                                                KernelCompiler& compiler, Team& team, int repeats,
                                                const std::stop_token& stop = {});

/// What the processor counts in a run of each side of a measured explanation, or why it was not counted: a
/// side that was cut off may run for ever and is left out. The explanation stands without. Errors:
/// Fault::Cancelled.
[[nodiscard]] Result<void> count_both_sides(const Result<HardwareCounters>& counters,
                                            Explanation& explanation, KernelInputs& workload,
                                            KernelCompiler& compiler, Team& team,
                                            const std::stop_token& stop = {});

} // namespace sparsight
