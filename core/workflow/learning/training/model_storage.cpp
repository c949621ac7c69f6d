#include "workflow/learning/training/model_storage.h"

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

Result<StoredModel> load_model(Workspace& workspace, const LearningDomains& domains, std::string_view name) {
    auto record = model_record(workspace, name);
    if (!record)
        return std::unexpected(std::move(record).error());
    const auto bytes = load_weights(workspace, record->id);
    if (!bytes)
        return std::unexpected(bytes.error());
    auto checkpoint = parse_checkpoint(*bytes, domains);
    if (!checkpoint)
        return fail(checkpoint.error().fault,
                    fmt::format("the model '{}' can't be read: {}", name, checkpoint.error().message));
    const auto domain = domains.of(checkpoint->model.architecture);
    if (!domain)
        return std::unexpected(domain.error());
    return StoredModel{*std::move(record), *std::move(checkpoint), *domain};
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
