#include "base/plural.h"
#include "command/table.h"
#include "learn/train_run.h"

#include <fmt/format.h>

namespace sparsight {

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
