// From one job of a plan to the next.
#include "gui/failures/tuning_plan.h"
#include "gui/failures/tuning_requests.h"
#include "gui/jobs/job_service.h"
#include "gui/runs/training_runs.h"
#include "gui/workspace/workspace_session.h"

#include <algorithm>

namespace sparsight {

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
    if (request.matrices.isEmpty())
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

} // namespace sparsight
