// How much this computer changes while schedules are measured. The runs of one schedule follow each other
// within milliseconds and agree with each other even when the computer is slower for a second (its clock,
// another guest on the same host), so their scatter alone is too small. Fixed CSR, timed again and again in
// between, shows the changes that they miss.
#pragma once

#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/measurement/team.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "study/measurement.h"

#include <span>
#include <vector>

namespace sparsight {

/// spread_of() as a share of the median: one standard deviation. 0 for fewer than two times.
[[nodiscard]] double relative_drift(std::span<const Milliseconds> times);

class DriftMonitor {
public:
    /// Packs and compiles fixed CSR and times it a few times. Every look uses the workload and the team;
    /// afterwards C holds the result of fixed CSR.
    [[nodiscard]] static Result<DriftMonitor> make(KernelInputs& workload, KernelCompiler& compiler,
                                                   Team& team, MillisecondClock clock);

    /// Looks if the last look is half a second ago, and so long that looking costs a twentieth of the time.
    [[nodiscard]] Result<void> look();
    /// Times fixed CSR now.
    [[nodiscard]] Result<void> look_now();

    /// The time of fixed CSR at the last look.
    [[nodiscard]] Milliseconds reference() const { return last_; }
    /// How many times as long as usual fixed CSR took at the last look.
    [[nodiscard]] double slowdown() const;
    /// relative_drift() of the looks since the first: of many evenly spread ones, so that they always reach
    /// back to the first.
    [[nodiscard]] double relative() const { return relative_drift(looks_); }

private:
    DriftMonitor(PackedMatrix packed, CompiledKernel kernel, KernelInputs& workload, Team& team,
                 MillisecondClock clock);
    void keep(Milliseconds time);

    PackedMatrix packed_;
    CompiledKernel kernel_;
    KernelInputs* workload_;
    Team* team_;
    MillisecondClock clock_;
    std::vector<Milliseconds> looks_; ///< the oldest first
    Milliseconds last_{};             ///< of the last look
    std::size_t looked_ = 0;          ///< number of looks
    std::size_t looks_a_kept_one_ = 1;
    Milliseconds next_look_{};
};

} // namespace sparsight
