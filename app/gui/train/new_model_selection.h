// The model that a training of this window makes is the one that is selected next.
#pragma once

#include "gui/jobs/job.h"
#include "gui/page/services.h"
#include "gui/runs/training_runs.h"

#include <QString>
#include <optional>

namespace sparsight {

class NewModelSelection {
public:
    NewModelSelection(Services services, const TrainingRuns& runs)
        : services_(services)
        , runs_(runs) {}

    /// The user has started this job.
    void await(const JobId& job);
    /// Once what the job made is read: selects it, unless the user has selected another one since.
    void follow();

private:
    struct Awaited {
        JobId job;
        QString selected_before;
    };

    Services services_;
    const TrainingRuns& runs_;
    std::optional<Awaited> awaited_;
};

} // namespace sparsight
