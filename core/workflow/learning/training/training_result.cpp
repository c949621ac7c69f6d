#include "workflow/learning/training/training_result.h"

#include "base/text.h"
#include "learning/tasks/splits.h"
#include "store/runs.h"
#include "store/workloads.h"
#include "store/workspace.h"
#include "workflow/learning/models/model_storage.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace sparsight {

namespace {

std::string pairs_of(const BaselineComparison& of) {
    return of.test_workloads > 0 ? fmt::format("of the pairs on {} test {}", of.test_workloads,
                                               of.test_workloads == 1 ? of.workload.one : of.workload.many)
                                 : std::string("of the pairs held out for the test");
}

/// By which the two differ, as their shares are written.
std::string points_between(const BaselineVerdict& verdict) {
    const auto written = [](double share) { return std::round(1000 * share) / 10; };
    return fmt::format("{:.1f} points", std::abs(written(verdict.model) - written(verdict.baseline)));
}

std::string caution(const BaselineComparison& of) {
    return of.test_workloads > 0 && of.test_workloads < enough_test_workloads
               ? fmt::format("; on so few test {} that may be chance", of.workload.many)
               : "";
}

} // namespace

std::string baseline_finding(const BaselineComparison& comparison) {
    const auto verdict = comparison.verdict();
    if (!verdict)
        return {};
    const std::string pairs = pairs_of(comparison);
    switch (verdict->standing) {
    case BaselineStanding::Ahead:
        return fmt::format(
            "boosted trees are ahead: they have {:.1f} % {} in the right order, this network {:.1f} %, "
            "{} fewer{}",
            100 * verdict->baseline, pairs, 100 * verdict->model, points_between(*verdict),
            caution(comparison));
    case BaselineStanding::Behind:
        return fmt::format(
            "this network is ahead of boosted trees: it has {:.1f} % {} in the right order, they "
            "{:.1f} %, {} fewer{}",
            100 * verdict->model, pairs, 100 * verdict->baseline, points_between(*verdict),
            caution(comparison));
    case BaselineStanding::Even:
        break;
    }
    return fmt::format("boosted trees and this network are even: both have {:.1f} % {} in the right order",
                       100 * verdict->model, pairs);
}

std::string what_helps_against_trees(const BaselineComparison& comparison) {
    return fmt::format(
        "these may help: more {}{}; until then --architecture trees makes the model that orders better",
        comparison.workload.many,
        comparison.has_simulator ? ", --preset best, or a gray box (--preset gray-box)" : "");
}

std::string baseline_sentence(const BaselineComparison& comparison) {
    const auto verdict = comparison.verdict();
    std::string sentence = baseline_finding(comparison);
    if (verdict && verdict->standing == BaselineStanding::Ahead)
        sentence += "; " + what_helps_against_trees(comparison);
    return sentence;
}

namespace {

BaselineComparison comparison_in(const LearningDomain& domain) {
    return {.workload = domain.domain().words().workload, .has_simulator = domain.blending() != nullptr};
}

} // namespace

Result<BaselineComparison> comparison_with_trees(Workspace& workspace, const ModelRecord& model,
                                                 const LearningDomain& domain) {
    BaselineComparison comparison = comparison_in(domain);
    if (!model.run)
        return comparison;
    const auto last_of = [&](const std::string& metric) -> Result<std::optional<double>> {
        const auto points = list_metric(workspace, *model.run, metric);
        if (!points)
            return std::unexpected(points.error());
        return points->empty() ? std::nullopt : std::optional(points->back().value);
    };
    const std::string accuracy = "ordered_pair_accuracy";
    const auto own = last_of(std::string(test_prefix) + accuracy);
    if (!own)
        return std::unexpected(own.error());
    const auto trees = last_of(std::string(baseline_prefix) + accuracy);
    if (!trees)
        return std::unexpected(trees.error());
    const auto tested = last_of(test_workloads_metric);
    if (!tested)
        return std::unexpected(tested.error());
    comparison.model = *own;
    comparison.baseline = *trees;
    comparison.test_workloads = static_cast<int>(tested->value_or(0));
    return comparison;
}

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
    if (outcome.test_workloads > 0)
        all.push_back({test_workloads_metric, {0, static_cast<double>(outcome.test_workloads)}});
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
    BaselineComparison comparison = domain == nullptr ? BaselineComparison{} : comparison_in(*domain);
    comparison.model = of(metrics);
    comparison.baseline = baseline ? of(*baseline) : std::nullopt;
    comparison.test_workloads = test_workloads;
    return comparison;
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
        // Beside the others, so that `evaluate` can be asked for the test workloads of this model.
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
    return fail(Fault::Input, fmt::format("this training would replace the split {}, which no training made: "
                                          "choose another name, or use it (--split {})",
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
    outcome.domain = domains.of(description->architecture).value(); // parse_model_description() knew it
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
        if (name == test_workloads_metric)
            outcome.test_workloads = static_cast<int>(points.back().value);
        if (name == seconds_metric)
            outcome.seconds = points.back().value;
    }
    if (!baseline.empty())
        outcome.baseline = std::move(baseline);
    return outcome;
}

} // namespace sparsight
