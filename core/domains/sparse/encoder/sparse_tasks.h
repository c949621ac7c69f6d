// Matrices and SuperSchedules as tasks to learn from: what a workspace has of them, and how simulated
// machines run them.
#pragma once

#include "domains/sparse/encoder/network_description.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/statistics.h"
#include "learning/tasks/transfer_tasks.h"
#include "learning/tasks/workspace_tasks.h"

#include <functional>
#include <map>
#include <string>

namespace sparsight {

/// A matrix with these statistics; `load` reads its pattern.
[[nodiscard]] TaskWorkload task_workload(std::string name, const PatternStatistics& statistics,
                                         std::function<Result<CsrPattern>()> load);

/// Refers to the workspace.
class SparseTaskStorage final : public TaskStorage {
public:
    explicit SparseTaskStorage(Workspace& workspace)
        : workspace_(workspace) {}

    [[nodiscard]] const Domain& domain() const override { return *domain_; }
    [[nodiscard]] bool tells_threads() const override { return true; }
    /// The operator.
    [[nodiscard]] std::string setting_name(const Setting& setting) const override;
    [[nodiscard]] Result<std::vector<RuntimeConditions>> conditions(const Setting& setting) override;
    [[nodiscard]] Result<std::vector<RecordedWorkload>> runtimes(const Setting& setting,
                                                                 const RuntimeConditions& under) override;
    [[nodiscard]] Result<std::vector<StoredWorkload>> workloads() override;
    [[nodiscard]] Result<TaskWorkload> examine(const StoredWorkload& workload, int threads) override;
    [[nodiscard]] Result<std::shared_ptr<const Payload>> payload(const StoredWorkload& workload,
                                                                 int threads) override;

private:
    Workspace& workspace_;
    std::unique_ptr<const Domain> domain_ = make_sparse_domain();
    std::map<WorkloadId, MatrixRecord> records_; ///< since workloads() was called
};

/// workspace_tasks() of matrices.
[[nodiscard]] Result<WorkspaceTasks> sparse_tasks(Workspace& workspace, const TaskRequest& request,
                                                  const std::stop_token& stop = {},
                                                  const ProgressSink& progress = {});

/// Of the matrices that are trained on, as places in the set.
[[nodiscard]] Standardisation standardise(Architecture architecture, const TaskSet& tasks,
                                          std::span<const std::size_t> train);

} // namespace sparsight
