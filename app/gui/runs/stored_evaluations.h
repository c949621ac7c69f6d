// The evaluations of a workspace: what they were asked, and, on demand, what they found.
#pragma once

#include "evaluation/stored_evaluation.h"
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

} // namespace sparsight
