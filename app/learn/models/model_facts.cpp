#include "learn/models/model_facts.h"

#include "base/quantity.h"
#include "base/text.h"
#include "command/terminal_text.h"
#include "learn/models/published_models.h"
#include "learn/training/training_run.h"
#include "store/runs.h"
#include "workflow/learning/training/training_journal.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

std::string pairs_of(int test_matrices) {
    return test_matrices > 0
               ? fmt::format("of the pairs on {}", counted(test_matrices, "test matrix", "test matrices"))
               : std::string("of the pairs on the test matrices");
}

/// By which the two differ, as their shares are written.
std::string points_between(const BaselineVerdict& verdict) {
    return fmt::format("{:.1f} points", 100 * std::abs(verdict.model - verdict.baseline));
}

std::string caution(int test_matrices) {
    return test_matrices > 0 && test_matrices < enough_test_matrices
               ? "; on so few test matrices that may be chance"
               : "";
}

} // namespace

std::string baseline_finding(const BaselineComparison& comparison) {
    const auto verdict = comparison.verdict();
    if (!verdict)
        return {};
    const std::string pairs = pairs_of(comparison.test_matrices);
    switch (verdict->standing) {
    case BaselineStanding::Ahead:
        return fmt::format("boosted trees are ahead: {} they have {:.1f} % in order, this network {:.1f} %, "
                           "{} fewer{}",
                           pairs, 100 * verdict->baseline, 100 * verdict->model, points_between(*verdict),
                           caution(comparison.test_matrices));
    case BaselineStanding::Behind:
        return fmt::format("this network is ahead of boosted trees: {} it has {:.1f} % in order, they "
                           "{:.1f} %, {} fewer{}",
                           pairs, 100 * verdict->model, 100 * verdict->baseline, points_between(*verdict),
                           caution(comparison.test_matrices));
    case BaselineStanding::Even:
        break;
    }
    return fmt::format("boosted trees and this network are even: {} both have {:.1f} % in order", pairs,
                       100 * verdict->model);
}

std::string baseline_sentence(const BaselineComparison& comparison) {
    const auto verdict = comparison.verdict();
    std::string sentence = baseline_finding(comparison);
    if (verdict && verdict->standing == BaselineStanding::Ahead)
        sentence += fmt::format("; {}", what_helps_against_trees);
    return sentence;
}

Json baseline_json(const BaselineComparison& comparison) {
    const auto verdict = comparison.verdict();
    if (!verdict)
        return {};
    const bool is_even = verdict->standing == BaselineStanding::Even;
    return {{"ahead", is_even                                        ? Json()
                      : verdict->standing == BaselineStanding::Ahead ? "trees"
                                                                     : "model"},
            {"points", 100 * std::abs(verdict->model - verdict->baseline)},
            {"test_matrices", comparison.test_matrices > 0 ? Json(comparison.test_matrices) : Json()},
            {"sentence", baseline_sentence(comparison)}};
}

Result<BaselineComparison> comparison_with_trees(Workspace& workspace, const ModelRecord& model) {
    BaselineComparison comparison;
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
    const auto matrices = last_of(test_matrices_metric);
    if (!matrices)
        return std::unexpected(matrices.error());
    return BaselineComparison{*own, *trees, static_cast<int>(matrices->value_or(0))};
}

Json model_json(const ModelFacts& model) {
    const TrainingRecord& training = model.description.training;
    return {{"name", model.record.name},
            {"architecture", architecture_name(model.description)},
            {"operator", name(model.description.op())},
            {"operator_is_guessed", !operator_guessed_by(model.description).empty()},
            {"method", training.method},
            {"machines", training.machines},
            {"matrices", training.matrices.size()},
            {"metrics", training.metrics},
            {"parent", model.parent.empty() ? Json() : Json(model.parent)},
            {"run", model.record.run ? Json(static_cast<std::int64_t>(*model.record.run)) : Json()},
            {"bytes", model.record.bytes},
            {"created", model.record.created},
            {"baseline_verdict", baseline_json(model.beside_trees)}};
}

std::string metric_text(const ModelDescription& model, const std::string& metric) {
    const auto found = model.training.metrics.find(metric);
    if (found == model.training.metrics.end())
        return "-";
    return metric.starts_with("speedup") ? fmt::format("{:.2f}x", found->second)
                                         : fmt::format("{:.3f}", found->second);
}

