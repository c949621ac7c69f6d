#include "workflow/learning/training/training_result.h"

#include "learning/tasks/splits.h"
#include "store/splits.h"
#include "store/workspace.h"
#include "workflow/learning/training/model_storage.h"
#include "workflow/learning/training/training_journal.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace sparsight {

namespace {

constexpr const char* best_epoch_metric = "run/best_epoch";
constexpr const char* stopped_ending = "stopped";

void add_all(std::vector<NamedMetric>& all, std::string_view prefix,
             const std::map<std::string, double>& metrics) {
    for (const auto& [name, value] : metrics)
        all.push_back({std::string(prefix) + name, {0, value}});
}

std::vector<NamedMetric> metrics_of(const TrainOutcome& outcome) {
    std::vector<NamedMetric> all;
    add_all(all, test_prefix, outcome.metrics);
    if (outcome.baseline)
        add_all(all, baseline_prefix, *outcome.baseline);
    if (outcome.best_epoch > 0)
        all.push_back({best_epoch_metric, {0, static_cast<double>(outcome.best_epoch)}});
    if (outcome.test_matrices > 0)
        all.push_back({test_matrices_metric, {0, static_cast<double>(outcome.test_matrices)}});
    if (outcome.seconds)
        all.push_back({seconds_metric, {0, *outcome.seconds}});
    return all;
}

} // namespace

BaselineComparison TrainOutcome::beside_baseline() const {
    constexpr const char* accuracy = "ordered_pair_accuracy";
    const auto of = [](const std::map<std::string, double>& found) {
        const auto value = found.find(accuracy);
        return value == found.end() ? std::nullopt : std::optional(value->second);
    };
    return {of(metrics), baseline ? of(*baseline) : std::nullopt, test_matrices};
}

TrainOutcome outcome_of(const TrainingState& state, TrainingEnd end, RunId run) {
    TrainOutcome outcome;
    outcome.run = static_cast<std::int64_t>(run);
    outcome.ending = end == TrainingEnd::Finished       ? "finished"
                     : end == TrainingEnd::StoppedEarly ? "stopped early"
                                                        : stopped_ending;
    outcome.epochs = state.epoch;
    outcome.best_epoch = state.epoch > 0 ? state.best_epoch + 1 : 0;
    return outcome;
}

TrainOutcome stopped_behind_the_epochs(Workspace& workspace, RunId run) {
    TrainOutcome outcome;
    outcome.run = static_cast<std::int64_t>(run);
    outcome.ending = stopped_ending;
    if (const auto epochs = list_metric(workspace, run, "epoch/step"))
        outcome.epochs = static_cast<int>(epochs->size());
    if (const auto worked = list_metric(workspace, run, seconds_metric); worked && !worked->empty())
        outcome.seconds = worked->back().value;
    return outcome;
}

Result<void> store_training_result(Workspace& workspace, TrainingJournal& journal,
                                   const StoredTrainingResult& result) {
    const std::string& name = *result.outcome.model;
    for (const NamedMetric& metric : metrics_of(result.outcome))
        journal.add(metric.name, metric.point.step, metric.point.value);
    const TrainedModel model{name, result.parent, result.replaced, result.checkpoint,
                             result.outcome.ending == "finished" ? std::string() : result.outcome.ending};
    return store_trained_model(workspace, journal, model, [&]() -> Result<void> {
        if (result.own == nullptr)
            return {};
        if (auto free = check_split_name(workspace, name); !free)
            return free;
        // Beside the others, so that `evaluate` can be asked for the test matrices of this model.
        return store_split(workspace, name, result.own->split, result.own->set);
    });
}

Result<void> check_split_name(Workspace& workspace, const std::string& name) {
    const auto split = find_split(workspace, name);
    if (!split)
        return std::unexpected(split.error());
    if (!*split)
        return {};
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    const bool is_ours = std::ranges::any_of(*runs, [&](const RunRecord& run) {
        const Json parameters = Json::parse(run.parameters, nullptr, /*allow_exceptions=*/false);
        return run.kind == "train" && run.state == RunState::Finished && parameters.is_object() &&
               parameters.value("name", Json()) == name && parameters.contains("split") &&
               parameters["split"].is_string() && parameters["split"].get<std::string>().empty();
    });
    if (is_ours)
        return {};
    return fail(Fault::Input,
                fmt::format("there is a split called {} that no training made, and this training would "
                            "replace it: choose another name, or train by it (--split {})",
                            name, name));
}

Result<TrainOutcome> stored_outcome(Workspace& workspace, const LearningDomains& domains,
                                    const FinishedRun& done) {
    const RunId run = *done.model.run;
    TrainOutcome outcome;
    outcome.run = static_cast<std::int64_t>(run);
    outcome.end = RunEnd::DoneBefore;
    outcome.model = done.model.name;
    outcome.ending = done.message.empty() ? "finished" : done.message;
    const auto stored = stored_metrics(workspace, run);
    if (!stored)
        return std::unexpected(stored.error());
    const auto description = parse_model_description(done.model.description, domains);
    if (!description)
        return std::unexpected(description.error());
    const bool is_of_trees = !is_network(*description);
    std::map<std::string, double> baseline;
    for (const auto& [name, points] : *stored) {
        if (name.starts_with(test_prefix))
            outcome.metrics[name.substr(test_prefix.size())] = points.back().value;
        if (name.starts_with(baseline_prefix))
            baseline[name.substr(baseline_prefix.size())] = points.back().value;
        if (name == "epoch/step" && !is_of_trees) // whose rounds are no epochs
            outcome.epochs = static_cast<int>(points.size());
        if (name == best_epoch_metric)
            outcome.best_epoch = static_cast<int>(points.back().value);
        if (name == test_matrices_metric)
            outcome.test_matrices = static_cast<int>(points.back().value);
        if (name == seconds_metric)
            outcome.seconds = points.back().value;
    }
    if (!baseline.empty())
        outcome.baseline = std::move(baseline);
    return outcome;
}

} // namespace sparsight
