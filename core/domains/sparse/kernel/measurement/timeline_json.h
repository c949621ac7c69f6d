// Timelines of threads as programs exchange them.
#pragma once

#include "base/observer.h"
#include "domains/sparse/kernel/measurement/thread_timeline.h"

namespace sparsight {

[[nodiscard]] Json timeline_json(const ThreadTimeline& timeline);
/// Of what timeline_json() made. Error (Input): a member is missing or of another type.
[[nodiscard]] Result<ThreadTimeline> timeline_from_json(const Json& json);

} // namespace sparsight
