// How every question to a model of the workspace begins, in any domain: which model, in which setting, on
// which machine.
#pragma once

#include "learning/learning_domain.h"
#include "learning/tasks/workspace_tasks.h"
#include "model/cost_model.h"
#include "store/results.h"
#include "store/workloads.h"
#include "workflow/chosen_setting.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/learning/search/configuration_pool.h"

#include <memory>
#include <string>
#include <vector>

namespace sparsight {

class Workspace;

struct ModelQuery {
    std::string model;
    std::string machine{};   ///< name or fingerprint; empty: this computer
    SettingChoice setting{}; ///< supplies what the model leaves open
    int threads = 1;
};

/// The model of a query, ready to look at workloads. Uses the workspace as long as it lives.
class QueriedModel {
public:
    /// Errors (Input): there is no such model; the setting is of another domain, or the model is for another
    /// one.
    [[nodiscard]] static Result<QueriedModel> load(Workspace& workspace, const LearningDomains& domains,
                                                   const ModelQuery& query);

    [[nodiscard]] const StoredModel& stored() const { return model_; }
    [[nodiscard]] const Domain& domain() const { return model_.domain->domain(); }
    [[nodiscard]] const Setting& setting() const { return setting_; }
    [[nodiscard]] const ConfigurationCodec& codec() const { return *codec_; }
    [[nodiscard]] const CostModel& cost_model() const { return *cost_model_; }

    /// Error (Input): the workspace has no such workload.
    [[nodiscard]] Result<WorkloadRecord> workload(const std::string& name) const;
    /// Its results in the setting. `machine` is a name or fingerprint; empty: on all machines.
    [[nodiscard]] Result<std::vector<ResultRecord>> results(const std::string& workload,
                                                            const std::string& machine) const;
    [[nodiscard]] Result<SearchTarget> machine(const std::string& name) const;
    /// Errors (Input): the model needs a description of the machine, and there is none; nothing but the name
    /// of the workload is known.
    [[nodiscard]] Result<std::unique_ptr<WorkloadScorer>> look_at(const WorkloadRecord& workload,
                                                                  const SearchTarget& machine) const;

private:
    QueriedModel(Workspace& workspace, StoredModel model, int threads)
        : workspace_(&workspace)
        , model_(std::move(model))
        , threads_(threads) {}

    Workspace* workspace_;
    StoredModel model_;
    int threads_;
    Setting setting_;
    std::shared_ptr<const ConfigurationCodec> codec_;
    std::unique_ptr<CostModel> cost_model_;
    std::unique_ptr<TaskStorage> storage_;
    std::vector<StoredWorkload> workloads_; ///< of the workspace
};

/// Whether it is a time under the protocol and the condition of the machine's other times.
[[nodiscard]] bool is_comparable_time(const ResultRecord& result, const SearchTarget& machine);

} // namespace sparsight
