#include "evaluation/model_reasons/choice_reasons.h"

#include "base/terminal_text.h"
#include "base/text.h"
#include "evaluation/model_reasons/reasons_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

/// Calls `member` as functions of reasons_json do; keys are in the domain's words.
template <typename Member, typename Reasons>
void choice_members(Member& member, Reasons& of, const DomainWords& words) {
    const std::string& noun = words.configuration.one;
    member("model", of.model);
    member(words.workload.one.c_str(), of.workload);
    member("machine", of.machine);
    member(noun.c_str(), of.configuration);
    member("against", of.against);
    member((noun + "_score").c_str(), of.configuration_score);
    member("against_score", of.against_score);
    member((noun + "_ms").c_str(), of.configuration_ms);
    member("against_ms", of.against_ms);
    member.derived("margin", [&] { return of.margin(); });
    member.derived("right", [&] { return of.is_right(); });
    member(words.configuration.many.c_str(), of.others);
    member("anchors", of.anchors);
    member("missing", of.missing);
}

} // namespace

std::optional<bool> ChoiceReasons::is_right() const {
    if (!configuration_ms || !against_ms || *configuration_ms == *against_ms || margin() == 0)
        return std::nullopt;
    return (*configuration_ms < *against_ms) == (margin() > 0);
}

SubjectWords subject_words(const DomainWords& words) {
    return {.configuration = words.configuration.one,
            .workload = words.workload.one,
            .workload_title = words.workload.one};
}

nlohmann::ordered_json choice_reasons_json(const ChoiceReasons& reasons, const DomainWords& words) {
    const SubjectWords subjects = subject_words(words);
    reasons_json::Writer writer(subjects);
    choice_members(writer, reasons, words);
    return std::move(writer).json();
}

Result<ChoiceReasons> parse_choice_reasons(const nlohmann::ordered_json& json, const DomainWords& words) {
    const SubjectWords subjects = subject_words(words);
    return reasons_json::read_by<ChoiceReasons>(json, subjects,
                                                [&](reasons_json::Reader& reader, ChoiceReasons& reasons) {
                                                    choice_members(reader, reasons, words);
                                                });
}

namespace {

std::string milliseconds_text(const std::optional<double>& milliseconds) {
    return milliseconds ? fmt::format("{:.4g} ms", *milliseconds) : "not known";
}

} // namespace

std::string choice_reasons_text(const ChoiceReasons& reasons, const DomainWords& words) {
    const std::string one = "the " + words.configuration.one;
    const std::string preferred = reasons.margin() > 0   ? one
                                  : reasons.margin() < 0 ? "the other one"
                                                         : "neither";
    std::string text = fmt::format("{} on {}{}: the model prefers {}\n", reasons.model, reasons.workload,
                                   reasons.machine.empty() ? "" : ", " + reasons.machine, preferred);
    Table table({{""}, {"score", Align::Right}, {"time", Align::Right}, {words.configuration.one}});
    table.add_row({words.configuration.one, fmt::format("{:.4f}", reasons.configuration_score),
                   milliseconds_text(reasons.configuration_ms), reasons.configuration});
    table.add_row({"the other one", fmt::format("{:.4f}", reasons.against_score),
                   milliseconds_text(reasons.against_ms), reasons.against});
    text += table.text();
    if (const auto right = reasons.is_right())
        text += fmt::format("It prefers the {} of the two.\n", *right ? "faster" : "slower");
    if (!reasons.anchors)
        return text + fmt::format("\nNo rule: {}.\n", reasons.missing);
    return text + anchor_lines(*reasons.anchors, preferred, subject_words(words)) +
           fmt::format("  {} cases asked{}; changed decisions are those of {}.\n", reasons.anchors->calls,
                       reasons.anchors->complete ? "" : " before the search had to end",
                       counted(static_cast<std::size_t>(reasons.others), words.configuration.one,
                               words.configuration.many));
}

std::string rule_phrase(const Anchor& rule, std::string_view one, std::string_view other) {
    std::vector<std::string> of_one;
    std::vector<std::string> of_other;
    std::vector<std::string> of_both;
    for (const ReasonPredicate& each : rule.predicates) {
        const bool is_of_both = std::ranges::any_of(
            rule.predicates, [&](const ReasonPredicate& before) { return is_of_other_side(each, before); });
        const bool is_of_one = each.subject == ReasonSubject::Configuration;
        if (is_of_both && !is_of_one)
            continue; // told with the other one
        (is_of_both  ? of_both
         : is_of_one ? of_one
                     : of_other)
            .push_back(fmt::format(
                "{} stays {}{}{}", each.title,
                each.relation == PredicateRelation::Is ? "" : fmt::format("{} ", name(each.relation)),
                each.value, each.unit.empty() ? "" : " " + each.unit));
    }
    std::vector<std::string> phrases;
    for (const auto& [told, where] :
         {std::pair(of_one, one), std::pair(of_other, other), std::pair(of_both, std::string_view("both"))})
        if (!told.empty())
            phrases.push_back(fmt::format("{} in {}", fmt::join(told, " and "), where));
    return fmt::format("{}", fmt::join(phrases, ", and "));
}

std::string preference_sentence(const ChoiceReasons& reasons, std::string_view one, std::string_view other) {
    const bool prefers_one = reasons.margin() > 0;
    const std::string start = fmt::format("{} prefers {} to {}", reasons.model, prefers_one ? one : other,
                                          prefers_one ? other : one);
    if (!reasons.anchors)
        return fmt::format("{}: {}.", start, reasons.missing);
    const auto percent = [](double share) { return fmt::format("{:.0f} %", 100 * share); };
    const auto& [rule, nearest] = std::pair(reasons.anchors->anchor, reasons.anchors->nearest);
    if (rule && rule->predicates.empty())
        return fmt::format("{} whatever else both decide (in {} of the changed cases).", start,
                           percent(rule->precision.value));
    if (rule)
        return fmt::format("{} as long as {} (in {} of the changed cases). The rule covers {} of all cases.",
                           start, rule_phrase(*rule, one, other), percent(rule->precision.value),
                           percent(rule->coverage.value));
    if (nearest && !nearest->predicates.empty())
        return fmt::format(
            "{}, and no short rule says when. The closest is: {} (in {} of the changed cases).", start,
            rule_phrase(*nearest, one, other), percent(nearest->precision.value));
    return start + ", and no short rule says when.";
}

} // namespace sparsight
