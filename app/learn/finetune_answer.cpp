#include "learn/finetune_answer.h"

#include "command/terminal_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

/// The ordered pair accuracy, a line for each number of shots.
std::string shot_table(const std::vector<ShotResult>& results) {
    Table table({{"matrices", Align::Right}, {"contender"}, {"pairs in order", Align::Right}, {"95 %"}});
    for (const ShotResult& result : results) {
        const auto accuracy = result.mean.find("ordered_pair_accuracy");
        if (accuracy == result.mean.end())
            continue;
        const Interval& interval = accuracy->second;
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

Json blend_json(const FinetuneOutcome& outcome) {
    if (!outcome.blend)
        return {};
    const SimulatorBlend& blend = *outcome.blend;
    return {{"network", blend.network},
            {"simulator", blend.simulator},
            {"network_share", blend.network_share ? Json(*blend.network_share) : Json()},
            {"machine", outcome.machine},
            {"dense", blend.dense},
            {"kept_back", outcome.kept_back}};
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
    return {{"run", outcome.run},
            {"model", outcome.model},
            {"before", outcome.before},
            {"after", outcome.after},
            {"network_alone", outcome.network_alone},
            {"simulator_alone", outcome.simulator_alone},
            {"blend", blend_json(outcome)},
            {"remarks", outcome.remarks},
            {"shots", shots},
            {"seconds", outcome.seconds}};
}

std::string outcome_text(const FinetuneOutcome& outcome) {
    std::string text = fmt::format("kept as {}\n", outcome.model) + metrics_table(outcome).text();
    if (outcome.blend)
        text += blend_sentence(*outcome.blend, outcome.machine) + "\n";
    if (outcome.kept_back.contains("both"))
        text +=
            fmt::format("pairs in order on matrices that were kept back: network {}, simulator {}, both "
                        "{}\n",
                        metric_text(outcome.kept_back, "network"),
                        metric_text(outcome.kept_back, "simulator"), metric_text(outcome.kept_back, "both"));
    for (const std::string& remark : outcome.remarks)
        text += "note: " + remark + "\n";
    if (!outcome.shots.empty())
        text += "\n" + shot_table(outcome.shots);
    return text;
}

} // namespace sparsight
