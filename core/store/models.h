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
/// Removes a model with its weights and its choices; models that were fine-tuned from it stay.
[[nodiscard]] Result<void> remove_model(Workspace& workspace, ModelId model);
[[nodiscard]] Result<std::vector<std::byte>> load_weights(Workspace& workspace, ModelId model);

/// What a stored model has seen before it is asked: its own training and that of its ancestors. It reads only
/// the workspace's records of models and runs, so that programs without LibTorch can ask.
class ModelLineage {
public:
    [[nodiscard]] static Result<ModelLineage> read(Workspace& workspace);

    /// The model and its ancestors, itself first.
    [[nodiscard]] std::vector<const ModelRecord*> ancestry(ModelId model) const;
    /// Names of the workloads that it and its ancestors learned from.
    [[nodiscard]] std::set<std::string> learned_from(ModelId model) const;
    /// Names of the workloads by which their best weights were chosen, as far as their splits are known.
    [[nodiscard]] Result<std::set<std::string>> validated_with(Workspace& workspace, ModelId model) const;
    /// The name of the split by which the oldest of them with a known split was trained: given to that
    /// training, or stored by it under the model's name. Empty where none is known.
    [[nodiscard]] std::string split(ModelId model) const;

private:
    [[nodiscard]] std::string own_split(const ModelRecord& model) const;

    std::vector<ModelRecord> models_;
    std::vector<RunRecord> runs_;
};

/// The workloads that one of the models or its ancestors learned from in any form: one of a family that they
/// know (Domain::family_key()) is not new to them.
[[nodiscard]] std::vector<std::string> training_workloads_among(const ModelLineage& lineage,
                                                                std::span<const ModelId> models,
                                                                std::span<const std::string> workloads,
                                                                const Domain& domain);

/// A sentence where a model that the simulator has a share in (model/checkpoints/checkpoint.h) is used for
/// another machine than the simulator was calibrated to, or where numbers of the setting are others
/// (Domain::members()): the simulator's share goes on to tell of its own. Nothing for all other models.
/// `machine` is a name, empty where nothing is known of it.
[[nodiscard]] std::optional<std::string> blend_scope_remark(const ModelRecord& model,
                                                            const std::string& machine,
                                                            std::span<const SettingMember> setting);

} // namespace sparsight
