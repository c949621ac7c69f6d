// Collecting on this computer, and how far it is.
#pragma once

#include "base/observer.h"
#include "collection/collector.h"

#include <optional>
#include <stop_token>

namespace sparsight {

/// {"measured", "failed", "skipped", "seconds", "schedules_per_second", "complete", "failures"}; schedules
/// and matrices in the words of their domain.
[[nodiscard]] Json summary_json(const CollectionSummary& summary, const DomainWords& words);

/// Every workload and every step is an event, as `sparsight-cli collect --help` says; people see how far it
/// is. Refers to the observer and the words.
[[nodiscard]] CollectionObserver collection_observer(Observer& observer, const DomainWords& words);
/// Of a collection that is a part of other work: nothing but its progress. Refers to the observer.
[[nodiscard]] CollectionObserver collection_progress(Observer& observer);

/// The parts of a setting as members of a JSON object, by their keys.
[[nodiscard]] Json setting_json(const Domain& domain, const Setting& setting);

/// Waits for its turn to measure, which is said; nothing where it was stopped meanwhile. A remark says where
/// other programs took so much of the computer that times may be too long. Errors: those of collect().
[[nodiscard]] Result<std::optional<CollectionSummary>>
collect_on_this_computer(Workspace& workspace, const MeasuringDomain& domain, const MachineRecord& machine,
                         const CollectionRequest& request, Observer& observer, const std::stop_token& stop);

} // namespace sparsight
