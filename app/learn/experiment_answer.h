// How an experiment of the learner ends for whoever started it.
#pragma once

#include "base/observer.h"
#include "command/job.h"
#include "command/program.h"
#include "workflow/learning/training/training_journal.h"

#include <nlohmann/json.hpp>
#include <string>

namespace sparsight {

/// The answer, or that the work was stopped and goes on with the same command. An outcome has an end and its
/// reason.
template <typename Outcome>
[[nodiscard]] ExitCode answer_experiment(JobObserver& observer, const Outcome& outcome, const Json& json,
                                         const std::string& text) {
    if (outcome.end == RunEnd::Stopped) {
        observer.remark("stopped: run the same command again to go on");
        if (!observer.tells_events())
            return observer.refuse(outcome.reason);
        observer.end(json, false, true);
        return ExitCode::Interrupted;
    }
    observer.clear();
    observer.answer(json, text);
    return ExitCode::Done;
}

} // namespace sparsight
