// What a collection tells while it runs: JSON events on stdout for programs, a progress bar on stderr for
// people.
#pragma once

#include "cli/progress_display.h"
#include "cli/session.h"
#include "collection/collector.h"

namespace sparsight {

/// {"measured", "failed", "skipped", "seconds", "schedules_per_second", "complete", "failures"}.
[[nodiscard]] Json summary_json(const CollectionSummary& summary);

/// One JSON object a line, written out at once; see `sparsight-cli collect --help`.
class CollectionEvents {
public:
    explicit CollectionEvents(const Session& session)
        : session_(session) {}

    void start(const CollectionRequest& request, const MachineRecord& machine) const;
    void end(const CollectionSummary& summary) const;
    void error(const Error& error) const;
    [[nodiscard]] CollectionObserver observer() const;

private:
    const Session& session_;
};

/// Refers to the display.
[[nodiscard]] CollectionObserver display_observer(ProgressDisplay& display);

} // namespace sparsight
