#include "gui/runs/stored_evaluations.h"

#include "gui/jobs/json_member.h"
#include "store/workspace.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace sparsight {

namespace {

QJsonObject parameters_of(const RunRecord& run) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(run.parameters)).object();
}

} // namespace

Result<std::vector<StoredEvaluation>> list_evaluations(Workspace& workspace) {
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    std::vector<StoredEvaluation> evaluations;
    for (const RunRecord& run : *runs) {
        if (run.kind != "evaluate")
            continue;
        const QJsonObject parameters = parameters_of(run);
        StoredEvaluation one;
        one.run = run.id;
        one.models = texts_of(member(parameters, "models").toArray());
        one.machine = member(parameters, "machine").toString();
        one.op = member(parameters, "operator").toString();
        one.matrices = static_cast<int>(member(parameters, "matrices").toArray().size());
        one.k = member(parameters, "k").toInt();
        one.state = run.state;
        one.started = QDateTime::fromString(QString::fromStdString(run.started), Qt::ISODateWithMs);
        if (!one.models.isEmpty() && one.k > 0)
            evaluations.push_back(std::move(one));
    }
    std::ranges::reverse(evaluations);
    return evaluations;
}

} // namespace sparsight
