// The request for a fine-tuning.
#pragma once

#include "base/observer.h"
#include "learning/fine_tuning/fine_tuning.h"
#include "learning/tasks/splits.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/learning/settings.h"
#include "workflow/learning/training/training_request.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// A name among the models to compare with: a network without any training.
inline constexpr std::string_view scratch_contender = "scratch";
/// … the calibrated simulator of a gray box alone, and boosted trees that know nothing else.
inline constexpr std::string_view simulator_contender = "simulator";
inline constexpr std::string_view trees_contender = "trees";
/// … boosted trees that read what a gray box reads, on its calibrated simulator.
inline constexpr std::string_view trees_on_simulator_contender = "trees:simulator";
/// … before the name of a network: blended with the calibrated simulator.
inline constexpr std::string_view blend_contender = "blend:";
/// The model that a word names; absent where it is one of the others.
[[nodiscard]] std::optional<std::string> model_of_contender(std::string_view word);

struct FinetuneRequest {
    std::string model;   ///< the model to adapt
    std::string machine; ///< name or fingerprint of the new machine
    std::string name;    ///< name of the new model
    std::vector<std::string> workloads;
    std::size_t workload_count = 100; ///< if no workloads are named
    /// Number of the machine's configurations to learn from, of any workload; all others are tested. 0: whole
    /// workloads are learned from, if there are enough.
    std::size_t rows = 0;
    std::optional<FineTuningRule> rule;             ///< absent: as the model was trained
    std::optional<double> inner_rate;               ///< absent: as the model was trained
    std::optional<double> adam_rate;                ///< absent: as suits the rule
    int epochs = 0;                                 ///< 0: the usual number for the rule
    std::optional<int> configurations_per_workload; ///< absent: as suits the rule
    Loss loss = Loss::PairwiseLogistic;
    std::string split; ///< empty: the model's own split, if the workspace has it; otherwise by the shares
    SplitShares shares;
    /// Number of workloads, or of configurations by row; empty: no shot curve.
    std::vector<std::size_t> shots;
    int seeds = 5;
    std::vector<std::string> against; ///< the words above, and names of models
    int scratch_epochs = 60;
    std::uint64_t seed = 1;
    int threads = 1;
    std::string device = "cpu"; ///< a device that can be used
};

/// The settings of all domains, without parts of a setting that a model determines.
[[nodiscard]] std::vector<SettingDefinition> finetune_settings(const DomainRegistry& domains);

/// Settings by name, with the effective value of each default: for TrainingRecord::settings.
[[nodiscard]] std::map<std::string, std::string> settings_in_effect(const RunSettings& settings,
                                                                    const FineTuningOptions& options);

/// Errors (Fault::Input) name the setting, its value, what was expected, and where it was set.
[[nodiscard]] Result<FinetuneRequest> read_finetune_request(const RunSettings& settings);
/// The setting in which a model is adapted. The settings supply what the model leaves open, and keep its
/// domain. Errors as above.
[[nodiscard]] Result<Setting> read_model_setting(const RunSettings& settings, const StoredModel& model);

/// How a model is adapted; options that the request leaves open are as the model was trained.
[[nodiscard]] Result<FineTuningOptions>
finetuning_options(Workspace& workspace, const FinetuneRequest& request, const StoredModel& model);

} // namespace sparsight
