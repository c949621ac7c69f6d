#include "learn/model_facts.h"

#include "base/quantity.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "machine/machine_parameters.h"
#include "model/networks/gray_box.h"
#include "workflow/learning/models/model_storage.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace sparsight {

Json baseline_json(const BaselineComparison& comparison) {
    const auto verdict = comparison.verdict();
    if (!verdict)
        return {};
    const bool is_even = verdict->standing == BaselineStanding::Even;
    return {{"ahead", is_even                                        ? Json()
                      : verdict->standing == BaselineStanding::Ahead ? "trees"
                                                                     : "model"},
            {"points", 100 * std::abs(verdict->model - verdict->baseline)},
            {"test_matrices", comparison.test_workloads > 0 ? Json(comparison.test_workloads) : Json()},
            {"sentence", baseline_sentence(comparison)}};
}

Json model_json(const ModelFacts& model) {
    const TrainingRecord& training = model.description.training;
    Json json{{"name", model.record.name},
              {"architecture", model.description.architecture.name},
              {"operator", model.purpose},
              {"operator_is_guessed", !purpose_guessed_by(model.description).empty()},
              {"method", training.method},
              {"machines", training.machines},
              {model.domain->words().workload.many, training.workloads.size()},
              {"metrics", training.metrics},
              {"parent", model.parent.empty() ? Json() : Json(model.parent)},
              {"run", model.record.run ? Json(static_cast<std::int64_t>(*model.record.run)) : Json()},
              {"bytes", model.record.bytes},
              {"created", model.record.created},
              {"test_" + model.domain->words().workload.many,
               model.beside_trees.test_workloads > 0 ? Json(model.beside_trees.test_workloads) : Json()},
              {"baseline_verdict", baseline_json(model.beside_trees)}};
    if (!model.is_of_first)
        json["domain"] = model.domain->name();
    return json;
}

std::string metric_text(const ModelDescription& model, const std::string& metric) {
    const auto found = model.training.metrics.find(metric);
    if (found == model.training.metrics.end())
        return "-";
    return metric.starts_with("speedup") ? fmt::format("{:.2f}×", found->second)
                                         : fmt::format("{:.3f}", found->second);
}

namespace {

std::string tested_on(const ModelFacts& model) {
    const Noun& workload = model.domain->words().workload;
    const int tested = model.beside_trees.test_workloads;
    if (tested > 0)
        return counted(tested, workload.one, workload.many);
    return model.description.training.metrics.empty() ? "not tested" : "unknown";
}

/// Empty where no model has that speedup.
std::string best_of_20_sentence(const std::vector<ModelFacts>& models, bool have_others) {
    if (std::ranges::none_of(models, [](const ModelFacts& model) {
            return model.description.training.metrics.contains("speedup_at_20");
        }))
        return {};
    const DomainWords general;
    const DomainWords& words = have_others ? general : models.front().domain->words();
    return fmt::format("best of 20: geometric mean speedup over {} of the best of the first 20 {}, on the "
                       "machines and test {} of each model; other machines or {} give other figures\n",
                       words.baseline ? words.baseline->one : "the baseline", words.configuration.many,
                       words.workload.many, words.workload.many);
}

} // namespace

