// Families of workloads (learning/tasks/splits.h) among all of a workspace, also those that nothing is
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

/// Refers to the workspace and the domain. Statistics are computed only of workloads whose sizes agree.
class DerivedWorkloads {
public:
    [[nodiscard]] static Result<DerivedWorkloads> read(Workspace& workspace, const LearningDomain& domain,
                                                       int threads);

    /// These names, whether the workspace has them or not, and the families of them all. A workload whose
    /// data can't be read is taken for one of the family where its size says that it may be one.
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
    std::map<std::string, std::vector<std::string>> by_size_; ///< StoredWorkload::size_key, where it is known
};

} // namespace sparsight
