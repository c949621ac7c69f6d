// The whole way of one schedule: pack, lower, compile, run, check, time.
#pragma once

#include "kernel/drift_watch.h"
#include "kernel/jit.h"
#include "kernel/measurement.h"
#include "kernel/packing.h"
#include "kernel/team.h"
#include "kernel/timing.h"
#include "kernel/workload.h"

#include <optional>
#include <stop_token>

namespace sparsight {

struct MeasurementOptions {
    Protocol protocol = Protocol::Adaptive;
    PackingLimits limits;
    std::stop_token stop; ///< looked at between steps and runs
    Clock clock = steady_clock();
    /// A schedule is given up when its first run takes longer than this and longer than twice the best.
    Milliseconds longest_run{10'000};
    /// None is given up before it ran so long, however far behind the best it is.
    Milliseconds patience{0};
};

/// Measures schedules on one workload, on the threads of the team: the schedule's own thread count is a
/// decision for the machine it was made for and is not looked at. Keeps the fastest time so far, to give up
/// early on what is far behind.
class ScheduleMeasurer {
public:
    ScheduleMeasurer(Workload& workload, KernelCompiler& compiler, Team& team, MeasurementOptions options)
        : workload_(workload)
        , compiler_(compiler)
        , team_(team)
        , options_(std::move(options)) {}

    /// The schedule must be valid and of the workload's operator. An error says nothing about the schedule:
    /// Cancelled when it was stopped before there was a result, Environment when this computer is short of
    /// memory or threads.
    [[nodiscard]] Result<Measurement> measure(const SuperSchedule& schedule);

    /// Tells of a time measured earlier (on resuming).
    void know(Milliseconds time);
    /// From now on (MeasurementOptions).
    void set_patience(Milliseconds patience) { options_.patience = patience; }

private:
    [[nodiscard]] Result<Measurement> measure_packed(const SuperSchedule& schedule,
                                                     const PackedMatrix& packed, Measurement result);
    [[nodiscard]] Result<void> look_for_drift();

    Workload& workload_;
    KernelCompiler& compiler_;
    Team& team_;
    MeasurementOptions options_;
    std::optional<Milliseconds> best_;
    std::optional<DriftWatch> drift_; ///< of the adaptive protocol: WACO's is exactly WACO's
};

} // namespace sparsight