std::string model_table(const std::vector<ModelFacts>& models) {
    const bool have_trees = std::ranges::any_of(
        models, [](const ModelFacts& model) { return model.beside_trees.verdict().has_value(); });
    const bool have_others =
        std::ranges::any_of(models, [](const ModelFacts& model) { return !model.is_of_first; });
    std::vector<Table::Column> columns{{"model"},
                                       {"architecture"},
                                       {have_others ? "for" : "operator"},
                                       {"method"},
                                       {"pairs in the right order", Align::Right}};
    if (have_trees)
        columns.push_back({"of trees", Align::Right});
    columns.insert(columns.end(),
                   {{"best of 20", Align::Right}, {"tested on"}, {"size", Align::Right}, {"machines"}});
    if (have_others)
        columns.push_back({"domain"});
    Table table(columns);
    std::string behind;
    std::string what_helps;
    std::string guessed;
    for (const ModelFacts& model : models) {
        const auto verdict = model.beside_trees.verdict();
        const std::string guessed_by = purpose_guessed_by(model.description);
        std::vector<std::string> row{
            model.record.name, model.description.architecture.name,
            fmt::format("{}{}", model.purpose, guessed_by.empty() ? "" : " (guessed)"),
            model.description.training.method, metric_text(model.description, "ordered_pair_accuracy")};
        if (have_trees)
            row.push_back(verdict ? fmt::format("{:.3f}", verdict->baseline) : "-");
        row.insert(row.end(), {metric_text(model.description, "speedup_at_20"), tested_on(model),
                               format_bytes(model.record.bytes),
                               fmt::format("{}", fmt::join(model.description.training.machines, ", "))});
        if (have_others)
            row.emplace_back(model.domain->name());
        table.add_row(std::move(row));
        if (!guessed_by.empty())
            guessed += fmt::format("{}: the operator is guessed by {}; `models import` with --operator says "
                                   "it\n",
                                   model.record.name, guessed_by);
        if (verdict && verdict->standing == BaselineStanding::Ahead) {
            behind += fmt::format("{}: {}\n", model.record.name, baseline_finding(model.beside_trees));
            what_helps = what_helps_against_trees(model.beside_trees) + "\n";
        }
    }
    return table.text() + best_of_20_sentence(models, have_others) + behind + what_helps + guessed;
}

namespace {

/// The ordered pair accuracy, a line for each number of shots; where workloads have a single configuration,
/// which has no order, the mean relative error of the times.
std::string shot_table(const std::vector<ShotResult>& results, const Noun& shot) {
    const bool has_order = std::ranges::any_of(
        results, [](const ShotResult& result) { return result.mean.contains("ordered_pair_accuracy"); });
    Table table({{shot.many, Align::Right},
                 {"contender"},
                 {has_order ? "pairs in the right order" : "mean error of the times", Align::Right},
                 {"95 %"}});
    for (const ShotResult& result : results) {
        const auto found = result.mean.find(has_order ? "ordered_pair_accuracy" : "time_error");
        if (found == result.mean.end())
            continue;
        const Interval& interval = found->second;
        table.add_row({fmt::to_string(result.shots), result.contender, fmt::format("{:.4f}", interval.mean),
                       interval.low && interval.high
                           ? fmt::format("{:.4f} … {:.4f}", *interval.low, *interval.high)
                           : "-"});
    }
    return table.text();
}

std::string metric_text(const Metrics& metrics, const std::string& metric) {
    const auto found = metrics.find(metric);
    return found == metrics.end() ? "-" : fmt::format("{:.4f}", found->second);
}

/// How the simulator of a gray box does alone stands beside the whole.
Table metrics_table(const FinetuneOutcome& outcome) {
    const std::string tested = "on the test " + outcome.shot.many;
    if (outcome.simulator_alone.empty()) {
        Table table({{tested}, {"before", Align::Right}, {"after", Align::Right}});
        for (const auto& [metric, value] : outcome.after)
            table.add_row({metric, metric_text(outcome.before, metric), fmt::format("{:.4f}", value)});
        return table;
    }
    Table table({{tested}, {"before", Align::Right}, {"simulator", Align::Right}, {"after", Align::Right}});
    for (const auto& [metric, value] : outcome.after)
        table.add_row({metric, metric_text(outcome.before, metric),
                       metric_text(outcome.simulator_alone, metric), fmt::format("{:.4f}", value)});
    return table;
}

} // namespace

std::string blend_sentence(const SimulatorBlend& blend, const std::string& machine) {
    std::string text = fmt::format(
        "score = {:.3g} · network + {:.3g} · ln(milliseconds simulated {}with dense extent {})",
        blend.network, blend.simulator,
        machine.empty() ? std::string() : fmt::format("on {}, as calibrated, ", machine), blend.dense);
    if (blend.network_share)
        text += fmt::format("; {:.0f} % of a typical difference is the network's, {:.0f} % the simulator's",
                            *blend.network_share * 100, (1 - *blend.network_share) * 100);
    return text;
}

