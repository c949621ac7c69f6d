#include "learn/search_answer.h"

#include "base/optional_json.h"
#include "base/quantity.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "study/nicknames.h"
#include "workflow/chosen_setting.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

/// A map has thousands of them, to be looked at.
Json short_number(double value) {
    if (!std::isfinite(value))
        return {};
    return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

/// Not the "simulated ms" of `whatif`.
constexpr const char* model_simulated_ms = "model's simulated ms";

std::string_view reason_name(ChosenBy reason) {
    switch (reason) {
    case ChosenBy::Score:
        return "score";
    case ChosenBy::Difference:
        return "hedge";
    case ChosenBy::Second:
        return "simulator";
    }
    return "";
}

std::string reason_text(const WorkloadChoice& choice, std::size_t at) {
    return std::string(at < choice.reasons.size() ? reason_name(choice.reasons[at]) : "-");
}

/// Designs are no part of the pool, of which all are scored: there may be more simulated than scored.
std::string simulated_text(const WorkloadChoice& choice) {
    const std::int64_t designs = choice.designs.value_or(0);
    const bool begins = choice.method == ChoiceMethod::Evolution || choice.method == ChoiceMethod::Annealing;
    return fmt::format("simulated in {:.0f} ms{}: the best {} of the pool{}", *choice.simulating_ms,
                       begins ? " at the start" : "", format_count(*choice.simulated - designs),
                       designs > 0 ? " and " + counted(designs, "design", "designs") : "");
}

std::string place_text(const WorkloadChoice& choice, std::size_t at) {
    return at < choice.places.size() ? fmt::to_string(choice.places[at]) : std::string("-");
}

/// Of its candidates, in their order.
std::vector<std::string> nicknames_of(const ConfigurationCodec& codec, const WorkloadChoice& choice) {
    std::vector<ParsedConfiguration> configurations;
    for (const ScoredConfiguration& each : choice.candidates)
        configurations.push_back({each.configuration, choice.threads});
    return nicknames(codec, configurations);
}

} // namespace

Json SearchTeller::choice_json(const SearchedWorkload& searched) const {
    const WorkloadChoice& choice = searched.choice;
    Json candidates = Json::array();
    const std::vector<std::string> names = nicknames_of(codec_, choice);
    for (const ScoredConfiguration& each : choice.candidates) {
        const std::size_t at = candidates.size();
        Json candidate{{"rank", at + 1},
                       {words_.configuration.one, codec_.text(each.configuration, choice.threads)},
                       {"score", each.score}};
        if (!names[at].empty())
            candidate["nickname"] = names[at];
        if (at < choice.parts.size()) {
            candidate["network_score"] = choice.parts[at].network;
            candidate["simulated_ms"] = json_or_null(choice.parts[at].simulated_ms);
        }
        if (at < searched.recorded_ms.size())
            candidate["recorded_ms"] = json_or_null(searched.recorded_ms[at]);
        if (at < choice.places.size())
            candidate["place"] = choice.places[at];
        if (at < choice.reasons.size())
            candidate["reason"] = reason_name(choice.reasons[at]);
        candidates.push_back(std::move(candidate));
    }
    return {{words_.workload.one, searched.name},
            {"method", name(choice.method)},
            {"pool", choice.pool},
            {"scored", choice.scored},
            {"embedding_ms", choice.embedding_ms},
            {"search_ms", choice.search_ms},
            {"simulated", json_or_null(choice.simulated)},
            {"designs", json_or_null(choice.designs)},
            {"simulating_ms", json_or_null(choice.simulating_ms)},
            {"blend", choice.blend
                          ? Json{{"network", choice.blend->network}, {"simulator", choice.blend->simulator}}
                          : Json()},
            {"recall", json_or_null(choice.recall)},
            {"recall_at", json_or_null(choice.recall_at)},
            {"exhaustive_ms", json_or_null(choice.exhaustive_ms)},
            {"candidates", std::move(candidates)}};
}

