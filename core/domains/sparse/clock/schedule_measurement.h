// Measuring one schedule from start to end (pack, lower, compile, run, check, time), and watching how much
// this computer drifts meanwhile.
#pragma once

#include "collection/measuring_domain.h"
#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/measurement/team.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/kernel/storage/storage_format.h"
#include "domains/sparse/schedule/operator.h"
#include "study/measurement.h"

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

/// Twice spread_of(), as a share of the median: 19 of 20 equal measurements lie within it. 0 for fewer than
/// two.
[[nodiscard]] double relative_drift(std::span<const Milliseconds> times);

/// How much this computer changes while schedules are measured. The runs of one schedule follow each other
/// within milliseconds and agree with each other even when the computer is slower for a second (its clock,
/// another guest on the same host), so their spread alone is too small. Fixed CSR, timed again and again in
/// between, shows the changes that they miss.
class DriftMonitor {
public:
    /// Packs and compiles fixed CSR and times it a few times. Every look uses the workload and the team;
    /// afterwards C holds the result of fixed CSR.
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

struct MeasurementOptions {
    Protocol protocol = Protocol::Adaptive;
    PackingLimits limits;
    std::stop_token stop; ///< tested between steps and runs
    MillisecondClock clock = steady_clock();
    /// A schedule is abandoned when its first run takes longer than this and longer than twice the best.
    Milliseconds longest_run{10'000};
    /// No schedule is abandoned before it ran this long, however far behind the best it is.
    Milliseconds patience{0};
};

/// Measures schedules on one workload, on the threads of the team: the schedule's own thread count was
/// chosen for its own machine and is ignored. Keeps the fastest time so far, to abandon much slower
/// schedules early.
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

    KernelInputs& workload_;
    KernelCompiler& compiler_;
    Team& team_;
    MeasurementOptions options_;
    std::optional<Milliseconds> best_;
    std::optional<DriftMonitor> drift_; ///< of the adaptive protocol: WACO's is exactly WACO's
};

/// Its samplers are those of schedule/sampler.h.
[[nodiscard]] std::unique_ptr<const MeasuringDomain> make_sparse_measuring();

} // namespace sparsight
