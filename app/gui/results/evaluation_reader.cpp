#include "gui/results/evaluation_reader.h"

#include "evaluation/stored_evaluations.h"
#include "store/models.h"
#include "store/workload_families.h"
#include "store/workspace.h"

#include <algorithm>

namespace sparsight {

namespace {

Result<std::vector<std::string>> trained_of(Workspace& workspace, const Domain& domain,
                                            const ModelEvaluation& evaluation) {
    const auto lineage = ModelLineage::read(workspace);
    if (!lineage)
        return std::unexpected(lineage.error());
    const auto families = WorkloadFamilies::read(workspace, domain);
    if (!families)
        return std::unexpected(families.error());
    std::vector<ModelId> models;
    std::vector<std::string> names;
    for (const EvaluatedModel& model : evaluation.models)
        models.push_back(model.id);
    if (!evaluation.models.empty())
        for (const EvaluatedWorkload& workload : evaluation.models.front().workloads)
            names.push_back(workload.times.workload);
    return training_workloads_among(*lineage, models, names, *families);
}

bool has_nothing(const Result<ModelEvaluation>& evaluation) {
    return !evaluation || evaluation->workloads() == 0;
}

} // namespace

Result<ReadEvaluations> read_evaluations(const std::string& file, const Domain& domain,
                                         const DomainRegistry& domains, const WantedEvaluation& wanted) {
    auto workspace =
        Workspace::open(file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!workspace)
        return std::unexpected(workspace.error());
    auto evaluations = list_evaluations(*workspace, domain, domains);
    if (!evaluations)
        return std::unexpected(evaluations.error());
    ReadEvaluations answer;
    answer.evaluations = std::move(*evaluations);
    answer.is_as_before = !wanted.must_evaluate && answer.evaluations == wanted.known;
    if (answer.is_as_before || answer.evaluations.empty())
        return answer;
    const std::optional<RunId> chosen = wanted.wish.run;
    const bool is_there =
        chosen && std::ranges::count(answer.evaluations, *chosen, &StoredEvaluation::run) > 0;
    std::vector<StoredEvaluation> in_order = answer.evaluations;
    const auto passed_over = wanted.wish.sort(in_order);
    answer.run = is_there ? *chosen : in_order.front().run;
    auto evaluation = read_evaluation(*workspace, domain, answer.run);
    // One that has just begun has nothing to show: the one before stays until there is something.
    for (std::size_t i = 1; !is_there && i < in_order.size() && has_nothing(evaluation); ++i) {
        auto before = read_evaluation(*workspace, domain, in_order[i].run);
        if (has_nothing(before))
            continue;
        answer.run = in_order[i].run;
        evaluation = std::move(before);
    }
    if (!is_there && answer.run == in_order.front().run)
        answer.passed_over = passed_over;
    if (evaluation) {
        auto trained = trained_of(*workspace, domain, *evaluation);
        if (!trained)
            return std::unexpected(std::move(trained).error());
        answer.trained = *std::move(trained);
        answer.shown = std::make_shared<const ModelEvaluation>(std::move(*evaluation));
    } else
        answer.problem = QString::fromStdString(evaluation.error().text());
    return answer;
}

} // namespace sparsight
