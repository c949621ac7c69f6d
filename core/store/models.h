// Trained models: a description (JSON) and their weights as bytes, the run that made them, the model that
// they were fine-tuned from, and the workloads that each has seen in training.
#pragma once

#include "base/error.h"
#include "store/runs.h"
#include "study/domain.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

class WorkloadFamilies;
class Workspace;

enum class ModelId : std::int64_t {};

struct ModelRecord {
    ModelId id{};
    std::string name;
    std::optional<RunId> run;
    std::optional<ModelId> parent;
    std::string description; ///< JSON
    std::uint64_t bytes = 0; ///< of the weights
    std::string created;     ///< UTC, ISO 8601
};

struct NewModel {
    std::string name;
    std::optional<RunId> run;
    std::optional<ModelId> parent;
    std::string description;
};

/// Adds a model. An error when a model of this name exists.
[[nodiscard]] Result<ModelId> add_model(Workspace& workspace, const NewModel& model,
                                        std::span<const std::byte> weights);
[[nodiscard]] Result<std::vector<ModelRecord>> list_models(Workspace& workspace);
[[nodiscard]] Result<std::optional<ModelRecord>> find_model(Workspace& workspace, std::string_view name);
/// The same; an error (Fault::Input) lists the known models.
[[nodiscard]] Result<ModelRecord> require_model(Workspace& workspace, std::string_view name);
/// Whether its description says so. Programs without LibTorch can use this.
[[nodiscard]] bool is_gray_box(const ModelRecord& model);
/// Removes a model with its weights and its choices; models that were fine-tuned from it stay.
[[nodiscard]] Result<void> remove_model(Workspace& workspace, ModelId model);
[[nodiscard]] Result<std::vector<std::byte>> load_weights(Workspace& workspace, ModelId model);

/// The workloads that a stored model has seen in its own training and in that of its ancestors. Only the
/// workspace's records of models and runs are read, so programs without LibTorch can use this.
class ModelLineage {
public:
    [[nodiscard]] static Result<ModelLineage> read(Workspace& workspace);

    /// The model and its ancestors, itself first.
    [[nodiscard]] std::vector<const ModelRecord*> ancestry(ModelId model) const;
    /// Names of the workloads that it and its ancestors learned from.
    [[nodiscard]] std::set<std::string> learned_from(ModelId model) const;
    /// Names of the workloads that selected their best weights, as far as the splits are known.
    [[nodiscard]] Result<std::set<std::string>> validated_with(Workspace& workspace, ModelId model) const;
    /// Both: what can't test the model.
    [[nodiscard]] Result<std::set<std::string>> seen_by(Workspace& workspace, ModelId model) const;
    /// The name of the split of the oldest of them with a known split: a split that the training was given,
    /// or one that it stored under the model's name. Empty where none is known.
    [[nodiscard]] std::string split(ModelId model) const;

private:
    [[nodiscard]] std::string own_split(const ModelRecord& model) const;

    std::vector<ModelRecord> models_;
    std::vector<RunRecord> runs_;
};

/// The workloads that one of the models or its ancestors learned from, in any form: a relative of a known
/// workload is not new to a model.
[[nodiscard]] std::vector<std::string> training_workloads_among(const ModelLineage& lineage,
                                                                std::span<const ModelId> models,
                                                                std::span<const std::string> workloads,
                                                                const WorkloadFamilies& families);

/// A warning where a model that is blended with the simulator (model/checkpoints/checkpoint.h) is used for
/// another machine than the simulator was calibrated to, or in a setting with other numbers
/// (Domain::members()): the simulator's part still predicts its own. Absent for all other models. `machine`
/// is a name; empty where it is not known.
[[nodiscard]] std::optional<std::string> blend_scope_remark(const ModelRecord& model,
                                                            const std::string& machine,
                                                            std::span<const SettingMember> setting);

} // namespace sparsight