Json SearchTeller::map_json(const WorkloadChoice& choice) const {
    const SearchMap& map = choice.map.value();
    Json nodes = Json::array();
    for (const SearchMap::Node& node : map.nodes) {
        nodes.push_back({{words_.configuration.one, codec_.text(node.configuration, choice.threads)},
                         {"x", short_number(node.place.x)},
                         {"y", short_number(node.place.y)},
                         {"score", short_number(static_cast<double>(node.score))},
                         {"seen", node.seen}});
        if (node.simulated_ms)
            nodes.back()["simulated_ms"] = short_number(*node.simulated_ms);
    }
    Json walk = Json::array();
    for (const SearchMap::Step& step : map.walk)
        walk.push_back({{"node", step.node}, {"from", step.from}, {"layer", step.layer}});
    return {{"rows", map.rows},
            {"sampled", map.sampled},
            {"explained", map.explained},
            {"nodes", std::move(nodes)},
            {"walk", std::move(walk)}};
}

std::string SearchTeller::choice_text(const SearchedWorkload& searched) const {
    const WorkloadChoice& choice = searched.choice;
    std::string text =
        fmt::format("{}: {}{} {} scored in {:.1f} ms{}, after {:.1f} ms for the {}", searched.name,
                    choice.instead_of_walk ? "all " : "", choice.scored, words_.configuration.many,
                    choice.search_ms, choice.instead_of_walk ? ", which is sooner than a walk" : "",
                    choice.embedding_ms, words_.workload.one);
    if (choice.simulated)
        text += "; " + simulated_text(choice);
    if (choice.recall)
        text += choice.blend ? fmt::format("; {:.0f} % of the network's best {} found", *choice.recall * 100,
                                           *choice.recall_at)
                             : fmt::format("; {:.0f} % of the best found", *choice.recall * 100);
    const bool is_blended = !choice.parts.empty();
    std::vector<Table::Column> columns{{"rank", Align::Right}, {"score", Align::Right}};
    if (is_blended)
        columns.insert(columns.end(), {{"place", Align::Right},
                                       {"reason"},
                                       {"network", Align::Right},
                                       {model_simulated_ms, Align::Right}});
    const bool has_recorded = !searched.recorded_ms.empty();
    if (has_recorded)
        columns.push_back({"recorded ms", Align::Right});
    const std::vector<std::string> names = nicknames_of(codec_, choice);
    const bool has_names = !names.empty() && !names.front().empty();
    columns.push_back({words_.configuration.one});
    if (has_names)
        columns.push_back({"code"});
    Table table(std::move(columns));
    for (std::size_t at = 0; at < choice.candidates.size(); ++at) {
        const ScoredConfiguration& each = choice.candidates[at];
        std::vector<std::string> row{fmt::to_string(at + 1), fmt::format("{:.4f}", each.score)};
        if (is_blended) {
            const ScorePart& part = choice.parts[at];
            row.insert(row.end(),
                       {place_text(choice, at), reason_text(choice, at), fmt::format("{:.4f}", part.network),
                        part.simulated_ms ? fmt::format("{:.4g}", *part.simulated_ms) : std::string("-")});
        }
        if (has_recorded)
            row.push_back(searched.recorded_ms[at] ? fmt::format("{:.4g}", *searched.recorded_ms[at]) : "-");
        if (has_names)
            row.push_back(names[at]);
        row.push_back(codec_.text(each.configuration, choice.threads));
        table.add_row(std::move(row));
    }
    text += "\n" + table.text();
    if (is_blended)
        text += fmt::format("\"{}\" is by the simulator as the model has it since its fine-tuning; `whatif` "
                            "simulates by the description of the machine.\n",
                            model_simulated_ms);
    return text;
}

Json outcome_json(const SearchOutcome& outcome, bool with_maps) {
    const DomainWords& words = outcome.domain->words();
    const SearchTeller teller(*outcome.domain, *outcome.codec);
    Json workloads = Json::array();
    for (const SearchedWorkload& searched : outcome.workloads) {
        workloads.push_back(teller.choice_json(searched));
        if (with_maps && searched.choice.map)
            workloads.back()["map"] = teller.map_json(searched.choice);
    }
    Json failures = Json::array();
    for (const FailedSearch& failed : outcome.failures)
        failures.push_back({{words.workload.one, failed.workload}, {"error", failed.error}});
    Json json{{"model", outcome.model}};
    for (const SettingMember& member : outcome.domain->members(outcome.setting))
        json[member.key] = member_json(member);
    json[words.workload.many] = std::move(workloads);
    json["failures"] = std::move(failures);
    return json;
}

} // namespace sparsight
