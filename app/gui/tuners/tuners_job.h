// The comparison of tuners on the recorded times of one workload, as if its machine were new: each chooses
// what to measure, and the choice is looked up. Nothing is measured.
#pragma once

#include "gui/jobs/job_request.h"

#include <QString>
#include <optional>

namespace sparsight {

struct TunersJob {
    QString workspace;
    QString workload;
    QString machine;          ///< fingerprint
    QString machine_name;     ///< for people
    Setting setting;          ///< the times that are compared
    std::size_t machines = 0; ///< that have times of the workload
};

[[nodiscard]] const JobKind& tuners_kind();
[[nodiscard]] JobDescription describe(const TunersJob& job);
[[nodiscard]] std::optional<QString> launch_refusal(const TunersJob& job, const LaunchConditions& conditions);

} // namespace sparsight
