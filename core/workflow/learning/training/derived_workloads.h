// Families of workloads (learning/tasks/splits.h) among all workloads of a workspace, not only those that are
// learned from.
#pragma once

#include "base/error.h"
#include "learning/learning_domain.h"
#include "store/workloads.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

/// Keeps references to the workspace and the domain. Statistics are computed only for workloads whose sizes
/// agree.
class DerivedWorkloads {
public:
    [[nodiscard]] static Result<DerivedWorkloads> read(Workspace& workspace, const LearningDomain& domain,
                                                       int threads);

    /// These names, known to the workspace or not, and all members of their families. A workload whose data
    /// can't be read counts as a member if its size allows it.
    [[nodiscard]] std::set<std::string> with_derived(const std::set<std::string>& names) const;

    [[nodiscard]] std::set<WorkloadId> ids_with_derived(const std::string& name) const;

private:
    DerivedWorkloads(Workspace& workspace, const LearningDomain& domain, int threads)
        : domain_(&domain.domain())
        , storage_(domain.task_storage(workspace))
        , threads_(threads) {}
    [[nodiscard]] bool have_one_shape(const StoredWorkload& one, const StoredWorkload& other) const;

    const Domain* domain_;
    std::unique_ptr<TaskStorage> storage_;
    int threads_;
    std::map<std::string, StoredWorkload> by_name_;
    std::map<std::string, std::vector<std::string>> by_family_; ///< Domain::family_key()
    /// By StoredWorkload::size_key, where it is known.
    std::map<std::string, std::vector<std::string>> by_size_;
};

} // namespace sparsight
