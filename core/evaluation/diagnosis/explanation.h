// Why one schedule takes longer than another one on a matrix: which decision, by what mechanism, and what
// would change it. Everything that `sparsight-cli explain` and reports tell.
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
    /// Of one run, where it was measured on a computer that counts.
    std::optional<HardwareCounts> counted{};
};

struct ExplanationRequest {
    SuperSchedule from; ///< what the other one is held against
    SuperSchedule to;   ///< what is to be explained
    std::int64_t dense = 256;
    MachineDescription machine; ///< that is simulated
    BlameOptions blame{};       ///< its budget is that of all times that are asked of the evaluator
    int threads = 1;            ///< that count the pattern
    /// That the simulated kernels run on, as the evaluator's do; 0: all that the machine has.
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
    /// Whether the simulator, too, takes `to` for the slower one; only then are there changes of the
    /// machine and of the pattern.
    bool simulation_agrees = true;
    std::vector<MachineChange> machine_changes;
    PatternSearch pattern_changes{}; ///< likewise
    std::string no_counters{};       ///< why `counted` is absent on both sides
};

/// The evaluator's times are explained, be they measured or simulated; the mechanism is always simulated.
[[nodiscard]] Result<Explanation> explain(const ProfiledPattern& pattern, HybridEvaluator& evaluator,
                                          const ExplanationRequest& request);

// Where a measurement and the simulator say different things of two schedules: by how much, and what to do.

struct Explanation;

/// Times of the explained schedule over those of the other one.
struct Disagreement {
    double measured_factor = 1;
    double simulated_factor = 1;

    /// By how much they are apart: the larger of both over the smaller.
    [[nodiscard]] double apart() const;
    bool operator==(const Disagreement&) const = default;
};

/// Absent where both take the same schedule for the slower one by more than a simulation can tell apart
/// (evaluation/time_differences.h), or both take them for equally fast.
[[nodiscard]] std::optional<Disagreement> disagreement_of(double measured_factor, double simulated_factor);

/// Of an explanation whose times were measured.
[[nodiscard]] std::optional<Disagreement> disagreement_of(const Explanation& explanation);

/// "Measured, it takes 1.26 times as long as fixed CSR; simulated on AMD EPYC, 0.93 times: the two disagree
/// by a factor of 1.35, so simulated parts say little here. …", and what to do about it. `known` is how the
/// time is known, "Measured" or "Recorded"; `can_be_measured` where --measured would ask this computer.
[[nodiscard]] std::string to_text(const Disagreement& disagreement, std::string_view known,
                                  std::string_view against, std::string_view machine, bool can_be_measured);

} // namespace sparsight