std::string model_table(const std::vector<ModelFacts>& models) {
    const bool have_trees = std::ranges::any_of(
        models, [](const ModelFacts& model) { return model.beside_trees.verdict().has_value(); });
    std::vector<Table::Column> columns{
        {"model"}, {"architecture"}, {"operator"}, {"method"}, {"pairs in order", Align::Right}};
    if (have_trees)
        columns.push_back({"of trees", Align::Right});
    columns.insert(columns.end(), {{"best of 20", Align::Right}, {"size", Align::Right}, {"machines"}});
    Table table(columns);
    std::string behind;
    std::string guessed;
    for (const ModelFacts& model : models) {
        const auto verdict = model.beside_trees.verdict();
        const std::string guessed_by = operator_guessed_by(model.description);
        std::vector<std::string> row{
            model.record.name, std::string(architecture_name(model.description)),
            fmt::format("{}{}", name(model.description.op()), guessed_by.empty() ? "" : " (guessed)"),
            model.description.training.method, metric_text(model.description, "ordered_pair_accuracy")};
        if (have_trees)
            row.push_back(verdict ? fmt::format("{:.3f}", verdict->baseline) : "-");
        row.insert(row.end(),
                   {metric_text(model.description, "speedup_at_20"), format_bytes(model.record.bytes),
                    fmt::format("{}", fmt::join(model.description.training.machines, ", "))});
        table.add_row(std::move(row));
        if (!guessed_by.empty())
            guessed += fmt::format("{}: the operator is guessed by {}; `models import` with --operator says "
                                   "it\n",
                                   model.record.name, guessed_by);
        if (verdict && verdict->standing == BaselineStanding::Ahead)
            behind += fmt::format("{}: {}\n", model.record.name, baseline_finding(model.beside_trees));
    }
    if (!behind.empty())
        behind += fmt::format("{}\n", what_helps_against_trees);
    return table.text() + behind + guessed;
}

BaselineComparison TrainOutcome::beside_baseline() const {
    constexpr const char* accuracy = "ordered_pair_accuracy";
    const auto of = [](const std::map<std::string, double>& found) {
        const auto value = found.find(accuracy);
        return value == found.end() ? std::nullopt : std::optional(value->second);
    };
    return {of(metrics), baseline ? of(*baseline) : std::nullopt, test_matrices};
}

Json outcome_json(const TrainOutcome& outcome) {
    Json json{{"run", outcome.run},
              {"model", outcome.model ? Json(*outcome.model) : Json()},
              {"ending", outcome.ending},
              {"epochs", outcome.epochs},
              {"best_epoch", outcome.best_epoch},
              {"metrics", outcome.metrics},
              {"baseline", outcome.baseline ? Json(*outcome.baseline) : Json()},
              {"baseline_verdict", baseline_json(outcome.beside_baseline())}};
    if (outcome.seconds)
        json["seconds"] = *outcome.seconds;
    return json;
}

std::string outcome_text(const TrainOutcome& outcome) {
    std::string text = outcome.ending;
    if (outcome.epochs > 0)
        text += fmt::format(" after {}", counted(outcome.epochs, "epoch", "epochs"));
    if (outcome.best_epoch > 0)
        text += fmt::format(", the best of which was number {}", outcome.best_epoch);
    text += outcome.model ? fmt::format("; kept as {}\n", *outcome.model) : "\n";
    if (outcome.metrics.empty())
        return text;
    std::vector<Table::Column> columns{{"on the test matrices"},
                                       {outcome.model.value_or("model"), Align::Right}};
    if (outcome.baseline)
        columns.push_back({"trees", Align::Right});
    Table table(columns);
    for (const auto& [metric, value] : outcome.metrics) {
        std::vector<std::string> row{metric, fmt::format("{:.4f}", value)};
        if (outcome.baseline) {
            const auto rival = outcome.baseline->find(metric);
            row.push_back(rival == outcome.baseline->end() ? "-" : fmt::format("{:.4f}", rival->second));
        }
        table.add_row(std::move(row));
    }
    text += table.text();
    if (const std::string sentence = baseline_sentence(outcome.beside_baseline()); !sentence.empty())
        text += sentence + "\n";
    return text;
}

} // namespace sparsight
