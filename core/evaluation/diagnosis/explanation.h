// Why one schedule takes longer than another on a matrix: which decision, by what mechanism, and what would
// change it. `sparsight-cli explain` and reports show it. Where a measurement and the simulator disagree,
// that is said, too.
#pragma once

#include "domains/sparse/simulator/schedule_profile.h"
#include "evaluation/diagnosis/blame.h"
#include "evaluation/diagnosis/counterfactuals/pattern_change.h"
#include "evaluation/diagnosis/counterfactuals/smallest_change.h"
#include "evaluation/diagnosis/hardware_counters.h"
#include "machine/machine_description.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// What the simulator knows of a schedule on the matrix and the machine, beside its time.
struct Mechanism {
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
    BlameOptions blame{};       ///< its budget covers all times from the evaluator
    int threads = 1;            ///< for counting the pattern
    /// Threads of the simulated kernels, equal to the evaluator's; 0: all that the machine has.
    int kernel_threads = 0;
    std::size_t tried_steps = 64; ///< ScheduleChangeOptions::steps
};

struct Explanation {
    Blame blame;
    Mechanism from;
    Mechanism to;
    /// Absent where `to` is no slower than `from`.
    std::optional<ScheduleChange> schedule_change;
    bool is_measured = false; ///< the evaluator's times; otherwise they are simulated
    /// Whether the simulator, too, predicts that `to` is slower; only then are there changes of the
    /// machine and of the pattern.
    bool simulation_agrees = true;
    std::vector<MachineChange> machine_changes;
    PatternSearch pattern_changes{}; ///< likewise
    std::string no_counters{};       ///< why `counted` is absent on both sides
};

/// The evaluator's times are explained, be they measured or simulated; the mechanism is always simulated.
[[nodiscard]] Result<Explanation> explain(const ProfiledPattern& pattern, HybridEvaluator& evaluator,
                                          const ExplanationRequest& request);

/// A disagreement between a measurement and the simulator: times of the explained schedule over those of the
/// other one.
struct Disagreement {
    double measured_factor = 1;
    double simulated_factor = 1;

    /// The factor between them: the larger of both over the smaller.
    [[nodiscard]] double apart() const;
    bool operator==(const Disagreement&) const = default;
};

/// Absent where both say that the same schedule is slower by more than the error of a simulation
/// (evaluation/time_differences.h), or both say that they are equally fast.
[[nodiscard]] std::optional<Disagreement> disagreement_of(double measured_factor, double simulated_factor);

/// The disagreement of an explanation whose times were measured.
[[nodiscard]] std::optional<Disagreement> disagreement_of(const Explanation& explanation);

/// "Measured, it takes 1.26 times as long as fixed CSR; simulated on AMD EPYC, 0.93 times: the two disagree
/// by a factor of 1.35, so simulated parts say little here. …", and what to do about it. `known` is how the
/// time is known, "Measured" or "Recorded"; `can_be_measured` where --measured would ask this computer.
[[nodiscard]] std::string to_text(const Disagreement& disagreement, std::string_view known,
                                  std::string_view against, std::string_view machine, bool can_be_measured);

} // namespace sparsight
