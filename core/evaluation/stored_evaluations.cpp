#include "evaluation/stored_evaluations.h"

#include "store/workspace.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <vector>

namespace sparsight {

namespace {

nlohmann::json parameters_of(const RunRecord& run) {
    const nlohmann::json parameters =
        nlohmann::json::parse(run.parameters, nullptr, /*allow_exceptions=*/false);
    return parameters.is_object() ? parameters : nlohmann::json::object();
}

std::string text_in(const nlohmann::json& object, const char* member) {
    const auto found = object.find(member);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<std::int64_t> number_in(const nlohmann::json& object, const char* member) {
    const auto found = object.find(member);
    return found != object.end() && found->is_number_integer() ? std::optional(found->get<std::int64_t>())
                                                               : std::nullopt;
}

/// What can be read as `T` in a list; nothing where there is none.
template <typename T>
std::vector<T> list_in(const nlohmann::json& object, const char* member) {
    std::vector<T> values;
    const auto found = object.find(member);
    if (found == object.end() || !found->is_array())
        return values;
    for (const nlohmann::json& one : *found)
        if constexpr (std::is_same_v<T, std::string>) {
            if (one.is_string())
                values.push_back(one.get<std::string>());
        } else if (one.is_number_integer()) {
            values.push_back(one.get<T>());
        }
    return values;
}

/// Those of the run that there still are, in its order.
Result<void> add_models(Workspace& workspace, const nlohmann::json& parameters, EvaluationScope& scope) {
    const auto models = list_models(workspace);
    if (!models)
        return std::unexpected(models.error());
    for (const std::int64_t id : list_in<std::int64_t>(parameters, "model_ids"))
        if (std::ranges::count(*models, ModelId{id}, &ModelRecord::id) > 0)
            scope.models.push_back(ModelId{id});
    return {};
}

Result<void> add_workloads(Workspace& workspace, const Domain& domain, const nlohmann::json& parameters,
                           EvaluationScope& scope) {
    const auto workloads = list_workloads(workspace, domain.name());
    if (!workloads)
        return std::unexpected(workloads.error());
    for (const std::string& name : list_in<std::string>(parameters, "matrices"))
        if (const auto found = std::ranges::find(*workloads, name, &WorkloadRecord::name);
            found != workloads->end())
            scope.workloads.push_back(found->id);
    return {};
}

/// The options of the setting stand among the parameters of the run.
std::optional<Setting> setting_in(const nlohmann::json& parameters, const Domain& domain) {
    std::map<std::string, std::string, std::less<>> options;
    for (const SettingOption& option : domain.setting_options()) {
        if (const auto number = number_in(parameters, option.name.c_str()))
            options.emplace(option.name, fmt::to_string(*number));
        else if (const std::string text = text_in(parameters, option.name.c_str()); !text.empty())
            options.emplace(option.name, text);
    }
    if (options.empty() && !domain.setting_options().empty())
        return std::nullopt;
    auto setting = domain.setting_of(options);
    return setting ? std::optional(*std::move(setting)) : std::nullopt;
}

/// A run that names no domain, as those of early versions, is of the one whose setting its parameters tell.
bool is_of(const nlohmann::json& parameters, const Domain& domain) {
    const std::string named = text_in(parameters, "domain");
    if (!named.empty())
        return named == domain.name();
    return !domain.setting_options().empty() && setting_in(parameters, domain);
}

} // namespace

Result<std::optional<RunId>> newest_evaluation(Workspace& workspace, const EvaluationFilter& filter) {
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    std::optional<RunRecord> newest;
    for (const RunRecord& run : *runs) {
        if (run.kind != "evaluate")
            continue;
        const nlohmann::json parameters = parameters_of(run);
        const auto models = list_in<std::string>(parameters, "models");
        const bool is_asked_for =
            (filter.domain == nullptr || is_of(parameters, *filter.domain)) &&
            (filter.model.empty() || std::ranges::find(models, filter.model) != models.end()) &&
            (filter.machine.empty() || text_in(parameters, "machine") == filter.machine);
        if (is_asked_for && !models.empty() && (!newest || newest->started <= run.started))
            newest = run;
    }
    return newest ? std::optional(newest->id) : std::nullopt;
}

Result<ModelEvaluation> read_evaluation(Workspace& workspace, const Domain& domain, RunId run) {
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    const auto record = std::ranges::find(*runs, run, &RunRecord::id);
    if (record == runs->end() || record->kind != "evaluate")
        return fail(Fault::Input, fmt::format("the workspace has no evaluation with the number {}",
                                              static_cast<std::int64_t>(run)));
    const nlohmann::json parameters = parameters_of(*record);
    EvaluationScope scope;
    scope.run = run;
    if (auto added = add_models(workspace, parameters, scope); !added)
        return std::unexpected(added.error());
    if (auto added = add_workloads(workspace, domain, parameters, scope); !added)
        return std::unexpected(added.error());
    const auto machine = find_machine(workspace, text_in(parameters, "machine"));
    if (!machine)
        return std::unexpected(machine.error());
    const auto setting = setting_in(parameters, domain);
    if (scope.models.empty() || scope.workloads.empty() || !*machine || !setting)
        return fail(Fault::Input, "what this evaluation compared is not in the workspace any more");
    scope.machine = **machine;
    scope.setting = *setting;
    scope.protocol = text_in(parameters, "protocol");
    if (const auto threads = number_in(parameters, "threads"))
        scope.threads = static_cast<int>(*threads);
    if (parameters.contains("condition"))
        scope.condition = text_in(parameters, "condition");
    scope.k = static_cast<int>(number_in(parameters, "k").value_or(scope.k));
    scope.bootstrap.seed = static_cast<std::uint64_t>(number_in(parameters, "seed").value_or(1));
    return evaluate_models(workspace, domain, scope);
}

} // namespace sparsight
