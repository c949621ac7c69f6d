#include "gui/train/new_model_selection.h"

#include "gui/jobs/job_service.h"
#include "gui/selection/selection.h"

#include <utility>

namespace sparsight {

void NewModelSelection::await(const JobId& job) {
    awaited_ = Awaited{job, services_.selection.current().model};
}

void NewModelSelection::follow() {
    if (!awaited_)
        return;
    const auto job = services_.jobs.job(awaited_->job);
    if (job && (!is_over(job->state) || runs_.is_end_unread(job->id)))
        return;
    const Awaited awaited = *std::exchange(awaited_, std::nullopt);
    const LiveRun* live = job ? runs_.live_of(awaited.job) : nullptr;
    const TrainingRun* run = live == nullptr ? nullptr : runs_.run(live->run);
    Selected now = services_.selection.current();
    if (run == nullptr || !run->has_model || now.model != awaited.selected_before)
        return;
    now.model = run->name;
    services_.selection.replace(std::move(now));
}

} // namespace sparsight
