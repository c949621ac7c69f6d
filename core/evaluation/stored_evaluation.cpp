#include "evaluation/stored_evaluation.h"

#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

Result<void> add_matrices(Workspace& workspace, const nlohmann::json& parameters, EvaluationScope& scope) {
    const auto matrices = list_matrices(workspace);
    if (!matrices)
        return std::unexpected(matrices.error());
    for (const std::string& name : list_in<std::string>(parameters, "matrices"))
        if (const auto found = std::ranges::find(*matrices, name, &MatrixRecord::name);
            found != matrices->end())
            scope.matrices.push_back(found->id);
    return {};
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
            (filter.model.empty() || std::ranges::find(models, filter.model) != models.end()) &&
            (filter.machine.empty() || text_in(parameters, "machine") == filter.machine);
        if (is_asked_for && !models.empty() && (!newest || newest->started <= run.started))
            newest = run;
    }
    return newest ? std::optional(newest->id) : std::nullopt;
}

Result<ModelEvaluation> read_evaluation(Workspace& workspace, RunId run) {
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    const auto record = std::ranges::find(*runs, run, &RunRecord::id);
    if (record == runs->end() || record->kind != "evaluate")
        return fail(Fault::Input, "this evaluation is not in the workspace any more");
    const nlohmann::json parameters = parameters_of(*record);
    EvaluationScope scope;
    scope.run = run;
    if (auto added = add_models(workspace, parameters, scope); !added)
        return std::unexpected(added.error());
    if (auto added = add_matrices(workspace, parameters, scope); !added)
        return std::unexpected(added.error());
    const auto machine = find_machine(workspace, text_in(parameters, "machine"));
    if (!machine)
        return std::unexpected(machine.error());
    const auto op = parse_operator(text_in(parameters, "operator"));
    if (scope.models.empty() || scope.matrices.empty() || !*machine || !op)
        return fail(Fault::Input, "what this evaluation compared is not in the workspace any more");
    scope.machine = **machine;
    scope.op = *op;
    scope.dense = number_in(parameters, "dense").value_or(scope.dense);
    scope.protocol = text_in(parameters, "protocol");
    if (const auto threads = number_in(parameters, "threads"))
        scope.threads = static_cast<int>(*threads);
    scope.k = static_cast<int>(number_in(parameters, "k").value_or(scope.k));
    scope.bootstrap.seed = static_cast<std::uint64_t>(number_in(parameters, "seed").value_or(1));
    return evaluate_models(workspace, scope);
}

} // namespace sparsight
