#include "evaluation/model_reasons/anchor_reason.h"

#include "base/names.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace sparsight {

namespace {

constexpr Names<PredicateRelation, 4> relations{{{PredicateRelation::Is, "is"},
                                                 {PredicateRelation::AtMost, "at most"},
                                                 {PredicateRelation::AtLeast, "at least"},
                                                 {PredicateRelation::Above, "above"}}};

} // namespace

std::string name(ReasonSubject subject, const SubjectWords& words) {
    switch (subject) {
    case ReasonSubject::Configuration:
        return words.configuration;
    case ReasonSubject::Against:
        return "against";
    case ReasonSubject::Workload:
        return words.workload;
    case ReasonSubject::Machine:
        return "machine";
    }
    return "";
}

std::optional<ReasonSubject> parse_reason_subject(std::string_view text, const SubjectWords& words) {
    for (const ReasonSubject subject : {ReasonSubject::Configuration, ReasonSubject::Against,
                                        ReasonSubject::Workload, ReasonSubject::Machine})
        if (name(subject, words) == text)
            return subject;
    return std::nullopt;
}

std::string_view name(PredicateRelation relation) {
    return name_in(relations, relation);
}
std::optional<PredicateRelation> parse_predicate_relation(std::string_view text) {
    return value_in(relations, text);
}

bool holds(PredicateRelation relation, double number, double bound) {
    switch (relation) {
    case PredicateRelation::Is:
        return number == bound;
    case PredicateRelation::AtMost:
        return number <= bound;
    case PredicateRelation::AtLeast:
        return number >= bound;
    case PredicateRelation::Above:
        return number > bound;
    }
    return false;
}

namespace {

/// With these in the place of "%1" and "%2"; what they contain is not looked at again.
std::string filled(std::string_view text, std::string_view first, std::string_view second) {
    std::string result;
    while (!text.empty()) {
        const bool is_place = text.starts_with("%1") || text.starts_with("%2");
        result += !is_place ? text.substr(0, 1) : text[1] == '1' ? first : second;
        text.remove_prefix(is_place ? 2 : 1);
    }
    return result;
}

std::string phrase_of(const ReasonPredicate& predicate, const RuleWords& words) {
    const std::string value =
        predicate.unit.empty() ? predicate.value : filled(words.with_unit, predicate.value, predicate.unit);
    switch (predicate.relation) {
    case PredicateRelation::Is:
        return filled(words.is, predicate.title, value);
    case PredicateRelation::AtMost:
        return filled(words.at_most, predicate.title, value);
    case PredicateRelation::AtLeast:
        return filled(words.at_least, predicate.title, value);
    case PredicateRelation::Above:
        return filled(words.above, predicate.title, value);
    }
    return predicate.title;
}

/// A predicate of both configurations is in the rule twice.
bool is_of_both(const ReasonPredicate& predicate, const Anchor& rule) {
    return std::ranges::any_of(rule.predicates, [&](const ReasonPredicate& other) {
        return predicate.subject != other.subject && predicate.key == other.key &&
               predicate.relation == other.relation && predicate.value == other.value;
    });
}

} // namespace

std::string rule_phrase(const Anchor& rule, const RuleWords& words) {
    const std::array subjects{std::pair(ReasonSubject::Configuration, &words.configuration),
                              std::pair(ReasonSubject::Against, &words.against),
                              std::pair(ReasonSubject::Workload, &words.workload),
                              std::pair(ReasonSubject::Machine, &words.machine)};
    std::vector<std::string> parts;
    const auto add = [&](std::string_view subject, const auto& is_of_it) {
        std::vector<std::string> told;
        for (const ReasonPredicate& each : rule.predicates)
            if (is_of_it(each))
                told.push_back(phrase_of(each, words));
        if (!told.empty())
            parts.push_back(filled(words.in_subject,
                                   fmt::format("{}", fmt::join(told, words.between_predicates)), subject));
    };
    for (const auto& [subject, title] : subjects)
        add(*title, [&, subject = subject](const ReasonPredicate& each) {
            return each.subject == subject && !is_of_both(each, rule);
        });
    add(words.both, [&](const ReasonPredicate& each) {
        return each.subject == ReasonSubject::Configuration && is_of_both(each, rule);
    });
    return fmt::format("{}", fmt::join(parts, words.between_subjects));
}

std::string to_text(const ReasonPredicate& predicate, const SubjectWords& words) {
    return fmt::format("{}: {} {} {}{}{}",
                       predicate.subject == ReasonSubject::Workload ? words.workload_title
                                                                    : name(predicate.subject, words),
                       predicate.title, name(predicate.relation), predicate.value,
                       predicate.unit.empty() ? "" : " ", predicate.unit);
}

Result<AnchorReason> find_anchor_reason(AnchorSpace& space, const AnchorOptions& options,
                                        const std::function<ReasonPredicate(std::size_t place)>& predicate) {
    auto found = find_anchor(space, options);
    if (!found)
        return std::unexpected(std::move(found).error());
    const auto in_words = [&](const std::optional<AnchorRule>& rule) -> std::optional<Anchor> {
        if (!rule)
            return std::nullopt;
        Anchor anchor{.precision = rule->precision, .coverage = rule->coverage};
        for (const std::size_t place : rule->predicates)
            anchor.predicates.push_back(predicate(place));
        return anchor;
    };
    return AnchorReason{.anchor = in_words(found->rule),
                        .nearest = in_words(found->nearest),
                        .unconditional = found->unconditional,
                        .wanted_precision = options.precision,
                        .confidence = options.confidence,
                        .longest = static_cast<int>(options.longest),
                        .candidates = static_cast<std::int64_t>(space.predicates()),
                        .calls = found->calls,
                        .complete = found->complete};
}

std::string bounds_text(const BoundedShare& share) {
    return fmt::format("{:.1f} % ({:.1f} to {:.1f} %)", 100 * share.value, 100 * share.lowest,
                       100 * share.highest);
}

namespace {

std::string rule_lines(const Anchor& rule, const SubjectWords& words) {
    std::string text;
    for (const ReasonPredicate& predicate : rule.predicates)
        text += "  " + to_text(predicate, words) + "\n";
    text += fmt::format("  precision {}, of {} tested\n", bounds_text(rule.precision),
                        counted(static_cast<std::size_t>(rule.precision.draws), "variant", "variants"));
    text += fmt::format("  coverage  {}\n", bounds_text(rule.coverage));
    return text;
}

} // namespace

std::string anchor_lines(const AnchorReason& reason, std::string_view preferred, const SubjectWords& words) {
    std::string text = "\nRule\n";
    if (reason.anchor && reason.anchor->predicates.empty()) {
        text += fmt::format("  It prefers {} whatever is changed.\n", preferred) +
                rule_lines(*reason.anchor, words);
    } else if (reason.anchor) {
        text += fmt::format("  It prefers {} whenever\n", preferred) + rule_lines(*reason.anchor, words);
    } else {
        text += fmt::format("  No rule of up to {} predicates holds in {:.0f} % of all variants.\n",
                            reason.longest, 100 * reason.wanted_precision);
        if (reason.nearest)
            text += "  The rule with the surest precision:\n" + rule_lines(*reason.nearest, words);
    }
    text += fmt::format("  Whatever is changed, it prefers the same one in {}.\n",
                        bounds_text(reason.unconditional));
    return text;
}

} // namespace sparsight
