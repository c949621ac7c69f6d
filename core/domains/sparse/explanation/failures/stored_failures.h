// The failures of an evaluation in a workspace, from its run to diagnosed cases and groups, and the machine
// on which they are simulated: one rule for the command line, the window and reports.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "domains/sparse/kernel/lowering/program_signature.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/tensor/statistics.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/failures/find_failures.h"
#include "machine/machine_description.h"
#include "store/runs.h"
#include "study/domain.h"

#include <cstddef>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct FailureMachine {
    std::string name;
    MachineDescription machine;
    /// Another machine is meant, of which only the name is known: this computer is simulated in its place.
    bool stands_in = false;
};

/// The machine of this fingerprint, as the workspace describes it. Where only its name is known, or the
/// fingerprint is empty, this computer stands in: as the workspace knows it, measured and calibrated, or
/// else as its system describes it. `stands_in` is false where this computer is the machine that is meant.
/// Takes moments. Errors: those of the workspace; this computer can't be probed.
[[nodiscard]] Result<FailureMachine> failure_machine(Workspace& workspace, const std::string& fingerprint);

/// "Nothing is known of Xeon 8272CL but its name: this computer (AMD EPYC) is simulated in its place.";
/// `meant` is empty where the machine is not known.
[[nodiscard]] std::string stand_in_sentence(const FailureMachine& machine, const std::string& meant);

/// What is known of the matrices of an evaluation by their statistics. Texts are one program where their
/// schedules are: on a matrix that is not known, and without the shape of the kernels that were timed, only
/// where they mean the same. A text that is no schedule is a program of its own.
[[nodiscard]] FailureContext failure_context(const ModelEvaluation& evaluation,
                                             const std::map<std::string, PatternStatistics>& statistics,
                                             std::optional<KernelTarget> target);

/// The statistics of the matrices, and the training data of the models and of their ancestors, as far as
/// these matrices are in the workspace. `threads` count patterns whose statistics are not stored yet.
[[nodiscard]] Result<FailureContext> failure_context(Workspace& workspace, const ModelEvaluation& evaluation,
                                                     int threads);

struct DiagnosisOptions {
    /// The machine to simulate.
    MachineDescription machine;
    /// The number of cases to diagnose, the greatest loss first; 0: all.
    std::size_t most = 0;
    int threads = 1; ///< for counting patterns
    /// Threads of the simulated kernels; 0: all that the machine has.
    int kernel_threads = 0;
    std::uint64_t seed = 1; ///< of drawn orders, where more than 8 decisions differ
    std::stop_token stop{};
    ProgressSink progress{};
};

/// Simulates the main sign of each case on the pattern that the workspace has. FailureCase::undiagnosed says
/// why a case can't be diagnosed (no pattern, a schedule that can't be built). Errors: Fault::Cancelled;
/// those of the workspace.
[[nodiscard]] Result<void> diagnose(Workspace& workspace, const SparseSetting& setting,
                                    std::vector<FailureCase>& cases, const DiagnosisOptions& options);

/// The number of threads with which the kernels of an evaluation were measured; 0 where times are recorded
/// or simulated, since such machines use all of their threads.
[[nodiscard]] int kernel_threads_of(const ModelEvaluation& evaluation);

struct StoredFailures {
    RunId run{};
    ModelEvaluation evaluation;
    std::vector<FailureCase> cases;
    std::vector<FailureGroup> groups;
    FailureMachine simulated;
};

/// Reads the evaluation again, finds its cases, diagnoses them and groups them. `machine` is the machine to
/// simulate; absent: that of the evaluation, or its stand-in (failure_machine()). `seed` is that of
/// DiagnosisOptions.
[[nodiscard]] Result<StoredFailures> read_failures(Workspace& workspace, const Domain& sparse, RunId run,
                                                   const FailureOptions& options,
                                                   const std::optional<MachineDescription>& machine,
                                                   int threads, const std::stop_token& stop = {},
                                                   const ProgressSink& progress = {}, std::uint64_t seed = 1);

} // namespace sparsight
