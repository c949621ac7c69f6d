// Measures on this computer, and reports the progress.
#pragma once

#include "base/observer.h"
#include "collection/collector.h"

#include <optional>
#include <stop_token>
#include <string>

namespace sparsight {

/// {"measured", "given_up", "failed", "too_large", "kept", "skipped", "seconds", "schedules_per_second",
/// "complete", "failures"}; schedules and matrices in the words of their domain.
[[nodiscard]] Json summary_json(const CollectionSummary& summary, const DomainWords& words);

/// "12 measured, 3 abandoned as too slow, 2 too large, 1 failed, 5 there before, in 3 s (6.0 schedules a
/// second)", each counted once, and how many kept their earlier times.
[[nodiscard]] std::string summary_text(const CollectionSummary& summary, const DomainWords& words);

/// Reports every workload and every step as an event (see `sparsight-cli collect --help`), and the progress
/// for people. Keeps references to the observer and the words.
[[nodiscard]] CollectionObserver collection_observer(Observer& observer, const DomainWords& words);
/// For a collection that is a part of other work: reports only its progress. Keeps a reference to the
/// observer.
[[nodiscard]] CollectionObserver collection_progress(Observer& observer);

/// The parts of a setting as members of a JSON object, by their keys.
[[nodiscard]] Json setting_json(const Domain& domain, const Setting& setting);

/// Waits until no other program of ours measures, and says so. A remark says if other programs used so much
/// of the computer that times may be too long. Errors: those of measuring_turn() and collect().
[[nodiscard]] Result<CollectionSummary>
collect_on_this_computer(Workspace& workspace, const MeasuringDomain& domain, const MachineRecord& machine,
                         const CollectionRequest& request, Observer& observer, const std::stop_token& stop);

} // namespace sparsight
