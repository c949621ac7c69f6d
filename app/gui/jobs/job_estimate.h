// How long a job will take, before it is started: by what earlier jobs of its kind took on this computer,
// else a guess that is called one. The rule by which a long job is asked about first is here alone.
#pragma once

#include "gui/jobs/job_request.h"

#include <QString>
#include <optional>
#include <vector>

namespace sparsight {

struct JobEstimate {
    double seconds = 0;
    QString from; ///< what it is from, for people: "“Measure cage8 (SpMM)”"; empty: a guess
};

/// Nothing where it is not known how much there is to do. Of the earlier jobs the newest in the same
/// workspace counts, else the newest of all.
[[nodiscard]] std::optional<JobEstimate> estimate_of(const JobDescription& job,
                                                     const std::vector<Job>& earlier);

/// What takes 10 minutes or more is started only after a question.
[[nodiscard]] bool asks_first(const JobEstimate& estimate);

/// "About 2 min, estimated from “Measure cage8 (SpMM)”."
[[nodiscard]] QString estimate_text(const JobEstimate& estimate);

} // namespace sparsight
