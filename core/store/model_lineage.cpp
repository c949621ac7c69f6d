#include "store/model_lineage.h"

#include "matrix/name_stem.h"

#include "store/matrices.h"
#include "store/splits.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

using nlohmann::json;

std::string text_in(const json& object, const char* member) {
    const auto found = object.find(member);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// By which this run split its matrices.
std::string split_of(const RunRecord& run) {
    const json parameters = json::parse(run.parameters, nullptr, /*allow_exceptions=*/false);
    if (!parameters.is_object())
        return {};
    std::string split = text_in(parameters, "split");
    return split.empty() && run.kind == "train" ? text_in(parameters, "name") : split;
}

} // namespace

Result<ModelLineage> ModelLineage::read(Workspace& workspace) {
    auto models = list_models(workspace);
    if (!models)
        return std::unexpected(std::move(models).error());
    auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(std::move(runs).error());
    ModelLineage lineage;
    lineage.models_ = *std::move(models);
    lineage.runs_ = *std::move(runs);
    return lineage;
}

std::vector<const ModelRecord*> ModelLineage::ancestry(ModelId model) const {
    std::vector<const ModelRecord*> found;
    for (std::optional<ModelId> next = model; next;) {
        const auto record = std::ranges::find(models_, *next, &ModelRecord::id);
        if (record == models_.end() || std::ranges::find(found, &*record) != found.end())
            break;
        found.push_back(&*record);
        next = record->parent;
    }
    return found;
}

std::set<std::string> ModelLineage::learned_from(ModelId model) const {
    std::set<std::string> names;
    for (const ModelRecord* record : ancestry(model)) {
        const json description = json::parse(record->description, nullptr, /*allow_exceptions=*/false);
        const json::json_pointer matrices("/training/matrices");
        if (!description.is_object() || !description.contains(matrices) || !description[matrices].is_array())
            continue;
        for (const json& matrix : description[matrices])
            if (matrix.is_string())
                names.insert(matrix.get<std::string>());
    }
    return names;
}

std::string ModelLineage::own_split(const ModelRecord& model) const {
    const auto run = model.run ? std::ranges::find(runs_, *model.run, &RunRecord::id) : runs_.end();
    return run == runs_.end() ? std::string() : split_of(*run);
}

std::string ModelLineage::split(ModelId model) const {
    std::string split;
    for (const ModelRecord* record : ancestry(model))
        if (std::string its = own_split(*record); !its.empty())
            split = std::move(its);
    return split;
}

Result<std::set<std::string>> ModelLineage::validated_with(Workspace& workspace, ModelId model) const {
    const auto matrices = list_matrices(workspace);
    if (!matrices)
        return std::unexpected(matrices.error());
    std::set<std::string> names;
    for (const ModelRecord* record : ancestry(model)) {
        const std::string name = own_split(*record);
        if (name.empty())
            continue;
        const auto split = find_split(workspace, name);
        if (!split)
            return std::unexpected(split.error());
        if (!*split)
            continue;
        const std::vector<MatrixId>& members = (**split)[SplitPart::Validation];
        for (const MatrixRecord& matrix : *matrices)
            if (std::ranges::find(members, matrix.id) != members.end())
                names.insert(matrix.name);
    }
    return names;
}

std::vector<std::string> learned_among(const ModelLineage& lineage, std::span<const ModelId> models,
                                       std::span<const std::string> matrices) {
    std::set<std::string> learned;
    for (const ModelId model : models)
        for (const std::string& name : lineage.learned_from(model))
            learned.insert(name_stem(name));
    std::vector<std::string> among;
    for (const std::string& name : matrices)
        if (learned.contains(name_stem(name)))
            among.push_back(name);
    return among;
}

} // namespace sparsight
