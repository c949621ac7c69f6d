// What can be done with a job in its state, and why not, for buttons and for JobService alike.
#pragma once

#include "gui/jobs/job.h"

#include <optional>

namespace sparsight {

enum class JobAction { Pause, Resume, Stop, Kill, Restart, Remove };

/// Why it has no meaning now, for people; nothing when it can be done.
[[nodiscard]] std::optional<QString> action_refusal(JobAction action, const Job& job);
[[nodiscard]] bool is_allowed(JobAction action, const Job& job);

[[nodiscard]] QString action_text(JobAction action); ///< "&Pause"
/// What it does to this job, or why it can't be done.
[[nodiscard]] QString action_tooltip(JobAction action, const Job& job);

} // namespace sparsight
