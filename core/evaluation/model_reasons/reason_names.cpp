#include "evaluation/model_reasons/model_reasons.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

template <typename Enum, std::size_t Count>
using Names = std::array<std::pair<Enum, std::string_view>, Count>;

constexpr Names<ReasonSubject, 4> subjects{{{ReasonSubject::Schedule, "schedule"},
                                            {ReasonSubject::Against, "against"},
                                            {ReasonSubject::Pattern, "pattern"},
                                            {ReasonSubject::Machine, "machine"}}};
constexpr Names<PredicateRelation, 4> relations{{{PredicateRelation::Is, "is"},
                                                 {PredicateRelation::AtMost, "at most"},
                                                 {PredicateRelation::AtLeast, "at least"},
                                                 {PredicateRelation::Above, "above"}}};
constexpr Names<PatternDraws, 2> draws{
    {{PatternDraws::Statistics, "statistics"}, {PatternDraws::Matrices, "matrices"}}};
constexpr Names<VariedKind, 4> kinds{{{VariedKind::Decision, "decision"},
                                      {VariedKind::Statistic, "statistic"},
                                      {VariedKind::Pattern, "pattern"},
                                      {VariedKind::Machine, "machine"}}};
constexpr Names<TimeOrigin, 2> origins{
    {{TimeOrigin::Simulated, "simulated"}, {TimeOrigin::Measured, "measured"}}};
constexpr Names<ReasonSpace, 2> spaces{
    {{ReasonSpace::Embedding, "embedding"}, {ReasonSpace::Statistics, "statistics"}}};
constexpr Names<ReasonPart, 5> parts{{{ReasonPart::Anchors, "anchors"},
                                      {ReasonPart::Sensitivity, "sensitivity"},
                                      {ReasonPart::Nearest, "nearest"},
                                      {ReasonPart::Uncertainty, "uncertainty"},
                                      {ReasonPart::Saliency, "saliency"}}};

template <typename Enum, std::size_t Count>
std::string_view name_in(const Names<Enum, Count>& names, Enum value) {
    const auto found = std::ranges::find(names, value, &std::pair<Enum, std::string_view>::first);
    return found == names.end() ? std::string_view() : found->second;
}

template <typename Enum, std::size_t Count>
std::optional<Enum> value_in(const Names<Enum, Count>& names, std::string_view text) {
    const auto found = std::ranges::find(names, text, &std::pair<Enum, std::string_view>::second);
    return found == names.end() ? std::nullopt : std::optional(found->first);
}

} // namespace

std::string_view name(ReasonSubject subject) {
    return name_in(subjects, subject);
}
std::optional<ReasonSubject> parse_reason_subject(std::string_view text) {
    return value_in(subjects, text);
}

std::string_view name(PredicateRelation relation) {
    return name_in(relations, relation);
}
std::optional<PredicateRelation> parse_predicate_relation(std::string_view text) {
    return value_in(relations, text);
}

std::string_view name(PatternDraws of) {
    return name_in(draws, of);
}
std::optional<PatternDraws> parse_pattern_draws(std::string_view text) {
    return value_in(draws, text);
}

std::string_view name(VariedKind kind) {
    return name_in(kinds, kind);
}
std::optional<VariedKind> parse_varied_kind(std::string_view text) {
    return value_in(kinds, text);
}

std::string_view name(TimeOrigin origin) {
    return name_in(origins, origin);
}
std::optional<TimeOrigin> parse_time_origin(std::string_view text) {
    return value_in(origins, text);
}

std::string_view name(ReasonSpace space) {
    return name_in(spaces, space);
}
std::optional<ReasonSpace> parse_reason_space(std::string_view text) {
    return value_in(spaces, text);
}

std::string_view name(ReasonPart part) {
    return name_in(parts, part);
}
std::optional<ReasonPart> parse_reason_part(std::string_view text) {
    return value_in(parts, text);
}

std::string to_text(const ReasonPredicate& predicate) {
    const std::string_view subject = predicate.subject == ReasonSubject::Schedule  ? "schedule"
                                     : predicate.subject == ReasonSubject::Against ? "against"
                                     : predicate.subject == ReasonSubject::Pattern ? "matrix"
                                                                                   : "machine";
    return fmt::format("{}: {} {} {}{}{}", subject, predicate.title, name(predicate.relation),
                       predicate.value, predicate.unit.empty() ? "" : " ", predicate.unit);
}

std::optional<bool> ModelReasons::is_right() const {
    const auto gain = times.log2_gain();
    if (!gain || *gain == 0 || margin() == 0)
        return std::nullopt;
    return (*gain > 0) == (margin() > 0);
}

} // namespace sparsight
