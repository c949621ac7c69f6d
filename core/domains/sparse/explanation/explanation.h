// Why one schedule takes longer than another on a matrix: which decision, by what mechanism, and what would
// change it. `sparsight-cli explain` and reports show it. Where a measurement and the simulator disagree,
// that is said, too.
#pragma once

#include "domains/sparse/explanation/pattern/pattern_change.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "domains/sparse/simulator/simulator.h"
#include "evaluation/diagnosis/blame.h"
#include "evaluation/diagnosis/hardware_counters.h"
#include "evaluation/diagnosis/smallest_change.h"
#include "evaluation/time_differences.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

/// What the simulator knows of a schedule on the matrix and the machine, beside its time.
struct Mechanism {
    SuperSchedule schedule; ///< canonical; both sides with the threads of the first one
    SimulatedTime parts;
    double storage_bytes = 0; ///< of A
    double positions = 0;     ///< values that are stored, explicit zeros included
    double fill_in = 0;       ///< share of the innermost iterations that work on explicit zeros, 0 to 1
    double regions = 0;       ///< times that the parallel loop is entered
    double chunks = 0;        ///< handed out in one of them
    /// Counts of one run, where it was measured on a computer with hardware counters.
    std::optional<HardwareCounts> counted{};
};

struct ExplanationRequest {
    SuperSchedule from; ///< the schedule to compare with
    SuperSchedule to;   ///< the schedule to explain
    std::int64_t dense = 256;
    MachineDescription machine; ///< the machine to simulate
    BlameOptions blame{};       ///< its budget covers all times from the clock
    int threads = 1;            ///< for counting the pattern
    /// Threads of the simulated kernels, equal to the clock's; 0: all that the machine has.
    int kernel_threads = 0;
    std::size_t tried_steps = 64; ///< ConfigurationChangeOptions::steps
};

struct Explanation {
    Blame blame;
    Mechanism from;
    Mechanism to;
    /// Absent where `to` is no slower than `from`.
    std::optional<ConfigurationChange> schedule_change;
    bool is_measured = false; ///< the clock's times; otherwise they are simulated
    /// Whether the simulator, too, predicts that `to` is slower; only then are there changes of the
    /// machine and of the pattern.
    bool simulation_agrees = true;
    std::vector<MachineChange> machine_changes;
    PatternSearch pattern_changes{}; ///< likewise
    std::string no_counters{};       ///< why `counted` is absent on both sides
};

/// The clock's times are explained, be they measured or simulated; the mechanism is always simulated.
[[nodiscard]] Result<Explanation> explain(const ProfiledPattern& pattern, Clock& clock,
                                          const ExplanationRequest& request);

/// How the simulator contradicts an explanation whose times were measured, beyond their noise.
[[nodiscard]] std::optional<Disagreement> disagreement_of(const Explanation& explanation);

} // namespace sparsight
