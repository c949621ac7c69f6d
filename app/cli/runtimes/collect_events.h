// What a collection tells while it runs: JSON events on stdout for programs, a progress bar on stderr for
// people.
#pragma once

#include "collection/collector.h"
#include "command/job.h"

namespace sparsight {

/// {"measured", "failed", "skipped", "seconds", "schedules_per_second", "complete", "failures"}.
[[nodiscard]] Json summary_json(const CollectionSummary& summary);

/// See `sparsight-cli collect --help`.
void tell_start(JobEvents& events, const CollectionRequest& request, const MachineRecord& machine);
void tell_end(JobEvents& events, const CollectionSummary& summary, bool interrupted);
/// Refers to the events.
[[nodiscard]] CollectionObserver event_observer(const JobEvents& events);

/// Refers to the display.
[[nodiscard]] CollectionObserver display_observer(ProgressDisplay& display);

} // namespace sparsight
