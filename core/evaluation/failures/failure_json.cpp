#include "evaluation/failures/failure_groups.h"

#include "base/optional_json.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

using Json = nlohmann::ordered_json;

Json time_json(const TimedConfiguration& time, const DomainWords& words) {
    Json json{{words.configuration.one, time.configuration},
              {"ms", time.milliseconds},
              {"spread_ms", json_or_null(time.spread_ms)},
              {"at_least", time.is_at_least},
              {"rank", json_or_null(time.rank)}};
    if (!time.nickname.empty())
        json["nickname"] = time.nickname;
    if (time.error_ms)
        json["error_ms"] = *time.error_ms;
    if (time.raw_ms)
        json["raw_ms"] = *time.raw_ms;
    return json;
}

/// "csr" of "fixed CSR".
std::string baseline_word(const DomainWords& words) {
    if (!words.baseline)
        return "baseline";
    std::string word = words.baseline->one.substr(words.baseline->one.find_last_of(' ') + 1);
    std::ranges::transform(word, word.begin(), [](unsigned char letter) { return std::tolower(letter); });
    return word;
}

std::string kind_key(FailureKind kind, const DomainWords& words) {
    return kind == FailureKind::SlowerThanBaseline ? "slower_than_" + baseline_word(words)
                                                   : std::string(name(kind));
}

std::string against_key(FailureAgainst against, const DomainWords& words) {
    return against == FailureAgainst::Baseline ? baseline_word(words) : std::string(name(against));
}

Json sign_json(const FailureSign& sign, const DomainWords& words) {
    return {{"kind", kind_key(sign.kind, words)},
            {"held_against", against_key(sign.held_against, words)},
            {"chosen", time_json(sign.chosen, words)},
            {"against", time_json(sign.against, words)},
            {"lost_ms", sign.lost_ms()},
            {"lost_share", sign.lost_share()},
            {"significance", name(sign.significance)},
            {"figure", json_or_null(sign.figure)}};
}

Json diagnosis_json(const FailureDiagnosis& diagnosis) {
    const bool is_simulated =
        diagnosis.basis != DiagnosisBasis::Statistics && diagnosis.basis != DiagnosisBasis::Recorded;
    Json decisions = Json::array();
    for (const BlamedDecision& blamed : diagnosis.decisions)
        decisions.push_back({{"decision", blamed.decision.key},
                             {"before", blamed.before},
                             {"after", blamed.after},
                             {"ms", blamed.milliseconds},
                             {"error_ms", json_or_null(blamed.error_ms)},
                             {"factor", blamed.factor},
                             {"significant", blamed.is_significant}});
    return {{"basis", name(diagnosis.basis)},
            {"decisions", decisions},
            {"term", diagnosis.term ? Json(diagnosis.term->name) : Json()},
            {"term_ms", diagnosis.term ? Json(diagnosis.term_ms) : Json()},
            {"simulation_agrees", is_simulated ? Json(diagnosis.simulation_agrees) : Json()},
            {"simulated_factor", is_simulated ? Json(diagnosis.simulated_factor) : Json()}};
}

Json change_json(const FailureChange& change, const DomainWords& words) {
    Json decisions = Json::array();
    for (const DecisionChange& each : change.decisions)
        decisions.push_back(
            {{"decision", each.decision.key}, {"before", each.before}, {"after", each.after}});
    return {{words.configuration.one, change.configuration},
            {"decisions", decisions},
            {"ms", change.milliseconds},
            {"removes_loss", change.removes_loss}};
}

} // namespace

Json failure_case_json(const FailureCase& failure, const DomainWords& words) {
    Json signs = Json::array();
    for (const FailureSign& sign : failure.signs)
        signs.push_back(sign_json(sign, words));
    Json unfamiliar = Json::array();
    for (const UnfamiliarStatistic& each : failure.unfamiliar)
        unfamiliar.push_back({{"statistic", each.name},
                              {"value", each.value},
                              {"trained_low", each.low},
                              {"trained_high", each.high}});
    Json json{{"model", failure.model_name},
              {words.workload.one, failure.workload},
              {"times", name(failure.times)},
              {"lost_ms", failure.lost_ms()},
              {"family", failure.family.name},
              {"signs", signs},
              {"diagnosis", failure.diagnosis ? diagnosis_json(*failure.diagnosis) : Json()},
              {"undiagnosed", failure.undiagnosed.empty() ? Json() : Json(failure.undiagnosed)},
              {"unfamiliar", unfamiliar},
              {"line", failure.line == 0 ? Json() : Json(failure.line)}};
    if (failure.change)
        json["change"] = change_json(*failure.change, words);
    for (const CloseWorkload& close : failure.closest_trained)
        json["closest_trained"].push_back({{words.workload.one, close.name}, {"distance", close.distance}});
    if (failure.misleading)
        json["misled"] = misleading_part_json(*failure.misleading);
    if (failure.reasons)
        json["reasons"] = choice_reasons_json(*failure.reasons, words);
    if (!failure.no_reasons_because.empty())
        json["unasked"] = failure.no_reasons_because;
    return json;
}

Json failure_group_json(const FailureGroup& group, std::span<const FailureCase> cases,
                        const DomainWords& words) {
    Json families = Json::object();
    for (const FamilyCount& family : group.families)
        families[family.family.name] = family.cases;
    Json members = Json::array();
    for (const std::size_t place : group.cases)
        members.push_back({{"model", cases[place].model_name}, {words.workload.one, cases[place].workload}});
    const bool is_decided = group.decision.has_value();
    return {{"sentence", group_sentence(group, words)},
            {"ground", name(group.ground)},
            {"decision", is_decided ? Json(group.decision->key) : Json()},
            {"before", group.before ? Json(*group.before) : Json()},
            {"after", is_decided ? Json(group.after) : Json()},
            {"one_value", group.is_one_value},
            {"term", group.term ? Json(group.term->name) : Json()},
            {"basis", group.basis ? Json(name(*group.basis)) : Json()},
            {"kind", kind_key(group.kind, words)},
            {"against", against_key(group.against, words)},
            {"families", families},
            {words.workload.many, group.workloads},
            {"times", name(group.times)},
            {"lost_ms", group.lost_ms},
            {"behind_ms", group.behind_ms},
            {"lost_share", group.lost_share},
            {"cases", members}};
}

} // namespace sparsight
