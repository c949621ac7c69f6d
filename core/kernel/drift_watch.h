// How much this computer changes while schedules are measured. The runs of one schedule follow each other
// within milliseconds and agree with each other even when the computer is slower for a second (its clock,
// another guest on the same host), so their spread alone promises more than it holds. Fixed CSR, timed again
// and again in between, shows what they can't.
#pragma once

#include "kernel/jit.h"
#include "kernel/packed_matrix.h"
#include "kernel/team.h"
#include "kernel/timing.h"
#include "kernel/workload.h"

#include <span>
#include <vector>

namespace sparsight {

/// Twice spread_of, as a share of the median: how far equal measurements lie off, but for one in twenty. 0
/// for fewer than two.
[[nodiscard]] double relative_drift(std::span<const Milliseconds> times);

class DriftWatch {
public:
    /// Packs and compiles fixed CSR and times it a few times. The workload and the team are used by every
    /// look; C holds fixed CSR's result after it.
    [[nodiscard]] static Result<DriftWatch> make(Workload& workload, KernelCompiler& compiler, Team& team,
                                                 Clock clock);

    /// Times fixed CSR again if the last look is long enough ago that looking costs a twentieth of the time.
    [[nodiscard]] Result<void> look();

    /// relative_drift of the last looks.
    [[nodiscard]] double relative() const { return relative_drift(looks_); }

private:
    DriftWatch(PackedMatrix packed, CompiledKernel kernel, Workload& workload, Team& team, Clock clock);
    [[nodiscard]] Result<void> time_fixed_csr();

    PackedMatrix packed_;
    CompiledKernel kernel_;
    Workload* workload_;
    Team* team_;
    Clock clock_;
    std::vector<Milliseconds> looks_; ///< the oldest first
    Milliseconds next_look_{};
};

} // namespace sparsight
