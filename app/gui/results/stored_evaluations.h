// The evaluations of a workspace: what they were asked, and, on demand, what they found.
#pragma once

#include "evaluation/model_evaluation.h"
#include "store/runs.h"

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <vector>

namespace sparsight {

class Workspace;

struct StoredEvaluation {
    RunId run{};
    QStringList models;
    QString machine; ///< fingerprint
    QString op;      ///< "spmm"
    int matrices = 0;
    int k = 20;
    RunState state = RunState::Running;
    QDateTime started;

    bool operator==(const StoredEvaluation&) const = default;
};

/// The newest first; those whose parameters can't be understood are left out.
[[nodiscard]] Result<std::vector<StoredEvaluation>> list_evaluations(Workspace& workspace);

/// Models and matrices that were removed since are left out. An error where nothing is left, or where the run
/// is no evaluation.
[[nodiscard]] Result<ModelEvaluation> read_evaluation(Workspace& workspace, RunId run);

} // namespace sparsight
