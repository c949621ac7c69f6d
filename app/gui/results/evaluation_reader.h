// The evaluations of a workspace as the page shows them: all that there are, and what one of them found.
#pragma once

#include "evaluation/model_evaluation.h"
#include "gui/runs/evaluation_list.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

struct WantedEvaluation {
    EvaluationWish wish{};               ///< where it names none, the newest with something to show is read
    std::vector<StoredEvaluation> known; ///< from the last reading
    bool must_evaluate = true;           ///< even where nothing but measurements has changed
};

struct ReadEvaluations {
    std::vector<StoredEvaluation> evaluations;
    std::shared_ptr<const ModelEvaluation> shown; ///< none where there is none, or it can't be read
    RunId run{};
    std::optional<RunId> passed_over{}; ///< the newer one without turns in whose place it stands
    std::vector<std::string> trained;   ///< workloads of it that one of its models has learned from
    QString problem;
    bool is_as_before = false; ///< what is shown need not be evaluated again
};

/// Takes its time: for another thread.
[[nodiscard]] Result<ReadEvaluations> read_evaluations(const std::string& workspace, const Domain& domain,
                                                       const DomainRegistry& domains,
                                                       const WantedEvaluation& wanted);

} // namespace sparsight
