// The evaluations of a workspace: a run keeps the parameters of one, and its figures are computed from the
// current contents.
#pragma once

#include "evaluation/model_evaluation.h"

#include <map>
#include <optional>
#include <string>

namespace sparsight {

/// An empty field admits everything.
struct EvaluationFilter {
    const Domain* domain = nullptr;
    std::string model{};   ///< name
    std::string machine{}; ///< fingerprint
};

/// Evaluations that finished without times in turns, each with the newest finished one that has them for the
/// same choices of all its models on all its workloads, which were asked for in the same way, on the same
/// machine in the same setting. Pages and commands show that one in its place, unless it is asked for by its
/// number. Where the others have turns but not for all of these choices there is none, and pages and
/// commands say so.
[[nodiscard]] Result<std::map<RunId, std::optional<RunId>>> evaluations_in_turns(Workspace& workspace);

struct NewestEvaluation {
    RunId run{};
    std::optional<RunId> passed_over{}; ///< the newer one without turns in whose place it stands
    bool lacks_turns = false;           ///< it has none, and others not for all of its choices
};

/// The newest evaluation that still has models and workloads, or the one with turns in its place. Absent
/// where there is none.
[[nodiscard]] Result<std::optional<NewestEvaluation>> newest_evaluation(Workspace& workspace,
                                                                        const EvaluationFilter& filter = {});

/// Models and workloads that were removed since are left out. An error where none are left, or where the run
/// is not an evaluation.
[[nodiscard]] Result<ModelEvaluation> read_evaluation(Workspace& workspace, const Domain& domain, RunId run);

} // namespace sparsight
