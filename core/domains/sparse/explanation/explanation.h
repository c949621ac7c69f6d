// Why one schedule takes longer than another on a matrix: which decision, by what mechanism, and what would
// change it. `sparsight-cli explain` and reports show it. Where a measurement and the simulator disagree,
// that is said, too.
#pragma once

#include "domains/sparse/explanation/machine_change.h"
#include "domains/sparse/explanation/pattern/pattern_change.h"
#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "domains/sparse/simulator/schedule_profile.h"
#include "evaluation/diagnosis/blame.h"
#include "evaluation/diagnosis/hardware_counters.h"
#include "evaluation/diagnosis/smallest_change.h"
#include "evaluation/time_differences.h"
#include "machine/machine_description.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

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

/// The disagreement of an explanation whose times were measured.
[[nodiscard]] std::optional<Disagreement> disagreement_of(const Explanation& explanation);

} // namespace sparsight
