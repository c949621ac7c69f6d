// What a collection has to do on each workload, beside what is stored.
#pragma once

#include "collection/collector.h"
#include "collection/measured_search.h"
#include "store/measurements.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace sparsight {

/// What is to be done on one workload: a list of configurations, or a search that adds to the list when all
/// in it are measured.
class WorkloadPlan {
public:
    /// The configuration as it is stored. Errors: those of MeasuringDomain::written().
    using Writer = std::function<Result<WrittenConfiguration>(const Configuration&)>;
    using Reader = std::function<Result<Configuration>(const WrittenConfiguration&)>;

    struct Search {
        MeasuredSearch search;
        Writer write;
        Reader read;
    };

    /// `missing` are those of the `wanted` configurations that are not stored.
    WorkloadPlan(WorkloadRecord workload, std::size_t wanted, std::vector<WrittenConfiguration> missing);
    /// Until `wanted` configurations are known.
    WorkloadPlan(WorkloadRecord workload, std::size_t wanted, Search search);

    [[nodiscard]] const WorkloadRecord& workload() const { return workload_; }
    /// In all, stored ones included; fewer than wanted at first where a search found no more.
    [[nodiscard]] std::size_t wanted() const { return wanted_; }
    [[nodiscard]] std::size_t stored() const { return stored_; } ///< before the collection began

    [[nodiscard]] bool is_done() const { return next_ == missing_.size(); }
    /// The next one to measure; there is one unless it is done.
    [[nodiscard]] const WrittenConfiguration& current() const { return missing_[next_]; }
    /// The current one was measured; without a measurement it could not be, for no fault of its own.
    void finish(const Measurement* measurement);
    /// The workload can't be measured.
    void give_up() { next_ = missing_.size(); }

private:
    void ask_search();

    WorkloadRecord workload_;
    std::size_t wanted_ = 0;
    std::size_t stored_ = 0;
    std::vector<WrittenConfiguration> missing_;
    std::size_t next_ = 0; ///< of the missing ones: those before it were tried
    std::optional<Search> search_;
};

struct CollectionPlan {
    std::vector<WorkloadPlan> workloads;
    std::vector<CollectionFailure> failures; ///< workloads that are not there
};

[[nodiscard]] MeasurementConditions conditions_of(const CollectionRequest& request, MachineId machine,
                                                  WorkloadId workload);

/// Errors: not one of the workloads is there; a text that the domain can't read; those of the workspace.
[[nodiscard]] Result<CollectionPlan> plan_collection(Workspace& workspace, const MeasuringDomain& domain,
                                                     MachineId machine, const CollectionRequest& request);

} // namespace sparsight
