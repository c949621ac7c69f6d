#include "workflow/learning/reasons/model_query.h"

#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace sparsight {

Result<QueriedModel> QueriedModel::load(Workspace& workspace, const LearningDomains& domains,
                                        const ModelQuery& query) {
    auto stored = load_model(workspace, domains, query.model);
    if (!stored)
        return std::unexpected(std::move(stored).error());
    QueriedModel queried(workspace, *std::move(stored), query.threads);
    auto setting = setting_for(queried.model_, query.setting);
    if (!setting)
        return std::unexpected(std::move(setting).error());
    queried.setting_ = *std::move(setting);
    auto codec = queried.domain().codec(queried.setting_);
    if (!codec)
        return std::unexpected(std::move(codec).error());
    queried.codec_ = *std::move(codec);
    auto model = make_cost_model(queried.model_.checkpoint, *queried.model_.domain);
    if (!model)
        return std::unexpected(std::move(model).error());
    queried.cost_model_ = *std::move(model);
    queried.storage_ = queried.model_.domain->task_storage(workspace);
    return queried;
}

Result<WorkloadRecord> QueriedModel::workload(const std::string& name) const {
    auto found = find_workload(*workspace_, domain().name(), name);
    if (!found)
        return std::unexpected(std::move(found).error());
    if (!*found)
        return fail(Fault::Input,
                    fmt::format("the workspace has no {} '{}'", domain().words().workload.one, name));
    return **std::move(found);
}

Result<std::vector<ResultRecord>> QueriedModel::results(const std::string& workload,
                                                        const std::string& machine) const {
    return list_results(*workspace_, {.domain = std::string(domain().name()),
                                      .workload = workload,
                                      .machine = machine,
                                      .setting = setting_.text});
}

Result<SearchTarget> QueriedModel::machine(const std::string& name) const {
    if (const auto known = machines_.find(name); known != machines_.end())
        return known->second;
    auto target = search_target(*workspace_, name, setting_);
    if (target)
        machines_.emplace(name, *target);
    return target;
}

Result<const StoredWorkload*> QueriedModel::stored_workload(const WorkloadRecord& workload) const {
    if (!workloads_) {
        auto workloads = storage_->workloads();
        if (!workloads)
            return std::unexpected(std::move(workloads).error());
        workloads_ = *std::move(workloads);
    }
    const auto found = std::ranges::find(*workloads_, workload.id, &StoredWorkload::id);
    if (found == workloads_->end())
        return fail(Fault::Input, fmt::format("nothing but the name of {} is known", workload.name));
    return &*found;
}

Result<std::shared_ptr<const WorkloadScorer>> QueriedModel::look_at(const WorkloadRecord& workload,
                                                                    const SearchTarget& machine) const {
    if (auto checked = check_description(model_, machine.description); !checked)
        return std::unexpected(std::move(checked).error());
    const auto seen = std::ranges::find_if(looks_, [&](const Look& look) {
        return look.workload == workload && look.machine == machine.description;
    });
    if (seen != looks_.end()) {
        std::rotate(looks_.begin(), seen, std::next(seen));
        return looks_.front().scorer;
    }
    const auto stored = stored_workload(workload);
    if (!stored)
        return std::unexpected(stored.error());
    auto payload = storage_->payload(**stored, threads_);
    if (!payload)
        return std::unexpected(std::move(payload).error());
    auto scorer = cost_model_->embed(*std::move(payload),
                                     machine.description ? &*machine.description : nullptr, threads_);
    if (!scorer)
        return std::unexpected(std::move(scorer).error());
    std::shared_ptr<const WorkloadScorer> shared = *std::move(scorer);
    if (most_looks_ > 0) {
        looks_.push_front({workload, machine.description, shared});
        looks_.resize(std::min(looks_.size(), most_looks_));
    }
    return shared;
}

void QueriedModel::reread_workspace() {
    workloads_.reset();
    machines_.clear();
}

bool is_comparable_time(const ResultRecord& result, const SearchTarget& machine) {
    const auto& query = machine.recorded;
    return result.status == MeasurementStatus::Measured && result.median_ms &&
           (!query || (result.protocol == query->protocol && result.condition == query->condition));
}

} // namespace sparsight
