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

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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

/// The model of a query, ready to look at workloads. Uses the workspace as long as it lives. Used by one
/// thread at a time.
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
    [[nodiscard]] Result<std::shared_ptr<const WorkloadScorer>> look_at(const WorkloadRecord& workload,
                                                                        const SearchTarget& machine) const;

    // For many questions, one after the other.

    /// What was seen of the last workloads is kept: looking at one of them again costs nothing.
    void keep_looks(std::size_t most) { most_looks_ = most; }
    /// What the workspace said of workloads and machines is read again when it is needed next.
    void reread_workspace();

private:
    struct Look {
        WorkloadRecord workload;
        std::optional<MachineDescription> machine;
        std::shared_ptr<const WorkloadScorer> scorer;
    };

    [[nodiscard]] Result<const StoredWorkload*> stored_workload(const WorkloadRecord& workload) const;

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
    std::size_t most_looks_ = 0;
    mutable std::optional<std::vector<StoredWorkload>>
        workloads_; ///< of the workspace, once one is looked at
    mutable std::map<std::string, SearchTarget, std::less<>> machines_; ///< those that were asked for
    mutable std::deque<Look> looks_;                                    ///< the newest first
};

/// Whether it is a time under the protocol and the condition of the machine's other times.
[[nodiscard]] bool is_comparable_time(const ResultRecord& result, const SearchTarget& machine);

} // namespace sparsight
