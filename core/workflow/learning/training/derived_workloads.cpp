#include "workflow/learning/training/derived_workloads.h"

#include "learning/tasks/splits.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sparsight {

Result<DerivedWorkloads> DerivedWorkloads::read(Workspace& workspace, const LearningDomain& domain,
                                                int threads) {
    DerivedWorkloads derived(workspace, domain, threads);
    auto workloads = derived.storage_->workloads();
    if (!workloads)
        return std::unexpected(std::move(workloads).error());
    for (StoredWorkload& workload : *workloads) {
        derived.by_family_[derived.domain_->family_key(workload.name)].push_back(workload.name);
        if (!workload.size_key.empty())
            derived.by_size_[workload.size_key].push_back(workload.name);
        derived.by_name_.emplace(workload.name, std::move(workload));
    }
    return derived;
}

bool DerivedWorkloads::have_one_shape(const StoredWorkload& one, const StoredWorkload& other) const {
    if (!one.content_hash.empty() && one.content_hash == other.content_hash)
        return true;
    const auto first = storage_->examine(one, threads_);
    const auto second = storage_->examine(other, threads_);
    if (!first || !second)
        return true;
    return workload_families(std::array{*first, *second})[1] == 0;
}

std::set<std::string> DerivedWorkloads::with_derived(const std::set<std::string>& names) const {
    std::set<std::string> found = names;
    std::vector<std::string> unseen(names.begin(), names.end());
    const auto add = [&](const std::string& name) {
        if (found.insert(name).second)
            unseen.push_back(name);
    };
    while (!unseen.empty()) {
        const std::string name = std::move(unseen.back());
        unseen.pop_back();
        if (const auto family = by_family_.find(domain_->family_key(name)); family != by_family_.end())
            std::ranges::for_each(family->second, add);
        const auto workload = by_name_.find(name);
        if (workload == by_name_.end() || workload->second.size_key.empty())
            continue;
        for (const std::string& other : by_size_.at(workload->second.size_key))
            if (!found.contains(other) && have_one_shape(workload->second, by_name_.at(other)))
                add(other);
    }
    return found;
}

std::set<WorkloadId> DerivedWorkloads::ids_with_derived(const std::string& name) const {
    std::set<WorkloadId> ids;
    for (const std::string& each : with_derived({name}))
        if (const auto workload = by_name_.find(each); workload != by_name_.end())
            ids.insert(workload->second.id);
    return ids;
}

} // namespace sparsight
