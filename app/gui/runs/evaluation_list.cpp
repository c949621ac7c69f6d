#include "gui/runs/evaluation_list.h"

#include "evaluation/stored_evaluations.h"
#include "gui/jobs/json_values.h"
#include "gui/runs/stored_learning.h"
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

bool StoredEvaluation::is_of(const EvaluationLink& link) const {
    return (link.workload.isEmpty() || workloads.contains(link.workload)) &&
           (link.machine.isEmpty() || machine == link.machine) &&
           (link.model.isEmpty() || models.contains(link.model));
}

bool EvaluationWish::turn_to(const QString& selected, const std::vector<StoredEvaluation>& all,
                             const QStringList& shown) {
    const bool is_evaluated =
        all.empty() || std::ranges::any_of(all, [&selected](const StoredEvaluation& one) {
            return one.models.contains(selected);
        });
    const bool is_of_link = link && link->model == selected;
    if (selected.isEmpty() || shown.contains(selected) || !is_evaluated || is_of_link)
        return false;
    *this = {.model = selected};
    return true;
}

std::optional<RunId> EvaluationWish::sort(std::vector<StoredEvaluation>& evaluations) const {
    std::ranges::stable_partition(evaluations,
                                  [](const StoredEvaluation& one) { return one.state != RunState::Stopped; });
    if (link || !model.isEmpty())
        std::ranges::stable_partition(evaluations, [this](const StoredEvaluation& one) {
            return link ? one.is_of(*link) : one.models.contains(model);
        });
    if (evaluations.empty() || !evaluations.front().in_turns)
        return std::nullopt;
    const RunId newest = evaluations.front().run;
    const auto in_turns =
        std::ranges::find(evaluations, *evaluations.front().in_turns, &StoredEvaluation::run);
    if (in_turns == evaluations.end())
        return std::nullopt;
    std::rotate(evaluations.begin(), in_turns, in_turns + 1);
    return newest;
}

Result<std::vector<StoredEvaluation>> list_evaluations(Workspace& workspace, const Domain& domain,
                                                       const DomainRegistry& domains) {
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    const auto in_turns = evaluations_in_turns(workspace);
    if (!in_turns)
        return std::unexpected(in_turns.error());
    std::vector<StoredEvaluation> evaluations;
    for (const RunRecord& run : *runs) {
        if (run.kind != "evaluate")
            continue;
        const QJsonObject parameters = parameters_of(run);
        if (domain_of(parameters, domains) != &domain)
            continue;
        StoredEvaluation one;
        one.run = run.id;
        one.models = texts_of(member(parameters, "models").toArray());
        one.machine = member(parameters, "machine").toString();
        one.condition = member(parameters, "condition").toString();
        one.workloads = texts_of(member(parameters, "matrices").toArray());
        one.k = member(parameters, "k").toInt();
        one.state = run.state;
        one.started = QDateTime::fromString(QString::fromStdString(run.started), Qt::ISODateWithMs);
        if (const auto other = in_turns->find(run.id); other != in_turns->end()) {
            one.in_turns = other->second;
            one.lacks_turns = !one.in_turns;
        }
        if (!one.models.isEmpty() && one.k > 0)
            evaluations.push_back(std::move(one));
    }
    std::ranges::reverse(evaluations);
    return evaluations;
}

} // namespace sparsight
