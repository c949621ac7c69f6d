// What a fine-tuning is asked to do.
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
#include <stop_token>
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
    std::vector<std::string> workloads;
    std::size_t workload_count = 100; ///< where none are named
    /// Configurations of the machine that are learned from, whatever workload they are of; all others are the
    /// test. 0: whole workloads are learned from, where there are enough.
    std::size_t rows = 0;
    std::optional<FineTuningRule> rule; ///< nothing: as the model was trained
    std::optional<double> inner_rate;   ///< nothing: as the model was trained
    double adam_rate = 1e-3;
    int epochs = 0; ///< 0: what suits the rule
    int configurations_per_workload = 32;
    Loss loss = Loss::PairwiseLogistic;
    std::string split; ///< empty: the model's own, where the workspace has it, else by the shares
    SplitShares shares;
    std::vector<std::size_t> shots; ///< of workloads, or of configurations by rows; none: no shot curve
    int seeds = 5;
    /// The simulator, calibrated to the same measurements, gets a share in the scores.
    bool with_simulator = true;
    std::vector<std::string> against; ///< "scratch" and models
    int scratch_epochs = 60;
    std::uint64_t seed = 1;
    int threads = 1;
    std::string device = "cpu"; ///< usable
};

/// Those of all domains, but for parts of a setting that a model has.
[[nodiscard]] std::vector<SettingDefinition> finetune_settings(const DomainRegistry& domains);

/// By name, with what stands for a default: for TrainingRecord::settings.
[[nodiscard]] std::map<std::string, std::string> settings_in_effect(const RunSettings& settings,
                                                                    const FineTuningOptions& options);

/// Errors (Fault::Input) name the setting, its value, what was expected, and where it was said.
[[nodiscard]] Result<FinetuneRequest> read_finetune_request(const RunSettings& settings);
/// What a model is adapted in: what it leaves open is said by the settings, which keep its domain. Errors as
/// above.
[[nodiscard]] Result<Setting> read_model_setting(const RunSettings& settings, const StoredModel& model);

// What a fine-tuning learns from: one machine, and workloads of it that the model is not tested with.

struct FinetuneData {
    TrainingData data;              ///< with one task
    std::vector<std::size_t> tuned; ///< workloads that are learned from, of the training ones
    /// By row, workloads of all rows that are not learned from; else empty: the split's are tested.
    std::vector<std::size_t> other_rows{};
    Json model_ids{};    ///< of the model and its rivals: one that was made anew is another one
    std::string split{}; ///< whose sides are taken; empty: drawn by the shares

    /// Whether configurations were drawn, and not workloads.
    [[nodiscard]] bool is_by_row() const { return data.by == SplitBy::Row; }
    /// What the model is tested with before and after. The curve is tested with the split's: its points learn
    /// from different ones.
    [[nodiscard]] const std::vector<std::size_t>& tested() const {
        return is_by_row() ? other_rows : data.split.test;
    }
    /// What a shot of the curve is.
    [[nodiscard]] const Noun& shot() const {
        return is_by_row() ? data.set.words.configuration : data.set.words.workload;
    }
    [[nodiscard]] std::size_t available_shots() const {
        return is_by_row() ? count_rows(data.set.tasks.front(), data.split.train) : data.split.train.size();
    }
};

[[nodiscard]] Result<FinetuneData> finetune_data(Workspace& workspace, const FinetuneRequest& request,
                                                 const Setting& setting, const StoredModel& model,
                                                 const std::stop_token& stop, const ProgressSink& progress);

/// By row: what is learned from, what is tested, and what the regret is against.
[[nodiscard]] std::string rows_sentence(const FinetuneData& data);

/// What was given and is read by nothing in this fine-tuning; sentences.
[[nodiscard]] std::vector<std::string>
settings_without_effect(const RunSettings& settings, const FinetuneRequest& request, const FinetuneData& data,
                        const FineTuningOptions& options, const StoredModel& model);

/// How a model is adapted: what the request leaves open is as the model was trained.
[[nodiscard]] Result<FineTuningOptions>
finetuning_options(Workspace& workspace, const FinetuneRequest& request, const StoredModel& model);

} // namespace sparsight
