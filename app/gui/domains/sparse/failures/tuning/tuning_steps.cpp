#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/failures/cases/case_study.h"
#include "gui/domains/sparse/failures/tuning/tuning_plan.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/jobs/job_service.h"
#include "gui/runs/training_runs.h"
#include "gui/workspace/workspace_session.h"

#include <algorithm>

namespace sparsight {

// From one job of a plan to the next.

namespace {

QString why_it_ended(const Job& job) {
    if (!job.error.isEmpty())
        return job.error;
    return job.state == JobState::Stopped ? TuningPlan::tr("it was stopped") : job.summary;
}

} // namespace

void TuningPlan::advance() {
    if (is_advancing_) // starting a job tells of it
        return;
    is_advancing_ = true;
    states_.refresh();
    bool is_news = false;
    for (TuningState& state : states_.all()) {
        is_news |= advance_measuring(state);
        is_news |= advance_tuning(state);
        is_news |= advance_comparing(state);
    }
    is_advancing_ = false;
    if (is_news)
        keep();
}

bool TuningPlan::advance_measuring(TuningState& state) {
    return std::erase_if(state.measuring, [&](const JobId& id) {
               const auto job = services_.jobs.job(id);
               if (job && !is_over(job->state))
                   return false;
               if (job && job->state != JobState::Finished)
                   state.outcome = tr("%1 did not come to its end (%2): what was measured until then is "
                                      "learned from.")
                                       .arg(job->title, why_it_ended(*job));
               return true;
           }) > 0;
}

bool TuningPlan::advance_tuning(TuningState& state) {
    if (!state.tuning)
        return false;
    const auto job = services_.jobs.job(*state.tuning);
    if (job && !is_over(job->state))
        return false;
    const bool knows_models = services_.session.path() == state.workspace && !runs_.is_reading();
    if (!job && !knows_models)
        return false;
    state.tuning.reset();
    // Who removed it from the list of jobs may have done so after its end.
    state.is_made = job ? job->state == JobState::Finished : runs_.model(state.tuned) != nullptr;
    if (state.is_made) {
        state.outcome = job ? job->summary : QString();
        start_comparing(state);
        return true;
    }
    state.outcome = job ? tr("The fine-tuning made no model: %1").arg(why_it_ended(*job))
                        : tr("The fine-tuning was removed before it had made a model.");
    state.tuned.clear();
    return true;
}

bool TuningPlan::advance_comparing(TuningState& state) {
    if (!state.comparing)
        return false;
    const auto job = services_.jobs.job(*state.comparing);
    if (job && !is_over(job->state))
        return false;
    state.comparing.reset();
    if (job && job->state != JobState::Finished)
        state.outcome += (state.outcome.isEmpty() ? QString() : QStringLiteral("\n")) +
                         tr("Both models could not be compared: %1").arg(why_it_ended(*job));
    return true;
}

/// On matrices that neither has learned from. Another window that follows the same plan may have been first.
void TuningPlan::start_comparing(TuningState& state) {
    const EvaluateJob request = comparison_request(state);
    if (request.workloads.isEmpty())
        return;
    const JobDescription description = describe(request);
    for (const Job& job : services_.jobs.jobs())
        if (job.kind == description.kind && job.workspace == description.workspace &&
            job.arguments == description.arguments && !is_over(job.state)) {
            state.comparing = job.id;
            return;
        }
    state.comparing = start(request, QStringLiteral("evaluate"));
}

namespace {

QStringList teaching_schedules(const CaseStudy& study) {
    QStringList lines{QString::fromStdString(to_text(study.subject()->against)),
                      QString::fromStdString(to_text(study.subject()->schedule))};
    if (const ExplanationValues* const shown = study.shown()) {
        for (const StepValues& step : shown->steps)
            if (step.alone_ms)
                lines << step.alone;
        if (shown->schedule_change && shown->schedule_change->ms)
            lines << shown->schedule_change->schedule;
    }
    lines.removeAll(QString());
    lines.removeDuplicates();
    return lines;
}

/// With those that are measured already.
constexpr int searched_schedules = 80;
constexpr std::chrono::seconds search_budget{60};

/// On the matrix of the case, as it was evaluated.
CollectSchedulesJob collection_of(const CaseStudy& study, const QString& workspace) {
    CollectSchedulesJob job;
    job.workspace = workspace;
    job.workloads = QStringList{study.subject()->matrix};
    job.op = study.setting().op;
    job.dense = study.setting().dense;
    job.threads = std::max(1, study.setting().threads.value_or(study.subject()->against.threads));
    return job;
}

} // namespace

CollectSchedulesJob measuring_request(const CaseStudy& study, const QString& workspace) {
    CollectSchedulesJob job = collection_of(study, workspace);
    job.listed = teaching_schedules(study);
    return job;
}

CollectSchedulesJob searching_request(const CaseStudy& study, const QString& workspace) {
    CollectSchedulesJob job = collection_of(study, workspace);
    job.searched = searched_schedules;
    job.budget = search_budget;
    return job;
}

EvaluateJob comparison_request(const TuningState& state) {
    EvaluateJob job;
    job.workspace = state.workspace;
    job.models = QStringList{state.model, state.tuned};
    job.workloads = state.held_out + state.learned;
    job.k = state.k;
    job.setting = sparse_job_setting(state.op, state.dense);
    if (state.threads > 0)
        job.threads = state.threads;
    else
        job.machine = state.machine;
    return job;
}

} // namespace sparsight
