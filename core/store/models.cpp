#include "store/models.h"

#include "base/names.h"
#include "store/sqlite.h"
#include "store/workload_families.h"
#include "store/workloads.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

constexpr std::string_view select_models =
    "SELECT m.id, m.name, m.run_id, m.parent_id, m.description, length(w.tensors), m.created "
    "FROM models m JOIN weights w ON w.model_id = m.id ";

ModelRecord read_model(Statement& row) {
    return {row.id<ModelId>(0),
            row.text(1),
            row.optional_id<RunId>(2),
            row.optional_id<ModelId>(3),
            row.text(4),
            static_cast<std::uint64_t>(row.integer(5)),
            row.text(6)};
}

} // namespace

Result<ModelId> add_model(Workspace& workspace, const NewModel& model, std::span<const std::byte> weights) {
    Database& database = workspace.database();
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return std::unexpected(std::move(transaction).error());
    const auto known = find_model(workspace, model.name);
    if (!known)
        return std::unexpected(known.error());
    if (*known)
        return fail(Fault::Input,
                    fmt::format("there is a model called {} already (of {})", model.name, (*known)->created));
    if (auto done =
            database.run("INSERT INTO models (name, run_id, parent_id, description) VALUES (?, ?, ?, ?)",
                         model.name, model.run, model.parent, model.description);
        !done)
        return std::unexpected(std::move(done).error());
    const auto id = static_cast<ModelId>(database.last_inserted_id());
    if (auto done = database.run("INSERT INTO weights (model_id, tensors) VALUES (?, ?)", id, weights); !done)
        return std::unexpected(std::move(done).error());
    if (auto done = transaction->commit(); !done)
        return std::unexpected(std::move(done).error());
    return id;
}

Result<std::vector<ModelRecord>> list_models(Workspace& workspace) {
    static const std::string sql = std::string(select_models) + "ORDER BY m.id";
    return workspace.database().all(read_model, sql);
}

Result<std::optional<ModelRecord>> find_model(Workspace& workspace, std::string_view name) {
    static const std::string sql = std::string(select_models) + "WHERE m.name = ?";
    return workspace.database().first(read_model, sql, name);
}

Result<ModelRecord> require_model(Workspace& workspace, std::string_view name) {
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
    return fail(Fault::Input, fmt::format("the workspace has no model '{}'; it has {}", name,
                                          names.empty() ? "none" : list_known(std::move(names), name)));
}

bool is_gray_box(const ModelRecord& model) {
    const auto json = nlohmann::json::parse(model.description, nullptr, /*allow_exceptions=*/false);
    return json.is_object() && json.value("architecture", nlohmann::json()) == "gray-box";
}

Result<void> remove_model(Workspace& workspace, ModelId model) {
    return workspace.database().run("DELETE FROM models WHERE id = ?", model);
}

Result<std::vector<std::byte>> load_weights(Workspace& workspace, ModelId model) {
    auto weights = workspace.database().first(
        [](Statement& row) {
            const auto bytes = row.blob(0);
            return std::vector<std::byte>(bytes.begin(), bytes.end());
        },
        "SELECT tensors FROM weights WHERE model_id = ?", model);
    if (!weights)
        return std::unexpected(std::move(weights).error());
    if (!*weights)
        return fail_in_file(Fault::Input, workspace.path().string(), 0, "there is no such model");
    return std::move(**weights);
}

namespace {

using Json = nlohmann::json;

std::string text_in(const Json& object, const char* member) {
    const auto found = object.find(member);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// By which this run split its matrices.
std::string split_of(const RunRecord& run) {
    const Json parameters = Json::parse(run.parameters, nullptr, /*allow_exceptions=*/false);
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
        const Json description = Json::parse(record->description, nullptr, /*allow_exceptions=*/false);
        const Json::json_pointer matrices("/training/matrices");
        if (!description.is_object() || !description.contains(matrices) || !description[matrices].is_array())
            continue;
        for (const Json& matrix : description[matrices])
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
    const auto known = workload_names(workspace);
    if (!known)
        return std::unexpected(known.error());
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
        for (const WorkloadId member : (**split)[SplitPart::Validation])
            if (const auto workload = known->find(member); workload != known->end())
                names.insert(workload->second);
    }
    return names;
}

Result<std::set<std::string>> ModelLineage::seen_by(Workspace& workspace, ModelId model) const {
    auto seen = validated_with(workspace, model);
    if (seen)
        seen->merge(learned_from(model));
    return seen;
}

std::vector<std::string> training_workloads_among(const ModelLineage& lineage,
                                                  std::span<const ModelId> models,
                                                  std::span<const std::string> workloads,
                                                  const WorkloadFamilies& families) {
    std::set<std::string> learned;
    for (const ModelId model : models)
        learned.merge(lineage.learned_from(model));
    // The workspace need not have them any more: then their names tell.
    std::set<std::string> keys;
    for (const std::string& name : families.with_relatives(learned))
        keys.insert(families.domain().family_key(name));
    std::vector<std::string> among;
    for (const std::string& name : workloads)
        if (keys.contains(families.domain().family_key(name)))
            among.push_back(name);
    return among;
}

namespace {

/// What is needed of a description (model/checkpoints/checkpoint.h, whose library only one of the programs
/// has).
struct Home {
    std::string machine;  ///< empty: not told
    nlohmann::json parts; ///< of the setting, by SettingMember::key; a part that is not there does not matter
    std::optional<double> simulator_share;
};

/// Nothing where the simulator has no share.
std::optional<Home> home_of(const ModelRecord& model) {
    const auto json = nlohmann::json::parse(model.description, nullptr, /*allow_exceptions=*/false);
    try {
        if (!json.contains("blend") || json.at("blend").value("simulator", 0.0) == 0)
            return std::nullopt;
        const auto& blend = json.at("blend");
        Home home;
        const auto machines = json.at("training").at("machines").get<std::vector<std::string>>();
        if (!machines.empty())
            home.machine = machines.front();
        home.parts = blend;
        if (const auto share = blend.find("network_share"); share != blend.end() && share->is_number())
            home.simulator_share = 1 - share->get<double>();
        return home;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt; // whoever reads the model tells what is wrong with it
    }
}

} // namespace

std::optional<std::string> blend_scope_remark(const ModelRecord& model, const std::string& machine,
                                              std::span<const SettingMember> setting) {
    const auto home = home_of(model);
    if (!home)
        return std::nullopt;
    std::vector<std::string> own;
    std::vector<std::string> asked;
    if (!home->machine.empty() && home->machine != machine) {
        own.push_back(home->machine);
        asked.push_back(machine.empty() ? "this computer" : machine);
    }
    for (const SettingMember& part : setting)
        if (const auto* const number = std::get_if<std::int64_t>(&part.value))
            if (const auto known = home->parts.find(part.key);
                known != home->parts.end() && *known != *number) {
                own.push_back(fmt::format("--{} {}", part.key, known->dump()));
                asked.push_back(fmt::format("--{} {}", part.key, *number));
            }
    if (own.empty())
        return std::nullopt;
    return fmt::format(
        "the simulator's share in {}{} was calibrated to {}, and tells nothing of {}: `finetune` a gray "
        "box there, whose simulator is calibrated anew",
        model.name, home->simulator_share ? fmt::format(" ({:.0f} %)", *home->simulator_share * 100) : "",
        fmt::join(own, " with "), fmt::join(asked, " with "));
}

} // namespace sparsight
