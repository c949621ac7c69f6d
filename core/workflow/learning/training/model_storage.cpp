#include "workflow/learning/training/model_storage.h"

#include "domains/sparse/encoder/sparse_models.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/sparse_setting.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace sparsight {

Result<ModelRecord> model_record(Workspace& workspace, std::string_view name) {
    auto found = find_model(workspace, name);
    if (!found)
        return std::unexpected(std::move(found).error());
    if (*found)
        return **std::move(found);
    const auto models = list_models(workspace);
    if (!models)
        return std::unexpected(models.error());
    std::vector<std::string> names;
    for (const ModelRecord& model : *models)
        names.push_back(model.name);
    return fail(Fault::Input, fmt::format("the workspace has no model '{}'{}{}", name,
                                          names.empty() ? "" : "; it has ", fmt::join(names, ", ")));
}

Result<StoredModel> load_model(Workspace& workspace, std::string_view name) {
    auto record = model_record(workspace, name);
    if (!record)
        return std::unexpected(std::move(record).error());
    const auto bytes = load_weights(workspace, record->id);
    if (!bytes)
        return std::unexpected(bytes.error());
    auto checkpoint = parse_checkpoint(*bytes, SparseModels());
    if (!checkpoint)
        return fail(checkpoint.error().fault,
                    fmt::format("the model '{}' can't be read: {}", name, checkpoint.error().message));
    return StoredModel{*std::move(record), *std::move(checkpoint)};
}

Result<ModelDescription> description_of(const ModelRecord& record) {
    return parse_model_description(record.description, SparseModels());
}

Result<Checkpoint> read_model_file(const std::filesystem::path& path) {
    return read_checkpoint(path, SparseModels());
}

Result<std::unique_ptr<CostModel>> cost_model_of(const Checkpoint& checkpoint, std::string_view device) {
    return make_cost_model(checkpoint, SparseModels(), device);
}

std::shared_ptr<const Encoder> encoder_of(const ModelDescription& model) {
    return SparseModels().encoder(model.architecture).value();
}

std::shared_ptr<const Encoder> new_encoder(std::string_view architecture, bool reads_machine,
                                           const TaskSet& tasks, std::span<const std::size_t> train) {
    NetworkDescription network;
    network.architecture = parse_architecture(architecture).value();
    network.schedules = schedule_layout(sparse_setting(tasks.setting).op, ScheduleTables::Full);
    network.standardisation = standardise(network.architecture, tasks, train);
    network.machine = reads_machine;
    return sparse_encoder(std::move(network));
}

std::shared_ptr<const TreeFeatures> new_tree_features(const Setting& setting) {
    return schedule_features(sparse_setting(setting).op);
}

std::string purpose_of(const ModelDescription& model) {
    return std::string(name(model_operator(model)));
}

std::string purpose_of(const Setting& setting) {
    return std::string(name(sparse_setting(setting).op));
}

Setting setting_of(const ModelDescription& model, std::int64_t dense) {
    return setting_of(model_operator(model), dense);
}

Result<WorkspaceTasks> stored_tasks(Workspace& workspace, const TaskRequest& request,
                                    const std::stop_token& stop, const ProgressSink& progress) {
    return sparse_tasks(workspace, request, stop, progress);
}

Result<void> check_new_name(Workspace& workspace, std::string_view name) {
    if (name.empty())
        return fail(Fault::Input, "a model needs a name");
    const auto known = find_model(workspace, name);
    if (!known)
        return std::unexpected(known.error());
    if (*known)
        return fail(Fault::Input,
                    fmt::format("there is a model called {} already (of {}): choose another name, "
                                "or remove that one with `models remove`",
                                name, (*known)->created));
    return {};
}

Result<ModelId> keep_model(Workspace& workspace, const ModelOrigin& origin, const Checkpoint& checkpoint) {
    return add_model(workspace, {origin.name, origin.run, origin.parent, to_json(checkpoint.model)},
                     checkpoint_bytes(checkpoint));
}

MetaParameters parameters_of(const Checkpoint& checkpoint, at::Device device) {
    MetaParameters parameters{to_tensors(checkpoint.weights, true, at::kFloat, device), std::nullopt};
    if (!checkpoint.rates.empty())
        parameters.rates = to_tensors(checkpoint.rates, true, at::kFloat, device);
    return parameters;
}

} // namespace sparsight
