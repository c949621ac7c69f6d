// Evaluating models: sparsight-learn chooses, this computer measures what was chosen (or its time is looked
// up), and the figures are summed up. Everything is stored on the way, so that the same request goes on where
// it was stopped.
#pragma once

#include "base/observer.h"
#include "collection/collector.h"
#include "evaluation/model_evaluation.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct EvaluationRequest {
    std::vector<std::string> models;
    /// None: all that none of the models was trained on, of a recorded machine those that it has a time of
    /// fixed CSR for.
    std::vector<std::string> matrices;
    std::string split;   ///< its test part instead; empty: none
    std::string machine; ///< name or fingerprint; empty: this computer, measured
    int k = 20;
    std::string method;                 ///< of the search; empty: sparsight-learn's own choice
    std::optional<std::int64_t> scored; ///< schedules that a search may score
    /// How chosen schedules are measured. Operator and schedules are filled in: the models decide.
    CollectionRequest measuring;
    int resamples = 10'000;
    std::uint64_t seed = 1;
    std::string created_by; ///< the program and its version
    /// Called with what was chosen before times are looked up, for a machine whose times can be made.
    std::function<Result<void>(const SchedulesByMatrix& chosen)> supply_times{};
};

struct EvaluationOutcome {
    ModelEvaluation evaluation;
    CollectionSummary measured;
    bool complete = false;            ///< every model has chosen, and nothing that was chosen lacks a time
    std::vector<std::string> trained; ///< matrices that a model was trained on all the same
    std::vector<LeftOutMatrix> unsearched; ///< that a model could not choose for, and why; also left out
    std::vector<std::string> remarks{};    ///< on models that were made for another setting; sentences
};

/// Errors: a model, matrix, split or machine that is not there; models of different operators; those of
/// sparsight-learn and of the workspace. Stopped while choosing: Fault::Cancelled; while measuring: an
/// outcome that is not complete.
[[nodiscard]] Result<EvaluationOutcome> run_evaluation(Workspace& workspace, const EvaluationRequest& request,
                                                       Observer& observer, const std::stop_token& stop);

// The last round of an evaluation: the fastest schedules of every matrix are measured once more, in turns
// (collection/rematch.h), and stored matrix by matrix.

struct RematchOutcome {
    bool complete = true; ///< false: stopped or out of time, and there is more to do; or something failed
    /// Matrices that can't be measured in turns; they keep the times that they have.
    std::vector<CollectionFailure> failures;
};

/// Of these matrices, on this computer. One that has been through it is left alone, unless `measuring.again`,
/// or unless other schedules are the fastest by now. Errors are those of the workspace.
[[nodiscard]] Result<RematchOutcome> run_rematch(Workspace& workspace, const EvaluationScope& scope,
                                                 std::span<const MatrixRecord> matrices,
                                                 const CollectionRequest& measuring,
                                                 std::optional<Seconds> time, Observer& observer,
                                                 const std::stop_token& stop);

} // namespace sparsight
