#include "workflow/evaluation/evaluation_choices.h"

#include "base/text.h"
#include "store/choices.h"
#include "workflow/process/learn_process.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <variant>

namespace sparsight {

namespace {

Error foreign_answer(std::string_view what) {
    return {Fault::Internal, fmt::format("sparsight-learn gave an answer without {}", what), {}, 0};
}

/// The member that tells a workload or a configuration: under the word of its domain, or the general one.
std::string told(const Json& object, const std::string& word, const char* general) {
    const auto found = object.contains(word) ? object.find(word) : object.find(general);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<std::vector<ConfigurationChoice>> read_candidates(const Json& choice, const EvaluationPlan& plan) {
    const auto candidates = choice.find("candidates");
    if (candidates == choice.end() || !candidates->is_array())
        return std::unexpected(foreign_answer("candidates"));
    const std::string& word = plan.domain->words().configuration.one;
    std::vector<ConfigurationChoice> chosen;
    for (const Json& candidate : *candidates) {
        const std::string text = candidate.is_object() ? told(candidate, word, "configuration") : "";
        if (text.empty())
            return std::unexpected(foreign_answer("a " + word));
        auto written = plan.domain->written(plan.setting, text);
        if (!written)
            return std::unexpected(std::move(written).error());
        const auto score = candidate.find("score");
        chosen.push_back({*std::move(written), score != candidate.end() && score->is_number()
                                                   ? score->get<double>()
                                                   : std::numeric_limits<double>::quiet_NaN()});
    }
    return chosen;
}

} // namespace

Result<void> EvaluationChoices::choose(RunId run) {
    for (const ModelRecord& model : plan_.models)
        if (auto chosen = choose(run, model); !chosen)
            return chosen;
    return {};
}

Result<std::vector<std::string>> EvaluationChoices::read(RunId run, const ModelRecord& model) {
    std::vector<std::string> missing;
    for (const WorkloadRecord& workload : plan_.workloads) {
        const auto records = list_choice_records(workspace_, run, model.id, workload.id);
        if (!records)
            return std::unexpected(records.error());
        std::vector<std::string>& chosen = chosen_[{model.id, workload.id}];
        chosen.clear();
        for (const ChoiceRecord& record : *records)
            chosen.push_back(record.chosen.configuration.text);
        if (chosen.empty())
            missing.push_back(workload.name);
    }
    return missing;
}

Result<bool> EvaluationChoices::are_stored(RunId run) {
    for (const ModelRecord& model : plan_.models) {
        const auto missing = read(run, model);
        if (!missing)
            return std::unexpected(missing.error());
        if (!missing->empty())
            return false;
    }
    return true;
}

Result<void> EvaluationChoices::choose(RunId run, const ModelRecord& model) {
    const auto missing = read(run, model);
    if (!missing)
        return std::unexpected(missing.error());
    if (missing->empty())
        return {};
    std::vector<std::string> arguments{"search", "--model", model.name, "--k", fmt::format("{}", request_.k)};
    for (const std::string& workload : *missing)
        arguments.insert(arguments.end(), {"--workload", workload});
    // A machine under a condition is named with it.
    arguments.insert(
        arguments.end(),
        {"--machine", request_.machine.ends_with(')') ? request_.machine : plan_.machine.fingerprint});
    if (!request_.method.empty())
        arguments.insert(arguments.end(), {"--method", request_.method});
    if (request_.scored)
        arguments.insert(arguments.end(), {"--budget", fmt::format("{}", *request_.scored)});
    const auto members = plan_.domain->members(plan_.setting);
    for (const SettingOption& option : plan_.domain->setting_options()) {
        const auto member = std::ranges::find(members, option.name, &SettingMember::key);
        if (option.is_of_model || member == members.end())
            continue;
        if (const auto* const number = std::get_if<std::int64_t>(&member->value))
            arguments.insert(arguments.end(), {"--" + option.name, fmt::to_string(*number)});
        else if (const auto* const text = std::get_if<std::string>(&member->value))
            arguments.insert(arguments.end(), {"--" + option.name, *text});
    }
    return follow(run, model, std::move(arguments), missing->size());
}

/// What is chosen for a workload is stored when it is told: stopped, the search goes on behind it.
Result<void> EvaluationChoices::follow(RunId run, const ModelRecord& model,
                                       std::vector<std::string> arguments, std::size_t workloads) {
    const Noun& noun = plan_.domain->words().workload;
    const std::string what =
        fmt::format("{} chooses for {}", model.name, counted(workloads, noun.one, noun.many));
    observer_.progress({.stage = what, .total = workloads});
    std::uint64_t done = 0;
    Result<void> stored;
    const auto end = follow_learner(
        {.workspace = workspace_.path().string(), .seed = request_.seed}, std::move(arguments),
        [&](const Json& event) {
            if (event.value("event", "") == "failure")
                unsearched_[told(event, noun.one, "workload")] = event.value("error", "");
            if (!stored || event.value("event", "") != "choice")
                return;
            stored = store(run, model, event);
            observer_.progress({.stage = what, .done = ++done, .total = workloads});
        },
        stop_);
    if (!stored)
        return stored;
    if (!end)
        return std::unexpected(end.error());
    return {};
}

Result<void> EvaluationChoices::store(RunId run, const ModelRecord& model, const Json& choice) {
    const std::string& noun = plan_.domain->words().workload.one;
    const std::string of = told(choice, noun, "workload");
    const auto workload = std::ranges::find(plan_.workloads, of, &WorkloadRecord::name);
    if (workload == plan_.workloads.end())
        return {};
    const auto chosen = read_candidates(choice, plan_);
    if (!chosen)
        return std::unexpected(chosen.error());
    if (auto stored = record_choices(workspace_, run, model.id, workload->id, *chosen); !stored)
        return stored;
    observer_.event("choice", {{"model", model.name}, {noun, of}, {"candidates", chosen->size()}});
    std::vector<std::string>& texts = chosen_[{model.id, workload->id}];
    texts.clear();
    for (const ConfigurationChoice& each : *chosen)
        texts.push_back(each.configuration.text);
    return {};
}

ConfigurationsByWorkload EvaluationChoices::configurations() const {
    ConfigurationsByWorkload chosen;
    for (const WorkloadRecord& workload : plan_.workloads) {
        std::vector<std::string>& texts = chosen.texts[workload.name];
        std::size_t most = 0;
        for (const ModelRecord& model : plan_.models)
            most = std::max(most, chosen_.at({model.id, workload.id}).size());
        for (std::size_t rank = 0; rank < most; ++rank)
            for (const ModelRecord& model : plan_.models)
                if (const auto& own = chosen_.at({model.id, workload.id}); rank < own.size())
                    texts.push_back(own[rank]);
    }
    return chosen;
}

} // namespace sparsight
