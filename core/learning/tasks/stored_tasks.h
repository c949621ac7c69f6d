// What a workspace has to learn from in a domain whose workloads are known by their facts.
#pragma once

#include "learning/tasks/workspace_tasks.h"
#include "study/configuration.h"
#include "study/domain.h"
#include "study/workload.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sparsight {

/// The facts that are numbers; true is 1 and false 0. Error (Input): they are no JSON object.
[[nodiscard]] Result<NamedFacts::Numbers> fact_numbers(const WorkloadRecord& workload);

/// The same of what a sheet says of a machine; none where no sheet names it.
[[nodiscard]] Result<NamedFacts::Numbers> fact_numbers(Workspace& workspace, MachineId machine);

/// The conditions of all measurements in a setting, as TaskStorage::conditions() asks for them.
[[nodiscard]] Result<std::vector<RuntimeConditions>> stored_conditions(Workspace& workspace,
                                                                       const Setting& setting);

/// What is the same for all measurements of a configuration: configuration, is_baseline and digest.
using StoredConfigurationReader = std::function<Result<RecordedRuntime>(const WrittenConfiguration&)>;

/// The measurements under these conditions, as TaskStorage::runtimes() asks for them. Errors: those of the
/// workspace and of the reader.
[[nodiscard]] Result<std::vector<RecordedWorkload>> stored_runtimes(Workspace& workspace,
                                                                    const Setting& setting,
                                                                    const RuntimeConditions& under,
                                                                    const StoredConfigurationReader& read);

/// Workloads are NamedFacts. One without facts can be learned from, too: its configurations have an order.
class StoredTasks final : public TaskStorage {
public:
    /// Both must outlive it.
    StoredTasks(Workspace& workspace, const Domain& domain)
        : workspace_(workspace)
        , domain_(domain) {}

    [[nodiscard]] const Domain& domain() const override { return domain_; }
    /// Where they matter they are decisions, as tables have them.
    [[nodiscard]] bool tells_threads() const override { return false; }
    [[nodiscard]] std::string setting_name(const Setting& setting) const override;
    [[nodiscard]] Result<std::vector<RuntimeConditions>> conditions(const Setting& setting) override;
    [[nodiscard]] Result<std::vector<RecordedWorkload>> runtimes(const Setting& setting,
                                                                 const RuntimeConditions& under) override;
    [[nodiscard]] Result<std::vector<StoredWorkload>> workloads() override;
    [[nodiscard]] Result<TaskWorkload> examine(const StoredWorkload& workload, int threads) override;

private:
    Workspace& workspace_;
    const Domain& domain_;
    std::map<WorkloadId, WorkloadRecord> records_; ///< since workloads() was called
};

} // namespace sparsight
