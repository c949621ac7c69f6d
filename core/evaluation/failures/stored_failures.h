// The machine on which failures are simulated: one rule for the command line, the window and reports.
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/failures/find_failures.h"
#include "machine/machine_description.h"
#include "store/runs.h"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct FailureMachine {
    std::string name;
    MachineDescription machine;
    /// Another one is meant, of which no more than its name is known: this computer stands in for it.
    bool stands_in = false;
};

/// The machine of this fingerprint, as the workspace describes it. Where no more than its name is known, or
/// nobody says which one it is (an empty fingerprint), this computer stands in: as the workspace knows it,
/// with what was measured and calibrated, or else as its system describes it. Where it is the one that is
/// meant, it stands in for nothing. Takes moments. Errors: those of the workspace; this computer can't be
/// looked at.
[[nodiscard]] Result<FailureMachine> failure_machine(Workspace& workspace, const std::string& fingerprint);

/// "Nothing is known of Xeon 8272CL but its name: this computer (AMD EPYC) is simulated in its place.";
/// `meant` is empty where nobody says which machine is meant.
[[nodiscard]] std::string stand_in_sentence(const FailureMachine& machine, const std::string& meant);

// The failures of an evaluation in a workspace, from its run to diagnosed cases and stories.

/// Statistics of the matrices, and what the models and those that they were made from were trained on, as far
/// as these matrices are in the workspace. `threads` count patterns whose statistics are not kept yet.
[[nodiscard]] Result<FailureContext> failure_context(Workspace& workspace, const ModelEvaluation& evaluation,
                                                     int threads);

struct DiagnosisOptions {
    /// That is simulated.
    MachineDescription machine;
    /// Cases beyond so many, the greatest loss first, are not diagnosed: 0 diagnoses all.
    std::size_t most = 0;
    int threads = 1; ///< that count patterns
    /// That the simulated kernels run on; 0: all that the machine has.
    int kernel_threads = 0;
    std::uint64_t seed = 1; ///< of drawn orders, where more than 8 decisions differ
    std::stop_token stop{};
    ProgressSink progress{};
};

/// Simulates the main sign of each case on the pattern that the workspace has. What can't be diagnosed (no
/// pattern, a schedule that can't be built) says so in FailureCase::undiagnosed. Errors: Fault::Cancelled;
/// those of the workspace.
[[nodiscard]] Result<void> diagnose(Workspace& workspace, const ModelEvaluation& setting,
                                    std::vector<FailureCase>& cases, const DiagnosisOptions& options);

/// That the kernels of an evaluation were measured with; 0 where times are recorded or simulated: such
/// machines run all of theirs.
[[nodiscard]] int kernel_threads_of(const ModelEvaluation& evaluation);

struct StoredFailures {
    RunId run{};
    ModelEvaluation evaluation;
    std::vector<FailureCase> cases;
    std::vector<FailureGroup> stories;
    FailureMachine simulated;
};

/// Everything together: the evaluation is read again, its cases are found, diagnosed and told as stories.
/// `machine` is the one that is simulated; absent: that of the evaluation, or what stands in for it
/// (failure_machine()). `seed` is that of DiagnosisOptions.
[[nodiscard]] Result<StoredFailures> read_failures(Workspace& workspace, RunId run,
                                                   const FailureOptions& options,
                                                   const std::optional<MachineDescription>& machine,
                                                   int threads, const std::stop_token& stop = {},
                                                   const ProgressSink& progress = {}, std::uint64_t seed = 1);

} // namespace sparsight
