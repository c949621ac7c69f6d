#include "evaluation/failures/failure_groups.h"

#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

Json time_json(const TimedSchedule& time, const DomainWords& words) {
    return {{words.configuration.one, time.schedule},
            {"ms", time.milliseconds},
            {"spread_ms", or_null(time.spread_ms)},
            {"at_least", time.is_at_least},
            {"rank", or_null(time.rank)}};
}

Json sign_json(const FailureSign& sign, const DomainWords& words) {
    return {{"kind", name(sign.kind)},
            {"held_against", name(sign.held_against)},
            {"chosen", time_json(sign.chosen, words)},
            {"against", time_json(sign.against, words)},
            {"lost_ms", sign.lost_ms()},
            {"lost_share", sign.lost_share()},
            {"significance", name(sign.significance)},
            {"figure", or_null(sign.figure)}};
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
                             {"error_ms", or_null(blamed.error_ms)},
                             {"factor", blamed.factor},
                             {"significant", blamed.is_significant}});
    return {{"basis", name(diagnosis.basis)},
            {"decisions", decisions},
            {"term", diagnosis.term ? Json(diagnosis.term->name) : Json()},
            {"term_ms", diagnosis.term ? Json(diagnosis.term_ms) : Json()},
            {"simulation_agrees", is_simulated ? Json(diagnosis.simulation_agrees) : Json()},
            {"simulated_factor", is_simulated ? Json(diagnosis.simulated_factor) : Json()}};
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
    return {{"model", failure.model_name},
            {words.workload.one, failure.matrix},
            {"times", name(failure.times)},
            {"lost_ms", failure.lost_ms()},
            {"family", failure.family.name},
            {"signs", signs},
            {"diagnosis", failure.diagnosis ? diagnosis_json(*failure.diagnosis) : Json()},
            {"undiagnosed", failure.undiagnosed.empty() ? Json() : Json(failure.undiagnosed)},
            {"unfamiliar", unfamiliar},
            {"line", failure.line == 0 ? Json() : Json(failure.line)}};
}

Json failure_group_json(const FailureGroup& story, std::span<const FailureCase> cases,
                        const DomainWords& words) {
    Json families = Json::object();
    for (const FamilyCount& family : story.families)
        families[family.family.name] = family.cases;
    Json members = Json::array();
    for (const std::size_t place : story.cases)
        members.push_back({{"model", cases[place].model_name}, {words.workload.one, cases[place].matrix}});
    const bool is_decided = story.decision.has_value();
    return {{"sentence", group_sentence(story, words)},
            {"ground", name(story.ground)},
            {"decision", is_decided ? Json(story.decision->key) : Json()},
            {"before", is_decided ? Json(story.before) : Json()},
            {"after", is_decided ? Json(story.after) : Json()},
            {"one_value", story.is_one_value},
            {"term", story.term ? Json(story.term->name) : Json()},
            {"basis", story.basis ? Json(name(*story.basis)) : Json()},
            {"kind", name(story.kind)},
            {"against", name(story.against)},
            {"families", families},
            {words.workload.many, story.matrices},
            {"times", name(story.times)},
            {"lost_ms", story.lost_ms},
            {"behind_ms", story.behind_ms},
            {"lost_share", story.lost_share},
            {"cases", members}};
}

} // namespace sparsight
