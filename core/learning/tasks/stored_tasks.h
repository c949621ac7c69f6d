// Training data of a workspace, in a domain whose workloads are described by facts.
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

/// The numeric facts; true is 1 and false 0. Error (Input): the facts are not a JSON object.
[[nodiscard]] Result<NamedFacts::Numbers> fact_numbers(const WorkloadRecord& workload);

/// The numeric facts of a machine's sheet; empty where no sheet names the machine.
[[nodiscard]] Result<NamedFacts::Numbers> fact_numbers(Workspace& workspace, MachineId machine);

/// The conditions of all measurements in a setting, in the order of TaskStorage::conditions().
[[nodiscard]] Result<std::vector<RuntimeConditions>> stored_conditions(Workspace& workspace,
                                                                       const Setting& setting);

/// Reads the parts that all measurements of a configuration share: configuration, is_baseline and digest.
using StoredConfigurationReader = std::function<Result<RecordedRuntime>(const WrittenConfiguration&)>;

/// The measurements under these conditions, for TaskStorage::runtimes(). Errors: those of the workspace and
/// of the reader.
[[nodiscard]] Result<std::vector<RecordedWorkload>> stored_runtimes(Workspace& workspace,
                                                                    const Setting& setting,
                                                                    const RuntimeConditions& under,
                                                                    const StoredConfigurationReader& read);

/// Workloads are NamedFacts. A workload without facts can be learned from, too, because its configurations
/// have an order.
class StoredTasks final : public TaskStorage {
public:
    /// The workspace and the domain must outlive it.
    StoredTasks(Workspace& workspace, const Domain& domain)
        : workspace_(workspace)
        , domain_(domain) {}

    [[nodiscard]] const Domain& domain() const override { return domain_; }
    /// Where threads matter, they are decisions, as tables have them.
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
    std::map<WorkloadId, WorkloadRecord> records_; ///< as of the last call of workloads()
};

} // namespace sparsight
