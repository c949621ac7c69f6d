// What a fine-tuning is asked to do.
#pragma once

#include "learn/settings.h"
#include "learning/fine_tuning.h"
#include "learning/matrix_split.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Among those that a model is compared with: a network that knows nothing.
inline constexpr std::string_view scratch_contender = "scratch";

struct FinetuneRequest {
    std::string model;   ///< that is adapted
    std::string machine; ///< name or fingerprint
    std::string name;    ///< of the new model
    std::vector<std::string> matrices;
    std::size_t matrix_count = 100; ///< where none are named
    std::int64_t dense = 256;
    std::optional<FineTuningRule> rule; ///< nothing: as the model was trained
    std::optional<double> inner_rate;   ///< nothing: as the model was trained
    double adam_rate = 1e-3;
    int epochs = 0; ///< 0: what suits the rule
    int schedules_per_matrix = 32;
    Loss loss = Loss::PairwiseLogistic;
    std::string split; ///< empty: the model's own, where the workspace has it, else by the shares
    SplitShares shares;
    std::vector<std::size_t> shots; ///< none: no shot curve
    int seeds = 5;
    /// The simulator, calibrated to the same measurements, gets a share in the scores.
    bool with_simulator = true;
    std::vector<std::string> against; ///< "scratch" and models
    int scratch_epochs = 60;
    std::uint64_t seed = 1;
    int threads = 1;
    std::string device = "cpu"; ///< usable
};

[[nodiscard]] std::vector<SettingDefinition> finetune_settings();

/// By name, with what stands for a default: for TrainingRecord::settings.
[[nodiscard]] std::map<std::string, std::string> settings_in_effect(const RunSettings& settings,
                                                                    const FineTuningOptions& options);

/// Errors (Fault::Input) name the setting, its value, what was expected, and where it was said.
[[nodiscard]] Result<FinetuneRequest> read_finetune_request(const RunSettings& settings);

} // namespace sparsight
