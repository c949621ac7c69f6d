#include "evaluation/model_reasons/choice_reasons.h"

#include "base/terminal_text.h"
#include "base/text.h"
#include "evaluation/model_reasons/reasons_json.h"

#include <fmt/format.h>
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
    member("unchanged", of.unchanged);
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
    text += anchor_lines(*reasons.anchors, preferred, subject_words(words)) +
            fmt::format("  The model scored {} variants. Their changed decisions come from {}.\n",
                        reasons.anchors->calls,
                        counted(static_cast<std::size_t>(reasons.others), words.configuration.one,
                                words.configuration.many));
    if (!reasons.anchors->complete)
        text += "  The budget ended before the search did.\n";
    return reasons.unchanged.empty() ? text : text + fmt::format("  One-sided: {}.\n", reasons.unchanged);
}

std::string preference_sentence(const ChoiceReasons& reasons, std::string_view one, std::string_view other) {
    if (reasons.margin() == 0)
        return fmt::format("{} scores both alike.", reasons.model);
    const bool prefers_one = reasons.margin() > 0;
    const std::string start = fmt::format("{} prefers {} to {}", reasons.model, prefers_one ? one : other,
                                          prefers_one ? other : one);
    if (!reasons.anchors)
        return fmt::format("{}: {}.", start, reasons.missing);
    const std::string end =
        reasons.unchanged.empty() ? "" : fmt::format(" One-sided: {}.", reasons.unchanged);
    const auto percent = [](const BoundedShare& share, std::string_view of) {
        return fmt::format("{:.0f} % of {} ({:.0f} to {:.0f} %)", 100 * share.value, of, 100 * share.lowest,
                           100 * share.highest);
    };
    const auto is_true = [&](const Anchor& rule) {
        return "This is true in " + percent(rule.precision, "the variants tested");
    };
    const RuleWords words{.configuration = std::string(one), .against = std::string(other)};
    const auto& [rule, nearest] = std::pair(reasons.anchors->anchor, reasons.anchors->nearest);
    if (rule && rule->predicates.empty())
        return fmt::format("{} whatever else both decide. {}.{}", start, is_true(*rule), end);
    if (rule)
        return fmt::format("{} as long as {}. {}, and the rule covers {}.{}", start,
                           rule_phrase(*rule, words), is_true(*rule), percent(rule->coverage, "all variants"),
                           end);
    if (nearest && !nearest->predicates.empty())
        return fmt::format("{}, and no short rule says when. The closest is: {}. {}.{}", start,
                           rule_phrase(*nearest, words), is_true(*nearest), end);
    return start + ", and no short rule says when." + end;
}

} // namespace sparsight
