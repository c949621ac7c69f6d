#include "learn/finetune_outcome.h"

#include "command/table.h"

#include <fmt/format.h>

namespace sparsight {

namespace {

std::string metric_text(const Metrics& metrics, const std::string& metric) {
    const auto found = metrics.find(metric);
    return found == metrics.end() ? "-" : fmt::format("{:.4f}", found->second);
}

/// How each part of a blended model does alone stands beside the whole.
Table metrics_table(const FinetuneOutcome& outcome) {
    if (outcome.simulator_alone.empty()) {
        Table table({{"on the test matrices"}, {"before", Align::Right}, {"after", Align::Right}});
        for (const auto& [metric, value] : outcome.after)
            table.add_row({metric, metric_text(outcome.before, metric), fmt::format("{:.4f}", value)});
        return table;
    }
    Table table({{"on the test matrices"},
                 {"before", Align::Right},
                 {"network", Align::Right},
                 {"simulator", Align::Right},
                 {"both", Align::Right}});
    for (const auto& [metric, value] : outcome.after)
        table.add_row({metric, metric_text(outcome.before, metric),
                       metric_text(outcome.network_alone, metric),
                       metric_text(outcome.simulator_alone, metric), fmt::format("{:.4f}", value)});
    return table;
}

} // namespace

Json outcome_json(const FinetuneOutcome& outcome) {
    Json shots = Json::array();
    for (const ShotResult& each : outcome.shots)
        shots.push_back(shot_json(each));
    return {{"run", outcome.run},
            {"model", outcome.model},
            {"before", outcome.before},
            {"after", outcome.after},
            {"network_alone", outcome.network_alone},
            {"simulator_alone", outcome.simulator_alone},
            {"shots", shots},
            {"seconds", outcome.seconds}};
}

std::string outcome_text(const FinetuneOutcome& outcome) {
    std::string text = fmt::format("kept as {}\n", outcome.model) + metrics_table(outcome).text();
    if (!outcome.shots.empty())
        text += "\n" + shot_table(outcome.shots);
    return text;
}

} // namespace sparsight
