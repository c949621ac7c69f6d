#include "learn/model_facts.h"

#include "base/quantity.h"
#include "command/terminal_text.h"
#include "workflow/learning/models/model_import.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

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
            {"test_matrices", comparison.test_matrices > 0 ? Json(comparison.test_matrices) : Json()},
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
              {model.domain->words().workload.many, training.matrices.size()},
              {"metrics", training.metrics},
              {"parent", model.parent.empty() ? Json() : Json(model.parent)},
              {"run", model.record.run ? Json(static_cast<std::int64_t>(*model.record.run)) : Json()},
              {"bytes", model.record.bytes},
              {"created", model.record.created},
              {"baseline_verdict", baseline_json(model.beside_trees)}};
    if (!model.is_of_first)
        json["domain"] = model.domain->name();
    return json;
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
    const bool have_others =
        std::ranges::any_of(models, [](const ModelFacts& model) { return !model.is_of_first; });
    std::vector<Table::Column> columns{{"model"},
                                       {"architecture"},
                                       {have_others ? "for" : "operator"},
                                       {"method"},
                                       {"pairs in order", Align::Right}};
    if (have_trees)
        columns.push_back({"of trees", Align::Right});
    columns.insert(columns.end(), {{"best of 20", Align::Right}, {"size", Align::Right}, {"machines"}});
    if (have_others)
        columns.push_back({"domain"});
    Table table(columns);
    std::string behind;
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
        row.insert(row.end(),
                   {metric_text(model.description, "speedup_at_20"), format_bytes(model.record.bytes),
                    fmt::format("{}", fmt::join(model.description.training.machines, ", "))});
        if (have_others)
            row.emplace_back(model.domain->name());
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

} // namespace sparsight
