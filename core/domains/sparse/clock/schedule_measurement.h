// Measuring one schedule from start to end: pack, lower, compile, run, check, time, check again.
#pragma once

#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/clock/drift_monitor.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/measurement/team.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/kernel/storage/storage_format.h"
#include "domains/sparse/schedule/operator.h"
#include "machine/probe/system_files.h"
#include "study/measurement.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// `best` is the fastest time known for the same matrix; it makes slow schedules cheap to dismiss. A first
/// run above `longest_run` (and twice the best) is given up, too. Both matter to the adaptive protocol only.
[[nodiscard]] TimingRules timing_rules(Protocol protocol, Operator op, bool is_baseline,
                                       std::optional<Milliseconds> best,
                                       Milliseconds longest_run = Milliseconds(10'000));

struct MeasurementOptions {
    Protocol protocol = Protocol::Adaptive;
    PackingLimits limits;
    std::stop_token stop; ///< tested between steps and runs
    MillisecondClock clock = steady_clock();
    /// How long the threads of this process have waited for a processor that another one had.
    std::function<std::optional<Seconds>()> waited = [] { return waiting_time(SystemFiles("/")); };
    /// Kept from one measurer to the next, so that it looks back further than the new one. Where it
    /// knows no share, the disturbance is the share of the time that was waited alone.
    std::shared_ptr<StolenShare> stolen = std::make_shared<StolenShare>();
    /// A schedule is abandoned when its first run takes longer than this and longer than twice the best.
    Milliseconds longest_run{10'000};
    /// No schedule is abandoned before it ran this long, however far behind the best it is.
    Milliseconds patience{0};
};

/// Measures schedules on one workload, on the threads of the team: the schedule's own thread count was
/// chosen for its own machine and is ignored. Keeps the fastest time so far, to abandon much slower
/// schedules early. In the adaptive protocol runs that other programs disturbed are made again, and the time
/// of fixed CSR at that moment goes with each.
class ScheduleMeasurer {
public:
    ScheduleMeasurer(KernelInputs& workload, KernelCompiler& compiler, Team& team, MeasurementOptions options)
        : workload_(workload)
        , compiler_(compiler)
        , team_(team)
        , options_(std::move(options)) {}

    /// The schedule must be valid and of the workload's operator. An error says nothing about the schedule:
    /// Cancelled when it was stopped before there was a result, Environment when this computer is short of
    /// memory or threads.
    [[nodiscard]] Result<Measurement> measure(const SuperSchedule& schedule);

    /// Records a time measured earlier (on resuming).
    void know(Milliseconds time);
    /// From now on (MeasurementOptions).
    void set_patience(Milliseconds patience) { options_.patience = patience; }

private:
    [[nodiscard]] Result<Measurement> measure_packed(const SuperSchedule& schedule,
                                                     const PackedMatrix& packed, Measurement result);
    [[nodiscard]] Result<void> look_for_drift();
    [[nodiscard]] Result<std::optional<Timing>>
    time_undisturbed(const TimingRules& rules, const CompiledKernel& kernel, std::int64_t chunk,
                     const PackedMatrix& packed, std::optional<double>& disturbance);

    KernelInputs& workload_;
    KernelCompiler& compiler_;
    Team& team_;
    MeasurementOptions options_;
    std::optional<Milliseconds> best_;
    std::optional<DriftMonitor> drift_; ///< of the adaptive protocol: WACO's is exactly WACO's
};

} // namespace sparsight
