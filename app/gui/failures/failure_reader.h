// The failures of a stored evaluation as a page shows them.
#pragma once

#include "evaluation/failures/failure_groups.h"
#include "evaluation/model_evaluation.h"
#include "gui/runs/evaluation_list.h"
#include "workflow/explanation/misled_models.h"

#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct WantedEvaluationFailures {
    std::string workspace{}; ///< a file
    EvaluationWish wish{};   ///< where it names none, the newest with something to show is read
    QStringList models{};    ///< that it is of, in any order; empty: of any
};

struct ReadFailures {
    std::vector<StoredEvaluation> evaluations; ///< of the domain, the newest first
    std::optional<StoredEvaluation> shown{};   ///< the one of them that is looked at
    ModelEvaluation evaluation;                ///< likewise; without models where nothing is
    std::vector<FailureCase> cases;
    std::vector<FailureGroup> groups;
    bool has_gray_box = false;    ///< one of the cases is of a gray box, which can be asked what misled it
    bool is_misled_known = false; ///< gray boxes have said so of all their cases
    QString problem{};            ///< why there is nothing, where there should be something
    QStringList remarks{};        ///< what could not be read, and what that means for what is shown
};

/// Asks the gray boxes of the cases what misled them; runs on another thread.
using AskGrayBoxes = std::function<Result<MisleadingParts>(
    const std::string& workspace, const ReadFailures& failures, const std::stop_token& stop)>;
/// By the learner process.
[[nodiscard]] Result<MisleadingParts>
ask_gray_boxes(const std::string& workspace, const ReadFailures& failures, const std::stop_token& stop);

/// What misled the gray boxes of the cases, in the order of the cases.
void take_misleading_parts(ReadFailures& failures, const MisleadingParts& parts);
/// The same pairs of a newer reading of the workspace were misled by the same: it stays known, and none is
/// asked again unless there are others.
void keep_misleading_parts(ReadFailures& failures, const ReadFailures& before);

/// Reads one evaluation after the other, as the wish sorts them, until one has something to show; `read` says
/// whether it had, and fills `answer`. What could not be read is told. Error: Fault::Cancelled.
[[nodiscard]] Result<void>
read_newest_failures(const WantedEvaluationFailures& wanted, ReadFailures& answer,
                     const std::function<Result<bool>(const StoredEvaluation& stored)>& read);

/// A model may have learned from the workloads that it is evaluated on.
[[nodiscard]] Result<void> remark_on_learned(Workspace& workspace, const Domain& domain,
                                             const ModelEvaluation& evaluation, QStringList& remarks);

/// Diagnosed by known times; what misled gray boxes is asked for apart. Takes its time: for another thread.
[[nodiscard]] Result<std::shared_ptr<const ReadFailures>>
read_failures_by_known_times(const WantedEvaluationFailures& wanted, const Domain& domain,
                             const DomainRegistry& domains, const std::stop_token& stop);

} // namespace sparsight
