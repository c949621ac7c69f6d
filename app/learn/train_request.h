// What a training run is asked to do.
#pragma once

#include "learn/settings.h"
#include "learning/matrix_split.h"
#include "learning/training_options.h"
#include "model/network_description.h"
#include "schedule/operator.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The one word of `machines` by which a model learns from imagined machines alone: what a new machine's
/// few measurements add to it is then seen without the machine having been learned from before.
inline constexpr std::string_view no_machine = "none";

struct TrainRequest {
    std::string name;                  ///< of the model
    std::vector<std::string> machines; ///< empty: all that have measurements; or `no_machine` alone
    std::vector<std::string> simulated;
    Operator op = Operator::SpMM;
    std::int64_t dense = 256;
    std::optional<Architecture> network = Architecture::StatisticsNet; ///< nothing: boosted trees
    TrainingOptions options;
    std::string split; ///< of the workspace; empty: made by the shares
    SplitShares shares;
    bool machine_features = false;
    bool baseline = true;
    std::string parent; ///< model to begin with; empty: none
    int threads = 1;
    std::string device = "cpu"; ///< usable
};

[[nodiscard]] std::vector<SettingDefinition> train_settings();
[[nodiscard]] std::span<const Preset> train_presets();

/// Of a network, by name, without those that its method does not read: for TrainingRecord::settings.
[[nodiscard]] std::map<std::string, std::string> settings_in_effect(const RunSettings& settings,
                                                                    const TrainRequest& request);

/// Errors (Fault::Input) name the setting, its value, what was expected, and where it was said.
[[nodiscard]] Result<TrainRequest> read_train_request(const RunSettings& settings, const std::string& name);

/// The training options among the settings; those that the settings don't have keep their defaults.
[[nodiscard]] Result<TrainingOptions> read_training_options(const RunSettings& settings);

/// Where there is one: a whole number, 0 or more.
[[nodiscard]] Result<void> check_seed(const RunSettings& settings);

/// One that can be used here (model/compute_device.h).
[[nodiscard]] Result<std::string> read_device(const RunSettings& settings);

} // namespace sparsight
