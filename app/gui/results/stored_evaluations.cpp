#include "gui/results/stored_evaluations.h"

#include "store/workspace.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

namespace {

QJsonObject parameters_of(const RunRecord& run) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(run.parameters)).object();
}

QStringList texts_of(const QJsonValue& value) {
    QStringList texts;
    for (const QJsonValue& one : value.toArray())
        texts << one.toString();
    return texts;
}

QJsonValue member(const QJsonObject& object, const char* key) {
    return object.value(QLatin1String(key));
}

/// Those of the run that there still are, in its order.
Result<void> add_models(Workspace& workspace, const QJsonObject& parameters, EvaluationScope& scope) {
    const auto models = list_models(workspace);
    if (!models)
        return std::unexpected(models.error());
    for (const QJsonValue& id : member(parameters, "model_ids").toArray())
        if (std::ranges::count(*models, ModelId{id.toInteger()}, &ModelRecord::id) > 0)
            scope.models.push_back(ModelId{id.toInteger()});
    return {};
}

Result<void> add_matrices(Workspace& workspace, const QJsonObject& parameters, EvaluationScope& scope) {
    const auto matrices = list_matrices(workspace);
    if (!matrices)
        return std::unexpected(matrices.error());
    for (const QString& name : texts_of(member(parameters, "matrices"))) {
        const auto found = std::ranges::find(*matrices, name.toStdString(), &MatrixRecord::name);
        if (found != matrices->end())
            scope.matrices.push_back(found->id);
    }
    return {};
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
        one.models = texts_of(member(parameters, "models"));
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

Result<ModelEvaluation> read_evaluation(Workspace& workspace, RunId run) {
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    const auto record = std::ranges::find(*runs, run, &RunRecord::id);
    if (record == runs->end() || record->kind != "evaluate")
        return fail(Fault::Input, "this evaluation is not in the workspace any more");
    const QJsonObject parameters = parameters_of(*record);
    EvaluationScope scope;
    scope.run = run;
    if (auto added = add_models(workspace, parameters, scope); !added)
        return std::unexpected(added.error());
    if (auto added = add_matrices(workspace, parameters, scope); !added)
        return std::unexpected(added.error());
    const std::string fingerprint = member(parameters, "machine").toString().toStdString();
    const auto machine = find_machine(workspace, fingerprint);
    if (!machine)
        return std::unexpected(machine.error());
    const auto op = parse_operator(member(parameters, "operator").toString().toStdString());
    if (scope.models.empty() || scope.matrices.empty() || !*machine || !op)
        return fail(Fault::Input, "what this evaluation compared is not in the workspace any more");
    scope.machine = **machine;
    scope.op = *op;
    scope.dense = member(parameters, "dense").toInteger(scope.dense);
    scope.protocol = member(parameters, "protocol").toString().toStdString();
    if (const QJsonValue threads = member(parameters, "threads"); threads.isDouble())
        scope.threads = threads.toInt();
    scope.k = member(parameters, "k").toInt(scope.k);
    scope.bootstrap.seed = static_cast<std::uint64_t>(member(parameters, "seed").toInteger(1));
    return evaluate_models(workspace, scope);
}

} // namespace sparsight
