// The smallest change of a machine that makes the losing schedule win, by simulation.
#pragma once

#include "domains/sparse/simulator/schedule_profile.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <vector>

namespace sparsight {

/// One parameter of the machine, moved just far enough that the other schedule wins.
struct MachineChange {
    MachineParameter parameter{};
    double before = 0;
    double after = 0;
    double from_ms = 0; ///< on the changed machine
    double to_ms =
        0; ///< below from_ms, by more than a simulation can't tell apart (evaluation/time_differences.h)

    /// How large the change is: the larger over the smaller value.
    [[nodiscard]] double factor() const;
};

/// For each parameter that makes `to` faster than `from` somewhere in its usual range, the nearest such
/// value; the smallest change first. By simulation, on a machine where `from` is the faster one, of kernels
/// that run on `threads` of its threads: 0 means all.
[[nodiscard]] std::vector<MachineChange> machine_changes(const MachineDescription& machine,
                                                         const ScheduleProfile& from,
                                                         const ScheduleProfile& to, int threads = 0);

/// The parameters for simulating kernels that run on this many of the machine's threads; 0: on all. A
/// machine that has fewer uses what it has.
[[nodiscard]] MachineParameters parameters_with_threads(const MachineDescription& machine, int threads);

} // namespace sparsight
