#include "evaluation/model_reasons/anchor_reason.h"

#include "base/names.h"
#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>
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

SidedPredicates by_side(const Anchor& rule) {
    SidedPredicates sided;
    for (const ReasonPredicate& each : rule.predicates) {
        const bool is_of_both = std::ranges::any_of(rule.predicates, [&](const ReasonPredicate& other) {
            return each.subject != other.subject && each.key == other.key &&
                   each.relation == other.relation && each.value == other.value;
        });
        if (each.subject == ReasonSubject::Configuration)
            (is_of_both ? sided.both : sided.configuration).push_back(each);
        else if (!is_of_both)
            sided.against.push_back(each);
    }
    return sided;
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
    text += fmt::format("  Whatever is changed, the choice is the same in {}.\n",
                        bounds_text(reason.unconditional));
    return text;
}

} // namespace sparsight
