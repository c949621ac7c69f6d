// What a collection has to do on each workload, beside what is stored.
#pragma once

#include "base/random.h"
#include "collection/collector.h"
#include "store/measurements.h"
#include "study/configuration.h"
#include "study/configuration_space.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

namespace sparsight {

/// A search for fast configurations by their measured times: what to measure next on a workload, given what
/// was measured there before. It finds the best known configurations, against which models are compared, and
/// pools of candidates that are better than random ones.
///
/// An evolution strategy, one child at a time (a steady state: Whitley, "The GENITOR algorithm and selection
/// pressure", ICGA 1989), since measurements are made one by one: mostly a neighbour of one of the fastest
/// so far, at times a mixture of two of them or a random configuration. It begins around the baseline.
///
/// The next configuration is a function of the arguments and of the known times, in their order, so a stopped
/// search resumes as it would have continued.
class MeasuredSearch {
public:
    /// Draws a random configuration; nothing where none can be drawn.
    using Sampler = std::function<std::optional<Configuration>(Random& random)>;

    MeasuredSearch(std::shared_ptr<const ConfigurationSpace> space, Sampler sampler, Random random);

    /// Records a configuration that was measured, by this search or before it; without a time, it failed or
    /// was abandoned.
    void know(const Configuration& configuration, std::optional<double> median_ms);
    [[nodiscard]] std::size_t known_count() const { return known_.size(); }

    /// A configuration that is not known yet; the baseline first, where there is one. Absent when no new one
    /// was found.
    [[nodiscard]] std::optional<Configuration> next() const;

private:
    struct Parent {
        Configuration configuration;
        double median_ms;
    };

    [[nodiscard]] std::optional<Configuration> child(Random& random) const;
    [[nodiscard]] const Configuration& parent(Random& random) const;

    std::shared_ptr<const ConfigurationSpace> space_;
    Sampler sampler_;
    Random random_;
    std::unordered_set<Configuration> known_;
    std::vector<Parent> parents_; ///< the fastest, in their order
};

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
    std::int64_t other_engines = 0;          ///< measurements by other engines, which count as missing
};

[[nodiscard]] MeasurementConditions conditions_of(const CollectionRequest& request, MachineId machine,
                                                  WorkloadId workload);

/// What is stored counts only where the domain's engine measured it, and where it was measured (or tried in
/// vain) since a date, if there is one. Errors: not one of the workloads is there; a text that the domain
/// can't read; those of the workspace.
[[nodiscard]] Result<CollectionPlan> plan_collection(Workspace& workspace, const MeasuringDomain& domain,
                                                     MachineId machine, const CollectionRequest& request,
                                                     const std::optional<std::string>& since = {});

} // namespace sparsight
