#include "learn/search_answer.h"

#include "command/table.h"
#include "schedule/text.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

/// A map has thousands of them, to be looked at.
Json short_number(double value) {
    if (!std::isfinite(value))
        return {};
    return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

} // namespace

Json choice_json(const std::string& matrix, const MatrixChoice& choice) {
    Json candidates = Json::array();
    for (const ScoredSchedule& each : choice.candidates)
        candidates.push_back(
            {{"rank", candidates.size() + 1}, {"schedule", to_text(each.schedule)}, {"score", each.score}});
    return {{"matrix", matrix},
            {"method", name(choice.method)},
            {"pool", choice.pool},
            {"scored", choice.scored},
            {"embedding_ms", choice.embedding_ms},
            {"search_ms", choice.search_ms},
            {"simulated", choice.simulated ? Json(*choice.simulated) : Json()},
            {"simulating_ms", choice.simulating_ms ? Json(*choice.simulating_ms) : Json()},
            {"recall", choice.recall ? Json(*choice.recall) : Json()},
            {"exhaustive_ms", choice.exhaustive_ms ? Json(*choice.exhaustive_ms) : Json()},
            {"candidates", std::move(candidates)}};
}

Json map_json(const SearchMap& map) {
    Json nodes = Json::array();
    for (const SearchMap::Node& node : map.nodes)
        nodes.push_back({{"schedule", to_text(node.schedule)},
                         {"x", short_number(node.place.x)},
                         {"y", short_number(node.place.y)},
                         {"score", short_number(static_cast<double>(node.score))},
                         {"seen", node.seen}});
    Json walk = Json::array();
    for (const SearchMap::Step& step : map.walk)
        walk.push_back({{"node", step.node}, {"from", step.from}, {"layer", step.layer}});
    return {{"rows", map.rows},
            {"sampled", map.sampled},
            {"explained", map.explained},
            {"nodes", std::move(nodes)},
            {"walk", std::move(walk)}};
}

std::string choice_text(const std::string& matrix, const MatrixChoice& choice) {
    std::string text = fmt::format("{}: {} schedules scored in {:.1f} ms, after {:.1f} ms for the matrix",
                                   matrix, choice.scored, choice.search_ms, choice.embedding_ms);
    if (choice.simulated)
        text += fmt::format("; the best {} simulated in {:.0f} ms", *choice.simulated, *choice.simulating_ms);
    if (choice.recall)
        text += fmt::format("; {:.0f} % of the best found", *choice.recall * 100);
    Table table({{"rank", Align::Right}, {"score", Align::Right}, {"schedule"}});
    int rank = 0;
    for (const ScoredSchedule& each : choice.candidates)
        table.add_row({fmt::to_string(++rank), fmt::format("{:.4f}", each.score), to_text(each.schedule)});
    return text + "\n" + table.text();
}

} // namespace sparsight
