// What a training run is asked to do.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "learning/learning_domain.h"
#include "learning/tasks/split_tasks.h"
#include "learning/tasks/splits.h"
#include "learning/tasks/task.h"
#include "learning/training/training_plan.h"
#include "model/checkpoints/checkpoint.h"
#include "workflow/learning/settings.h"
#include "workflow/learning/training/machine_tasks.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct TrainRequest {
    std::string name;                  ///< of the model
    std::vector<std::string> machines; ///< as MachineTasksRequest has them, and the simulated ones
    std::vector<std::string> simulated;
    Setting setting;
    const LearningDomain* domain = nullptr;  ///< of the setting
    std::string architecture = "statistics"; ///< one of the domain; "trees": boosted trees
    TrainingOptions options;
    std::string split;               ///< of the workspace; empty: made by the shares
    std::optional<SplitBy> split_by; ///< nothing: by workload, where there are enough, else by row
    SplitShares shares;
    bool machine_features = false;
    bool baseline = true;
    std::string parent; ///< model to begin with; empty: none
    int threads = 1;
    std::string device = "cpu"; ///< usable

    [[nodiscard]] bool is_network() const { return architecture != trees_architecture; }
};

/// Those of all domains; see RunSettings::keep_domain().
[[nodiscard]] std::vector<SettingDefinition> train_settings(const DomainRegistry& domains,
                                                            const LearningDomains& learning);

/// Of a network, by name, without those that its method does not read: for TrainingRecord::settings.
[[nodiscard]] std::map<std::string, std::string> settings_in_effect(const RunSettings& settings,
                                                                    const TrainRequest& request);

/// What was given and is read by nothing in this request; sentences.
[[nodiscard]] std::vector<std::string> settings_without_effect(const RunSettings& settings,
                                                               const TrainRequest& request);

/// `domain` is that of the setting, which the settings give, too (read_setting()). Errors (Fault::Input) name
/// the setting, its value, what was expected, and where it was said.
[[nodiscard]] Result<TrainRequest> read_train_request(const RunSettings& settings, const std::string& name,
                                                      const Setting& setting, const LearningDomain& domain);

/// The training options among the settings; those that the settings don't have keep their defaults.
[[nodiscard]] Result<TrainingOptions> read_training_options(const RunSettings& settings);

/// Where there is one: a whole number, 0 or more.
[[nodiscard]] Result<void> check_seed(const RunSettings& settings);

/// One that can be used here (model/tensors/torch_runtime.h).
[[nodiscard]] Result<std::string> read_device(const RunSettings& settings);

// What a run learns from: tasks of the workspace and imagined ones, and which workloads are for what.

struct TrainingData {
    TaskSet set; ///< of parts of workloads where they are not split by workload
    WorkloadSplit split;
    std::vector<std::string> notes; ///< what is learned from, what is left out and why; sentences
    SplitBy by = SplitBy::Workload;
};

/// Refers to the workspace, which has to live as long. Errors: nothing to learn from; machines and splits
/// that there are not; too few workloads; Fault::Cancelled.
[[nodiscard]] Result<TrainingData> training_data(Workspace& workspace, const TrainRequest& request,
                                                 const std::stop_token& stop, const ProgressSink& progress);

/// By machine {"runtimes": how many, "digest": of every workload, configuration, time and spread} of these
/// parts of a split, with the facts of the machine where a network reads them: a run that learns from data
/// that have changed is another one. Of what it is only tested with it is the same.
[[nodiscard]] Json identity_of(const TaskSet& set, const std::vector<std::vector<std::size_t>>& parts,
                               bool reads_machine);

/// The parameter by which runs that are tested with rows are told from older ones, whose regret was among
/// the few rows of a group.
inline constexpr const char* regret_parameter = "regret";
inline constexpr const char* regret_of_workloads = "workload";
/// Among which rows the regret is, where rows are tested; a sentence.
[[nodiscard]] std::string held_out_rows(const TaskSet& set, const std::vector<std::size_t>& test);

/// What there has to be in the data for this loss.
[[nodiscard]] LearningGoal goal_of(Loss loss);

/// Some workloads of a set as a user counts them: parts of one are one workload.
struct WholeWorkloads {
    std::vector<std::string> names; ///< each once, in the order of the set
    std::size_t groups = 0;         ///< of their configurations, where there are more of them than workloads
};
[[nodiscard]] WholeWorkloads whole_workloads(const TaskSet& set, const std::vector<std::size_t>& places);
[[nodiscard]] std::vector<std::string> machine_names(const TaskSet& set);
/// Of those that have something of these workloads: what is learned from, where machines are held out.
[[nodiscard]] std::vector<std::string> machine_names(const TaskSet& set,
                                                     const std::vector<std::size_t>& workloads);

/// By what a set is split where nobody said it: by workload, unless there are too few families of them.
[[nodiscard]] SplitBy usual_split(const TaskSet& set);

} // namespace sparsight
