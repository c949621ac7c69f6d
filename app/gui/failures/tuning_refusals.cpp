// Why something can't be done for a plan, for people.
#include "gui/failures/case_study.h"
#include "gui/failures/tuning_plan.h"
#include "gui/failures/tuning_requests.h"
#include "gui/jobs/job_service.h"
#include "gui/runs/training_runs.h"
#include "gui/workspace/workspace_session.h"

namespace sparsight {

namespace {

QString no_model_refusal() {
    return TuningPlan::tr(
        "These are recorded choices of others: there is no model in a table that could learn "
        "from them.");
}

} // namespace

LaunchConditions TuningPlan::conditions() const {
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    conditions.models = runs_.model_names();
    return conditions;
}

QString TuningPlan::adding_refusal(const CaseStudy& study) const {
    if (study.failure() == nullptr)
        return tr("Choose a case first.");
    if (!study.setting().table.isEmpty())
        return no_model_refusal();
    if (!study.subject())
        return study.no_study();
    const QString matrix = study.subject()->matrix;
    if (matrices().contains(matrix))
        return tr("%1 is among them already.").arg(matrix);
    if (matrix.contains(u','))
        return tr("The name of %1 has a comma, which separates names where they are listed.").arg(matrix);
    if (state().tuning)
        return tr("A fine-tuning is under way: wait for it, or stop it.");
    if (held_out(matrix).all.isEmpty())
        return tr("It is the last held-out matrix: once the model has learned from it nothing is left to "
                  "compare before and after on. Evaluate on more matrices first.");
    return surroundings_refusal(services_.session.path(), conditions()).value_or(QString());
}

QString TuningPlan::clearing_refusal() const {
    return state().tuning || state().comparing
               ? tr("What they are learned for is under way: wait for it, or stop it.")
               : QString();
}

QString TuningPlan::tuning_refusal() const {
    if (!setting_.table.isEmpty())
        return no_model_refusal();
    if (matrices().isEmpty())
        return tr("Add the measurements of a case first.");
    if (!state().measuring.empty())
        return tr("What it is to learn from is being measured: wait for it, or stop it.");
    if (state().tuning || state().comparing)
        return tr("Something is done for it already.");
    if (setting_.machine != state().machine || held_out().all.isEmpty())
        return tr("No held-out matrix of this evaluation is left to compare before and after on: choose an "
                  "evaluation with others.");
    return fine_tune_refusal(request(), conditions()).value_or(QString());
}

QString TuningPlan::comparing_refusal() const {
    const TuningState& now = state();
    if (!now.is_made || now.tuned.isEmpty())
        return tr("There is no fine-tuned model yet.");
    if (now.comparing)
        return tr("Both are being compared.");
    return evaluate_refusal(comparison_request(now), conditions()).value_or(QString());
}

} // namespace sparsight
