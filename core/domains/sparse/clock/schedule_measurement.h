// How much this computer changes while schedules are measured. The runs of one schedule follow each other
// within milliseconds and agree with each other even when the computer is slower for a second (its clock,
// another guest on the same host), so their spread alone promises more than it holds. Fixed CSR, timed again
// and again in between, shows what they can't.
#pragma once

#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/measurement/team.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/kernel/storage/storage_format.h"
#include "study/measurement.h"
#include "study/timing.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

/// Twice spread_of, as a share of the median: how far equal measurements lie off, but for one in twenty. 0
/// for fewer than two.
[[nodiscard]] double relative_drift(std::span<const Milliseconds> times);

class DriftMonitor {
public:
    /// Packs and compiles fixed CSR and times it a few times. The workload and the team are used by every
    /// look; C holds fixed CSR's result after it.
    [[nodiscard]] static Result<DriftMonitor> make(KernelInputs& workload, KernelCompiler& compiler,
                                                   Team& team, MillisecondClock clock);

    /// Times fixed CSR again if the last look is long enough ago that looking costs a twentieth of the time.
    [[nodiscard]] Result<void> look();

    /// relative_drift of the last looks.
    [[nodiscard]] double relative() const { return relative_drift(looks_); }

private:
    DriftMonitor(PackedMatrix packed, CompiledKernel kernel, KernelInputs& workload, Team& team,
                 MillisecondClock clock);
    [[nodiscard]] Result<void> time_fixed_csr();

    PackedMatrix packed_;
    CompiledKernel kernel_;
    KernelInputs* workload_;
    Team* team_;
    MillisecondClock clock_;
    std::vector<Milliseconds> looks_; ///< the oldest first
    Milliseconds next_look_{};
};

// The whole way of one schedule: pack, lower, compile, run, check, time.

struct MeasurementOptions {
    Protocol protocol = Protocol::Adaptive;
    PackingLimits limits;
    std::stop_token stop; ///< looked at between steps and runs
    MillisecondClock clock = steady_clock();
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
    ScheduleMeasurer(KernelInputs& workload, KernelCompiler& compiler, Team& team, MeasurementOptions options)
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

    KernelInputs& workload_;
    KernelCompiler& compiler_;
    Team& team_;
    MeasurementOptions options_;
    std::optional<Milliseconds> best_;
    std::optional<DriftMonitor> drift_; ///< of the adaptive protocol: WACO's is exactly WACO's
};

} // namespace sparsight
