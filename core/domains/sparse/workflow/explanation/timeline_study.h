// The timeline of a schedule's threads that `timeline` tells: whose it is, and its forms for programs and
// for people.
#pragma once

#include "base/observer.h"
#include "domains/sparse/kernel/measurement/thread_timeline.h"
#include "domains/sparse/workflow/explanation/explain_study.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct TimelineAnswer {
    std::string matrix;
    SuperSchedule schedule;
    ThreadTimeline timeline;
    std::optional<double> busy_share{}; ///< what other programs took of the processors, where that disturbs
    std::vector<std::string> remarks{}; ///< for the user
};

/// Of the request's schedule; what it is held against does not matter. Recorded on this computer, it takes
/// the measuring turn.
[[nodiscard]] Result<TimelineAnswer> answer_timeline(const WorkspaceLocation& location,
                                                     const ExplainRequest& request, Observer& observer,
                                                     const std::stop_token& stop);

[[nodiscard]] Json timeline_json(const ExplainRequest& request, const TimelineAnswer& answer);

/// A sentence about the balance, what recording costs, and a line for each thread.
[[nodiscard]] std::string timeline_text(const ExplainRequest& request, const TimelineAnswer& answer);

} // namespace sparsight
