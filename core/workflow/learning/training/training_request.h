// The request for a training run.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "learning/learning_domain.h"
#include "learning/tasks/split_tasks.h"
#include "learning/tasks/splits.h"
#include "learning/tasks/task.h"
#include "learning/training/training_plan.h"
#include "learning/training/training_sample.h"
#include "model/checkpoints/checkpoint.h"
#include "workflow/learning/settings.h"
#include "workflow/learning/training/machine_tasks.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct TrainRequest {
    std::string name;                  ///< name of the model
    std::vector<std::string> machines; ///< as in MachineTasksRequest, with the simulated ones
    std::vector<std::string> simulated;
    Setting setting;
    const LearningDomain* domain = nullptr; ///< domain of the setting
    std::string architecture;               ///< an architecture of the domain, or "trees": boosted trees
    TrainingOptions options;
    std::string split;               ///< a split of the workspace; empty: made by the shares
    std::optional<SplitBy> split_by; ///< absent: by workload, if there are enough, otherwise by row
    SplitShares shares;
    SampleRule sample = SampleRule::All; ///< of the training workloads
    double keep = 0.55;                  ///< share of their measurements that a sample keeps
    bool machine_features = false;
    int width = 0; ///< ArchitectureRequest::width
    bool baseline = true;
    std::string parent; ///< model to start from; empty: none
    int threads = 1;
    std::string device = "cpu"; ///< a device that can be used

    [[nodiscard]] bool is_network() const { return !is_of_trees(architecture); }
};

/// The settings of all domains; see RunSettings::keep_domain().
[[nodiscard]] std::vector<SettingDefinition> train_settings(const DomainRegistry& domains,
                                                            const LearningDomains& learning);

/// The settings of a network by name, without those that its method ignores: for TrainingRecord::settings.
[[nodiscard]] std::map<std::string, std::string> settings_in_effect(const RunSettings& settings,
                                                                    const TrainRequest& request);

/// Removes settings that earlier versions had not, where they are as those versions did it: their runs are
/// found again.
void leave_out_later_settings(const TrainRequest& request, const std::function<void(const char*)>& erase);

/// Sentences about settings that have no effect in this request.
[[nodiscard]] std::vector<std::string> settings_without_effect(const RunSettings& settings,
                                                               const TrainRequest& request);

/// `domain` is that of the setting, which is among the settings, too (read_setting()). Errors (Fault::Input)
/// name the setting, its value, what was expected, and where it was set.
[[nodiscard]] Result<TrainRequest> read_train_request(const RunSettings& settings, const std::string& name,
                                                      const Setting& setting, const LearningDomain& domain);

/// The training options among the settings; missing ones keep their defaults.
[[nodiscard]] Result<TrainingOptions> read_training_options(const RunSettings& settings);

/// Checks that the seed, if set, is a whole number, 0 or more.
[[nodiscard]] Result<void> check_seed(const RunSettings& settings);

/// A device that can be used here (model/tensors/torch_runtime.h).
[[nodiscard]] Result<std::string> read_device(const RunSettings& settings);

} // namespace sparsight
