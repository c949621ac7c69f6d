#include "evaluation/stored_evaluations.h"

#include "evaluation/evaluation_parameters.h"
#include "store/choices.h"
#include "store/workspace.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

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

/// Whether all of `some` are among `all`.
template <typename T>
bool has_all(std::vector<T> all, std::vector<T> some) {
    std::ranges::sort(all);
    std::ranges::sort(some);
    return std::ranges::includes(all, some);
}

/// What two evaluations have in common that answer the same question about their models and workloads. The
/// parameters of the setting have names that only the domain knows. Those of another seed, which may choose
/// otherwise, are told apart by what they chose.
nlohmann::json question_of(nlohmann::json parameters) {
    for (const char* const other : {"models", "model_ids", "matrices", "seed", "domain"})
        parameters.erase(other);
    return parameters;
}

bool answers(const nlohmann::json& parameters, const nlohmann::json& asked) {
    return question_of(parameters) == question_of(asked) &&
           has_all(list_in<std::int64_t>(parameters, "model_ids"),
                   list_in<std::int64_t>(asked, "model_ids")) &&
           has_all(list_in<std::string>(parameters, "matrices"), list_in<std::string>(asked, "matrices"));
}

/// The texts that each model chose for each workload, the best first.
using ChosenTexts = std::map<std::pair<ModelId, WorkloadId>, std::vector<std::string>>;

Result<ChosenTexts> chosen_in(Workspace& workspace, RunId run) {
    const auto records = list_choice_records(workspace, run);
    if (!records)
        return std::unexpected(records.error());
    ChosenTexts chosen;
    for (const ChoiceRecord& each : *records)
        chosen[{each.model, each.workload}].push_back(each.chosen.configuration.text);
    return chosen;
}

/// Whether all of `asked` was chosen in `other`, too, which has turns on these workloads.
bool tells_all(const ChosenTexts& other, const std::set<WorkloadId>& in_turns, const ChosenTexts& asked) {
    return !asked.empty() && std::ranges::all_of(asked, [&](const auto& each) {
        const auto same = other.find(each.first);
        return same != other.end() && same->second == each.second && in_turns.contains(each.first.second);
    });
}

} // namespace

Result<std::map<RunId, std::optional<RunId>>> evaluations_in_turns(Workspace& workspace) {
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    const auto with_turns = workloads_with_turns(workspace);
    if (!with_turns)
        return std::unexpected(with_turns.error());
    std::vector<std::pair<const RunRecord*, nlohmann::json>> finished;
    for (const RunRecord& run : *runs)
        if (run.kind == "evaluate" && run.state == RunState::Finished)
            finished.emplace_back(&run, parameters_of(run));
    std::ranges::sort(finished, std::ranges::greater(), [](const auto& each) { return begun(*each.first); });
    std::map<RunId, std::optional<RunId>> in_turns;
    for (const auto& [run, asked] : finished) {
        if (with_turns->contains(run->id))
            continue;
        std::optional<ChosenTexts> own;
        for (const auto& [other, parameters] : finished) {
            const auto turns = with_turns->find(other->id);
            if (turns == with_turns->end() || !answers(parameters, asked))
                continue;
            std::optional<RunId>& in_its_place = in_turns[run->id];
            if (!own) {
                auto chosen = chosen_in(workspace, run->id);
                if (!chosen)
                    return std::unexpected(std::move(chosen).error());
                own = *std::move(chosen);
            }
            const auto chosen = chosen_in(workspace, other->id);
            if (!chosen)
                return std::unexpected(chosen.error());
            if (tells_all(*chosen, turns->second, *own)) {
                in_its_place = other->id;
                break;
            }
        }
    }
    return in_turns;
}

Result<std::optional<NewestEvaluation>> newest_evaluation(Workspace& workspace,
                                                          const EvaluationFilter& filter) {
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
        if (!is_asked_for || models.empty() || (newest && newest->started > run.started))
            continue;
        // One that was stopped before its first choice has nothing to show.
        const auto choices = list_choice_records(workspace, run.id);
        if (!choices)
            return std::unexpected(choices.error());
        if (!choices->empty() || run.state == RunState::Running)
            newest = run;
    }
    if (!newest)
        return std::nullopt;
    const auto in_turns = evaluations_in_turns(workspace);
    if (!in_turns)
        return std::unexpected(in_turns.error());
    const auto other = in_turns->find(newest->id);
    if (other == in_turns->end() || !other->second)
        return NewestEvaluation{.run = newest->id, .lacks_turns = other != in_turns->end()};
    return NewestEvaluation{.run = *other->second, .passed_over = newest->id};
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