Json outcome_json(const FinetuneOutcome& outcome) {
    Json shots = Json::array();
    for (const ShotResult& each : outcome.shots)
        shots.push_back(shot_json(each));
    const auto verdict = verdict_of(outcome);
    return {{"run", outcome.run},
            {"model", outcome.model},
            {"verdict", verdict ? Json(name(verdict->worth)) : Json()},
            {"gained_by", verdict ? Json(name(verdict->gained_by)) : Json()},
            {"asked", outcome.asked > 0 ? Json(outcome.asked) : Json()},
            {"used", outcome.asked > 0 ? Json(outcome.used) : Json()},
            {"before", outcome.before},
            {"after", outcome.after},
            {"simulator_alone", outcome.simulator_alone},
            {"doubt", doubt_json(outcome.doubt)},
            {"reliability", reliability_json(outcome.reliability, outcome.words)},
            {"remarks", outcome.remarks},
            {"shots", shots},
            {"seconds", outcome.seconds}};
}

std::string outcome_text(const FinetuneOutcome& outcome) {
    std::string text = fmt::format("kept as {}\n", outcome.model);
    const std::string gain = gain_sentence(outcome);
    if (!gain.empty())
        text += gain + "\n";
    text += metrics_table(outcome).text();
    text += reliability_text(outcome.reliability, outcome.words);
    for (const std::string& remark : outcome.remarks)
        if (remark != gain) // a loss, which stands first
            text += "note: " + remark + "\n";
    if (!outcome.shots.empty())
        text += "\n" + shot_table(outcome.shots, outcome.shot);
    return text;
}

Json doubt_json(const std::optional<StatedDoubt>& doubt) {
    if (!doubt)
        return {};
    return {{"residual", doubt->residual},
            {"temperature", doubt->temperature},
            {"reach", doubt->reach},
            {"calibrated_on", doubt->calibrated_on}};
}

Json reliability_json(const std::optional<Reliability>& reliability, const DomainWords& words) {
    if (!reliability)
        return {};
    Json bins = Json::array();
    for (const CalibrationBin& bin : reliability->bins)
        bins.push_back({{"lowest", bin.lowest},
                        {"highest", bin.highest},
                        {"predicted", bin.predicted},
                        {"observed", bin.observed.value},
                        {"low", bin.observed.lowest},
                        {"high", bin.observed.highest},
                        {"pairs", bin.observed.draws}});
    return {{"pairs", reliability->pairs},
            {words.workload.many, reliability->workloads},
            {"error", reliability->error},
            {"uncalibrated_error", reliability->uncalibrated_error},
            {"within", reliability->within.value},
            {"differences", reliability->within.draws},
            {"bins", std::move(bins)}};
}

std::string reliability_text(const std::optional<Reliability>& reliability, const DomainWords& words) {
    if (!reliability)
        return {};
    Table table({{"sure of the order", Align::Right},
                 {"right", Align::Right},
                 {"95 %", Align::Right},
                 {"pairs", Align::Right}});
    const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
    for (const CalibrationBin& bin : reliability->bins)
        table.add_row({percent(bin.predicted), percent(bin.observed.value),
                       fmt::format("{} … {}", percent(bin.observed.lowest), percent(bin.observed.highest)),
                       fmt::to_string(bin.observed.draws)});
    return reliability_sentence(*reliability, words) + "\n" + table.text();
}

Json deviations_json(std::span<const NamedArray> weights) {
    Json list = Json::array();
    for (const ParameterDeviation& each : deviations(weights))
        list.push_back({{"parameter", parameter_info(each.parameter).key},
                        {"factor", each.factor},
                        {"low", each.low()},
                        {"high", each.high()}});
    return list;
}

std::string deviations_text(std::span<const NamedArray> weights) {
    std::string text;
    for (const ParameterDeviation& each : deviations(weights))
        if (each.is_clear())
            text += fmt::format("  {:<24} as if it were {:.2f} times as large ({:.2f} to {:.2f})\n",
                                parameter_info(each.parameter).key, each.factor, each.low(), each.high());
    return text.empty() ? text : "the machine is unlike its simulator in\n" + text;
}

} // namespace sparsight
