// Models between the workspace (store/models.h), where they are bytes, and the domain that understands them.
#pragma once

#include "base/error.h"
#include "learning/tasks/task.h"
#include "learning/tasks/workspace_tasks.h"
#include "learning/training/learning_method.h"
#include "model/checkpoints/checkpoint.h"
#include "model/cost_model.h"
#include "model/networks/encoder.h"
#include "store/models.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace sparsight {

class Workspace;

struct StoredModel {
    ModelRecord record;
    Checkpoint checkpoint;
};

/// By name. The error (Fault::Input) names the models that there are, or what is wrong with this one.
[[nodiscard]] Result<StoredModel> load_model(Workspace& workspace, std::string_view name);

/// The record alone; errors as above.
[[nodiscard]] Result<ModelRecord> model_record(Workspace& workspace, std::string_view name);

/// Of a record. An error (Fault::Input) says what is wrong with it.
[[nodiscard]] Result<ModelDescription> description_of(const ModelRecord& record);

/// As read_checkpoint().
[[nodiscard]] Result<Checkpoint> read_model_file(const std::filesystem::path& path);

/// As make_cost_model().
[[nodiscard]] Result<std::unique_ptr<CostModel>> cost_model_of(const Checkpoint& checkpoint,
                                                               std::string_view device = "cpu");

/// Of a network that was read or made.
[[nodiscard]] std::shared_ptr<const Encoder> encoder_of(const ModelDescription& model);
/// Of a new network for the setting of the tasks; what it reads is standardised over the workloads to train
/// on.
[[nodiscard]] std::shared_ptr<const Encoder> new_encoder(std::string_view architecture, bool reads_machine,
                                                         const TaskSet& tasks,
                                                         std::span<const std::size_t> train);
/// Of new trees.
[[nodiscard]] std::shared_ptr<const TreeFeatures> new_tree_features(const Setting& setting);

/// What a model serves, and what a setting asks for, for users: the operator.
[[nodiscard]] std::string purpose_of(const ModelDescription& model);
[[nodiscard]] std::string purpose_of(const Setting& setting);
/// The setting of a model; `dense` is ignored where the operator has no dense index.
[[nodiscard]] Setting setting_of(const ModelDescription& model, std::int64_t dense);

/// What there is to learn from in the workspace: workspace_tasks() of the domain.
[[nodiscard]] Result<WorkspaceTasks> stored_tasks(Workspace& workspace, const TaskRequest& request,
                                                  const std::stop_token& stop = {},
                                                  const ProgressSink& progress = {});

/// An error (Fault::Input) where the name is taken or empty.
[[nodiscard]] Result<void> check_new_name(Workspace& workspace, std::string_view name);

struct ModelOrigin {
    std::string name;
    std::optional<RunId> run{};
    std::optional<ModelId> parent{};
};
/// An error where the name is taken.
[[nodiscard]] Result<ModelId> keep_model(Workspace& workspace, const ModelOrigin& origin,
                                         const Checkpoint& checkpoint);

/// Weights, and inner rates where the model has learned some.
[[nodiscard]] MetaParameters parameters_of(const Checkpoint& checkpoint, at::Device device);

} // namespace sparsight
