#include "store/workload_families.h"

#include "store/workspace.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

/// Absent where one is missing, since another version of the domain wrote them.
std::optional<std::vector<double>> stored_statistics(const Domain& domain, const WorkloadRecord& workload) {
    const auto json = nlohmann::json::parse(workload.statistics, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object() || json.size() != domain.statistics().size())
        return std::nullopt;
    std::vector<double> numbers;
    for (const StatisticDescription& statistic : domain.statistics()) {
        const auto found = json.find(statistic.name);
        if (found == json.end() || !found->is_number())
            return std::nullopt;
        numbers.push_back(found->get<double>());
    }
    return numbers;
}

} // namespace

Result<WorkloadFamilies> WorkloadFamilies::read(Workspace& workspace, const Domain& domain,
                                                StatisticsReader read_statistics) {
    auto workloads = list_workloads(workspace, domain.name());
    if (!workloads)
        return std::unexpected(std::move(workloads).error());
    WorkloadFamilies families(domain, std::move(read_statistics));
    for (WorkloadRecord& workload : *workloads) {
        families.by_family_[domain.family_key(workload.name)].push_back(workload.name);
        const bool has_data = workload.payload != PayloadPlace::Unknown;
        if (std::string size = has_data ? domain.size_key(numeric_facts(workload)) : ""; !size.empty()) {
            families.by_size_[size].push_back(workload.name);
            families.size_of_.emplace(workload.name, std::move(size));
        }
        families.by_name_.emplace(workload.name, std::move(workload));
    }
    return families;
}

const WorkloadFamilies::Shape& WorkloadFamilies::shape(const WorkloadRecord& workload) const {
    const auto [known, is_new] = shapes_.try_emplace(workload.name);
    if (!is_new)
        return known->second;
    auto statistics = stored_statistics(*domain_, workload);
    if (!statistics && read_statistics_)
        statistics = read_statistics_(workload);
    if (statistics)
        known->second = domain_->shape_key(*statistics);
    return known->second;
}

bool WorkloadFamilies::are_alike(const WorkloadRecord& one, const WorkloadRecord& other) const {
    if (!one.known.content_hash.empty() && one.known.content_hash == other.known.content_hash)
        return true;
    const Shape& first = shape(one);
    const Shape& second = shape(other);
    if (!first || !second)
        return static_cast<bool>(read_statistics_);
    return !first->empty() && *first == *second;
}

std::set<std::string> WorkloadFamilies::with_relatives(const std::set<std::string>& names) const {
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
        const auto size = size_of_.find(name);
        if (size == size_of_.end())
            continue;
        for (const std::string& other : by_size_.at(size->second))
            if (!found.contains(other) && are_alike(by_name_.at(name), by_name_.at(other)))
                add(other);
    }
    return found;
}

std::set<WorkloadId> WorkloadFamilies::ids_with_relatives(const std::string& name) const {
    std::set<WorkloadId> ids;
    for (const std::string& each : with_relatives({name}))
        if (const auto workload = by_name_.find(each); workload != by_name_.end())
            ids.insert(workload->second.id);
    return ids;
}

} // namespace sparsight
